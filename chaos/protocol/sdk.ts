import { countMutations } from '../../packages/sdk/test/mutations.ts'
import { runInterleavings } from '../../packages/sdk/test/refresh-interleavings.ts'
import type { InjectedFault } from '../../packages/sdk/test/refresh-fixture.ts'
import type { ChaosRun } from '../chaos-run.ts'

/** Tabs of one device refresh, crash and lose answers in random orders. `duplicated` counts refresh tokens that were sent twice. */
export const refreshInterleavings: ChaosRun = ({ n = 100_000 }) => runRefreshInterleavings('sdk.refresh', n)

/** The same without the write-ahead: the count has to notice. */
export const refreshWithInjectedFault: ChaosRun = ({ n = 10_000 }) =>
  runRefreshInterleavings('sdk.refresh_planted', n, 'no_write_ahead')

async function runRefreshInterleavings(name: string, n: number, planted?: InjectedFault) {
  const seed = Math.floor(Math.random() * 2 ** 31)
  process.stderr.write(`${n} orders, seed ${seed}\n`)
  const totals = await runInterleavings({ n, seed, ...(planted !== undefined && { injected: planted }) })
  return {
    name,
    faults: totals.faults,
    acknowledged: totals.refreshed,
    lost: totals.unpaired_without_a_fault,
    duplicated: totals.sent_twice,
  }
}

/** Alters genuine webhooks. `lost` counts those that verified all the same, or that made anything but a `WebhookError`. */
export const webhookMutations: ChaosRun = async ({ n = 1_000_000 }) => {
  const seed = Math.floor(Math.random() * 2 ** 31)
  process.stderr.write(`${n} mutations, seed ${seed}\n`)
  const { tried, verified, crashed } = await countMutations({ n, seed })
  return {
    name: 'sdk.webhook_mutations',
    faults: tried,
    acknowledged: tried - verified - crashed,
    lost: verified + crashed,
    duplicated: 0,
  }
}
