import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from '../apps/service/src/platform/db/sql.ts'
import { lifetimes, writeRefreshToken } from '../apps/service/src/devices/tokens.ts'
import { caller } from '../apps/service/test/caller.ts'
import { turnClock } from '../apps/service/test/clock.ts'
import { startProcesses, type Processes } from '../apps/service/test/processes.ts'
import { openStores } from '../apps/service/test/stores.ts'
import type { Chaos } from './run.ts'

/** A short run on a busy machine sees only what is far apart, such as an answer that spared itself the database. */
const tolerance = { full: 0.1, short: 0.35 }
const fullSize = 2000

/**
 * Tokens that are unknown, late, another installation's or no tokens at all, `n` of each kind, mixed. `lost` counts the
 * answers that differ and the devices that changed; `duplicated` the kinds whose median time is more than 10 % from
 * the median of all.
 */
export const refusedTokens: Chaos = async ({ n = fullSize }) => {
  await using service = await startProcesses(1)
  const kinds = await kindsOf(service)
  const before = await devicesOf(service)
  const stranger = caller(service.processes[0]?.address ?? '')
  const times = new Map(Object.keys(kinds).map((kind) => [kind, new Float64Array(n)]))
  const answers = new Set<string>()
  const warmUp = 50
  for (let turn = -warmUp; turn < n; turn += 1) {
    for (const [kind, tokenOf] of shuffled(Object.entries(kinds))) {
      const refresh_token = tokenOf()
      const start = performance.now()
      const { status, text } = await stranger.post('/v1/devices/token', { refresh_token })
      if (turn >= 0) times.get(kind)?.set([performance.now() - start], turn)
      answers.add(`${status} ${text}`)
    }
  }
  const all = medianOf([...times.values()].flatMap((each) => [...each]))
  const apart = Array.from(times, ([kind, each]) => ({ kind, ratio: medianOf([...each]) / all }))
  process.stderr.write(
    `devices.refused_tokens: median ${all.toFixed(3)} ms; ${apart.map(({ kind, ratio }) => `${kind} ${ratio.toFixed(3)}`).join(', ')}\n`,
  )
  return {
    name: 'devices.refused_tokens',
    faults: n * times.size,
    acknowledged: n * times.size,
    lost: answers.size - 1 + ((await devicesOf(service)) === before ? 0 : 1),
    duplicated: apart.filter(
      ({ ratio }) => Math.abs(ratio - 1) > (n < fullSize ? tolerance.short : tolerance.full),
    ).length,
  }
}

async function kindsOf(service: Processes): Promise<Record<string, () => string>> {
  await using elsewhere = await openStores()
  const merchant = await service.tenant()
  const pairs: { refresh_token: string; device: { id: string } }[] = []
  for (const name of ['a', 'b', 'c']) {
    const { pairing_code } = (
      await merchant.post('/v1/devices', { name, allowed_templates: ['age_over_18'] })
    ).body
    pairs.push((await merchant.post('/v1/devices/enroll', { pairing_code })).body)
  }
  await turnClock(service.ctx.db, `${lifetimes.refresh} seconds`)
  const next = turnsOf(pairs)
  const far = 2 ** 32 - 1
  return {
    unknown: () =>
      `vdr_0${Buffer.from(randomUUID()).toString('base64url', 0, 24)}${randomBytes(24).toString('base64url')}`,
    late: () => next().refresh_token,
    foreign: () =>
      writeRefreshToken(elsewhere.keyring, '0', {
        device_id: next().device.id,
        generation: 1,
        expires_at: far,
      }),
    altered: () => `${next().refresh_token.slice(0, -8)}${randomBytes(6).toString('base64url')}`,
    malformed: () => randomBytes(12).toString('hex'),
  }
}

function turnsOf<Item>(items: readonly Item[]): () => Item {
  let turn = 0
  return () => {
    const item = items[(turn += 1) % items.length]
    if (item === undefined) throw new Error('there is nothing to take turns')
    return item
  }
}

async function devicesOf({ ctx }: Processes): Promise<string> {
  return JSON.stringify(await ctx.db.query(sql`select * from devices order by id`))
}

function shuffled<Item>(items: Item[]): Item[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item)
}

function medianOf(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
}
