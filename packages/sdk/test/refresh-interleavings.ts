import fc from 'fast-check'
import { live, type Outcome, type Plan, type Planted } from './refresh-world.ts'

export type Interleavings = Outcome & { runs: number }
export type RunInterleavings = { n: number; seed?: number; planted?: Planted }

const action = fc.constantFrom(
  'ask',
  'ask_twice',
  'ask',
  'time_passes',
  'long_time_passes',
  'time_passes',
  'pair_anew',
)
const fate = fc.constantFrom('answered', 'answered', 'answered', 'never_arrives', 'answer_lost', 'refused')
const tab = fc.record({
  actions: fc.array(action, { minLength: 1, maxLength: 6 }),
  dies_at: fc.option(fc.integer({ min: 1, max: 30 }), { nil: undefined }),
})
const plan: fc.Arbitrary<Plan> = fc.record({
  tabs: fc.array(tab, { minLength: 1, maxLength: 3 }),
  fates: fc.oneof(fc.constant([]), fc.array(fate, { minLength: 1, maxLength: 12 })),
})

/** Lives through that many plans, each in an order of its own, and adds up what happened. Nothing is shrunk: a count is wanted. */
export async function runInterleavings({ n, seed = 1, planted }: RunInterleavings): Promise<Interleavings> {
  const sum = { runs: 0, sent_twice: 0, refreshed: 0, faults: 0, unpaired_without_a_fault: 0 }
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), plan, async (scheduler, each) => {
      const outcome = await live(scheduler, each, planted)
      sum.runs += 1
      sum.sent_twice += outcome.sent_twice
      sum.refreshed += outcome.refreshed
      sum.faults += outcome.faults
      sum.unpaired_without_a_fault += outcome.unpaired_without_a_fault
    }),
    { numRuns: n, seed },
  )
  return sum
}
