import { countMutations } from '../../packages/sdk/test/mutations.ts'
import { runInterleavings } from '../../packages/sdk/test/refresh-interleavings.ts'
import type { InjectedFault } from '../../packages/sdk/test/refresh-fixture.ts'
import type { ChaosRun } from '../chaos-run.ts'

/** Browser tabs of one device refresh, crash and lose responses in random order. `duplicated` counts refresh tokens that were sent twice. */
export const refreshInterleavings: ChaosRun = ({ n = 100_000 }) => runRefreshInterleavings('sdk.refresh', n)

/** The same without the write-ahead. The run must detect it. */
export const refreshWithInjectedFault: ChaosRun = ({ n = 10_000 }) =>
  runRefreshInterleavings('sdk.refresh.injected', n, 'no_write_ahead')

async function runRefreshInterleavings(name: string, n: number, injected?: InjectedFault) {
  const seed = Math.floor(Math.random() * 2 ** 31)
  process.stderr.write(`${n} interleavings, seed ${seed}\n`)
  const totals = await runInterleavings({ n, seed, ...(injected !== undefined && { injected }) })
  return {
    name,
    faults: totals.faults,
    acknowledged: totals.refreshed,
    lost: totals.unpaired_without_a_fault,
    duplicated: totals.sent_twice,
  }
}

/** Mutates genuine webhooks. `lost` counts mutations that still verified or that threw anything but a `WebhookError`. */
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
