import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from '../../apps/service/src/engine/db/sql.ts'
import { tokenTtl_seconds, writeRefreshToken } from '../../apps/service/src/devices/tokens/format.ts'
import { caller } from '../../apps/service/test/caller.ts'
import { setClockOffset } from '../../apps/service/test/database/clock.ts'
import { startProcesses, type ServiceProcesses } from '../../apps/service/test/processes/processes.ts'
import { openTestStores } from '../../apps/service/test/database/stores.ts'
import { compareTimes, describeTimes, type TimedKind } from './compare-times.ts'
import type { ChaosRun } from '../chaos-run.ts'
import { cycleThrough } from './cycle-through.ts'

/** A short run on a busy machine detects only large differences, such as a response that skipped the database. */
const tolerance = { full: 0.1, short: 0.35 }
const fullSize = 2000

/**
 * Sends refresh tokens that are unknown, expired, from another installation or malformed, `n` of each kind in random order.
 * `lost` counts differing responses and changed devices, `duplicated` the kinds whose median time is more than 10 % away
 * from the overall median.
 */
export const refusedTokens: ChaosRun = async ({ n = fullSize }) => {
  await using service = await startProcesses(1)
  const kinds = await createKinds(service)
  const before = await readDevices(service)
  const client = caller(service.processes[0]?.address ?? '')
  const responses = new Set<string>()
  const send = async (refresh_token: string) => {
    const { status, text } = await client.post('/v1/devices/token', { refresh_token })
    responses.add(`${status} ${text}`)
  }
  const times = await compareTimes(kinds, send, n)
  process.stderr.write(describeTimes('devices.refused_tokens', times))
  return {
    name: 'devices.refused_tokens',
    faults: n * kinds.length,
    acknowledged: n * kinds.length,
    lost: responses.size - 1 + ((await readDevices(service)) === before ? 0 : 1),
    duplicated: times.kinds.filter(
      ({ ratio }) => Math.abs(ratio - 1) > (n < fullSize ? tolerance.short : tolerance.full),
    ).length,
  }
}

async function createKinds(service: ServiceProcesses): Promise<TimedKind[]> {
  await using otherInstallation = await openTestStores()
  const merchant = await service.tenant()
  const pairs: { refresh_token: string; device: { id: string } }[] = []
  for (const name of ['a', 'b', 'c']) {
    const { pairing_code } = (
      await merchant.post('/v1/devices', { name, allowed_templates: ['age_over_18'] })
    ).body
    pairs.push((await merchant.post('/v1/devices/enroll', { pairing_code })).body)
  }
  await setClockOffset(service.ctx.db, `${tokenTtl_seconds.refresh} seconds`)
  const nextPair = cycleThrough(pairs)
  const farFuture = 2 ** 32 - 1
  const unknown = () =>
    `vdr_0${Buffer.from(randomUUID()).toString('base64url', 0, 24)}${randomBytes(24).toString('base64url')}`
  const foreign = () =>
    writeRefreshToken(otherInstallation.keyring, '0', {
      device_id: nextPair().device.id,
      generation: 1,
      expires_at: farFuture,
    })
  return [
    { name: 'unknown', prepare: unknown },
    { name: 'late', prepare: () => nextPair().refresh_token },
    { name: 'foreign', prepare: foreign },
    {
      name: 'altered',
      prepare: () => `${nextPair().refresh_token.slice(0, -8)}${randomBytes(6).toString('base64url')}`,
    },
    { name: 'malformed', prepare: () => randomBytes(12).toString('hex') },
  ]
}

async function readDevices({ ctx }: ServiceProcesses): Promise<string> {
  return JSON.stringify(await ctx.db.query(sql`select * from devices order by id`))
}
