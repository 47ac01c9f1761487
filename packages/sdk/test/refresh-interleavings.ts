import fc from 'fast-check'
import {
  simulate,
  type SimulationOutcome,
  type SimulationPlan,
  type InjectedFault,
} from './refresh-fixture.ts'

export type InterleavingCounts = SimulationOutcome & { runs: number }
export type InterleavingOptions = { n: number; seed?: number; injected?: InjectedFault }

const action = fc.constantFrom(
  'create',
  'create_twice',
  'create',
  'time_passes',
  'long_time_passes',
  'time_passes',
  'pair_again',
)
const fate = fc.constantFrom(
  'delivered',
  'delivered',
  'delivered',
  'never_arrives',
  'response_lost',
  'refused',
)
const tab = fc.record({
  actions: fc.array(action, { minLength: 1, maxLength: 6 }),
  dies_at: fc.option(fc.integer({ min: 1, max: 30 }), { nil: undefined }),
})
const plan: fc.Arbitrary<SimulationPlan> = fc.record({
  tabs: fc.array(tab, { minLength: 1, maxLength: 3 }),
  fates: fc.oneof(fc.constant([]), fc.array(fate, { minLength: 1, maxLength: 12 })),
})

/** Simulates `n` random plans, each with its own interleaving, and sums up the results. The property never fails, so nothing is shrunk. */
export async function runInterleavings({
  n,
  seed = 1,
  injected,
}: InterleavingOptions): Promise<InterleavingCounts> {
  const counts = { runs: 0, sent_twice: 0, refreshed: 0, faults: 0, unpaired_without_a_fault: 0 }
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), plan, async (scheduler, each) => {
      const outcome = await simulate(scheduler, each, injected)
      counts.runs += 1
      counts.sent_twice += outcome.sent_twice
      counts.refreshed += outcome.refreshed
      counts.faults += outcome.faults
      counts.unpaired_without_a_fault += outcome.unpaired_without_a_fault
    }),
    { numRuns: n, seed },
  )
  return counts
}
