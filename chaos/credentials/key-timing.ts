import { newKey } from '../../apps/service/src/accounts/api-keys/authenticate-key.ts'
import { revokeKey } from '../../apps/service/src/accounts/api-keys/roll-key.ts'
import type { Context } from '../../apps/service/src/engine/context.ts'
import { caller } from '../../apps/service/test/caller.ts'
import { startProcesses } from '../../apps/service/test/processes/processes.ts'
import type { Merchant } from '../../apps/service/test/service.ts'
import { compareTimes, describeTimes } from './compare-times.ts'
import type { ChaosRun } from '../chaos-run.ts'
import { cycleThrough } from './cycle-through.ts'

const fullSize = 10_000
/** Above this standard score a difference is significant: with four kinds, chance exceeds it once in a thousand runs. */
const maxScore = 3.7
/** A short run detects only large differences, such as a response that skipped the database. */
const maxRatioOfShortRun = 1.35

/**
 * Sends well-formed but unusable API keys, `n` of each kind in random order: never issued, revoked, revoked keys of another
 * tenant. `lost` counts differing responses, `duplicated` the kinds that can be distinguished by response time.
 */
export const keyTiming: ChaosRun = async ({ n = fullSize }) => {
  await using service = await startProcesses(1)
  const address = service.processes[0]?.address ?? ''
  const revoked = cycleThrough(await revokeKeys(service.ctx, await service.tenant()))
  const revokedOfAnother = cycleThrough(await revokeKeys(service.ctx, await service.tenant()))
  const kinds = [
    { name: 'never issued, test', prepare: () => newKey('test', '0') },
    { name: 'never issued, live', prepare: () => newKey('live', '0') },
    { name: 'revoked', prepare: revoked },
    { name: "revoked, another tenant's", prepare: revokedOfAnother },
  ]
  const responses = new Set<string>()
  const times = await compareTimes(
    kinds,
    async (key) => {
      const { status, text } = await caller(address, key).get('/v1/usage')
      responses.add(`${status} ${text}`)
    },
    n,
  )
  process.stderr.write(describeTimes('keys.timing', times))
  const isDistinguishable = ({ ratio, z }: (typeof times.kinds)[number]) =>
    n < fullSize ? Math.max(ratio, 1 / ratio) > maxRatioOfShortRun : Math.abs(z) > maxScore
  return {
    name: 'keys.timing',
    faults: n * kinds.length,
    acknowledged: n * kinds.length,
    lost: responses.size - 1,
    duplicated: times.kinds.filter(isDistinguishable).length,
  }
}

async function revokeKeys(ctx: Context, merchant: Merchant): Promise<string[]> {
  const principal = { kind: 'operator', tenant_id: merchant.tenant_id } as const
  const keys: string[] = []
  for (let made = 0; made < 20; made += 1) {
    const { key, key_id } = await merchant.as({})
    await revokeKey(ctx, { by: principal, key_id })
    keys.push(key)
  }
  return keys
}
