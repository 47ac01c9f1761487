import { sql } from '../../apps/service/src/engine/db/sql.ts'
import { startProcesses } from '../../apps/service/test/processes/processes.ts'
import type { ChaosRun } from '../chaos-run.ts'

const creation = { template: 'age_over_18' }
const processes = 3
const unlimitedQuota = 2_000_000_000

/** Twenty simultaneous identical requests for each key: one creates and is charged, the others get 409 or the replay. */
export const sameIdempotencyKey: ChaosRun = async ({ n = 1000 }) => {
  await using service = await startProcesses(processes)
  const merchant = await service.tenant({ daily_quota: unlimitedQuota })
  const concurrency = 20
  let faults = 0
  let lost = 0
  let duplicated = 0
  for (let key = 0; key < n; key += 1) {
    const responses = await Promise.all(
      Array.from({ length: concurrency }, () =>
        merchant.post('/v1/verifications', creation, { headers: { 'idempotency-key': `key-${key}` } }),
      ),
    )
    const created = responses.filter(({ status }) => status === 201)
    const first = created.filter(({ headers }) => headers.get('idempotent-replayed') === null)
    faults += responses.filter(({ status }) => status === 409).length
    // Any status other than 201 and 409 is wrong, and so is a 201 whose body differs from the first one's.
    lost +=
      responses.filter(({ status }) => status !== 201 && status !== 409).length + (first.length === 0 ? 1 : 0)
    duplicated += Math.max(new Set(created.map(({ text }) => text)).size, first.length, 1) - 1
  }
  const used = (await merchant.get('/v1/usage')).body.verifications_created
  const [row] = await service.ctx.db.query<{ verifications: number }>(sql`
    select count(*) as verifications from verification_sessions`)
  duplicated += Math.abs(used - n) + Math.abs((row?.verifications ?? 0) - n)
  return { name: 'create.equal_keys', faults, acknowledged: n, lost, duplicated }
}

/** A hundred simultaneous requests for the last unit of quota: exactly one succeeds in every round. */
export const lastQuotaUnit: ChaosRun = async ({ n = 100 }) => {
  await using service = await startProcesses(processes)
  const concurrency = 100
  let faults = 0
  let lost = 0
  let duplicated = 0
  for (let round = 0; round < n; round += 1) {
    const merchant = await service.tenant({ daily_quota: 1 })
    const responses = await Promise.all(
      Array.from({ length: concurrency }, () => merchant.post('/v1/verifications', creation)),
    )
    const served = responses.filter(({ status }) => status === 201).length
    const refused = responses.filter(({ status }) => status === 429).length
    faults += refused
    lost += (served === 0 ? 1 : 0) + (concurrency - served - refused)
    duplicated += Math.max(served, 1) - 1
  }
  return { name: 'create.last_unit', faults, acknowledged: n, lost, duplicated }
}

/** A quota of `n` under load from many clients: exactly `n` requests succeed. */
export const wholeQuota: ChaosRun = async ({ n = 10_000 }) => {
  await using service = await startProcesses(processes)
  const merchant = await service.tenant({ daily_quota: n })
  let served = 0
  let faults = 0
  await Promise.all(
    Array.from({ length: 64 }, async () => {
      for (let refusals = 0; refusals < 5;) {
        const { status } = await merchant.post('/v1/verifications', creation)
        if (status === 201) served += 1
        else refusals += 1
        if (status === 429) faults += 1
      }
    }),
  )
  return {
    name: 'create.whole_quota',
    faults,
    acknowledged: served,
    lost: Math.max(n - served, 0),
    duplicated: Math.max(served - n, 0),
  }
}

/** Pages through the list with `before` while many clients create verifications: each verification is listed exactly once. */
export const pagingWhileCreating: ChaosRun = async ({ n = 20_000 }) => {
  await using service = await startProcesses(processes)
  const merchant = await service.tenant({ daily_quota: unlimitedQuota })
  const created = new Set<string>()
  let finished = false
  const writers = Promise.all(
    Array.from({ length: 32 }, async () => {
      while (created.size < n) {
        const { status, body } = await merchant.post('/v1/verifications', creation)
        if (status === 201) created.add(body.id)
      }
    }),
  ).finally(() => (finished = true))

  const found = { walks: 0, lost: 0, duplicated: 0 }
  const walk = async () => {
    const before = new Set(created)
    const seen: string[] = []
    for (let cursor = ''; ;) {
      const { body } = await merchant.get(`/v1/verifications?limit=${1 + (seen.length % 100)}${cursor}`)
      seen.push(...body.data.map(({ id }: { id: string }) => id))
      const last = body.data.at(-1)
      if (last === undefined) break
      cursor = `&before=${last.created_at}`
    }
    found.walks += 1
    found.duplicated += seen.length - new Set(seen).size
    found.lost += before.difference(new Set(seen)).size
  }
  while (!finished) await walk()
  await writers
  await walk()
  return {
    name: 'list.paging',
    faults: found.walks,
    acknowledged: created.size,
    lost: found.lost,
    duplicated: found.duplicated,
  }
}
