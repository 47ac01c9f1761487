import { randomInt, randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '../apps/service/src/platform/db/sql.ts'
import { runSqlText } from '../apps/service/test/database/clock.ts'
import { startProcesses, type ServiceProcesses } from '../apps/service/test/processes/processes.ts'
import type { Merchant } from '../apps/service/test/service.ts'
import type { Plant } from './plant.ts'
import type { Chaos, Ledger } from './run.ts'

const fullKills = 60
const clients = 16
const betweenKills_ms = 1000

/**
 * Clients create with a key each and repeat a request until it is answered, while every second a process is killed, and
 * with it or without it the database connections of the others. In the end every acknowledged verification must be there,
 * none twice, and the tenant's count must equal its sessions.
 */
export const createUnderKills: Chaos = ({ n = fullKills }) => run('create', n, [])

/**
 * The same with a fault planted: the quota is counted after the transaction and not in it. The run must find that the count
 * and the sessions part; when it does not, it proves nothing.
 */
export const createWithPlantedFault: Chaos = ({ n = fullKills }) => run('create.planted', n, countOutside)

const countOutside: Plant[] = [
  {
    file: '/verifications/store.ts',
    find: 'return rows.toSorted',
    // It dawdles before it counts, so that a run of a few kills cannot miss it.
    put: `await db.execute(sql\`select pg_sleep(0.05)\`)
    for (const { ord, outcome } of rows) {
      if (outcome === 'created') await db.execute(sql\`update tenant_usage set used = used + 1 where tenant_id = \${creations[ord]?.tenant_id}\`)
    }
    return rows.toSorted`,
  },
]

async function run(name: string, kills: number, plants: Plant[]): Promise<Ledger> {
  await using service = await startProcesses(3, {
    run: fileURLToPath(new URL('./plant.ts', import.meta.url)),
    environment: { PLANT: JSON.stringify(plants) },
  })
  if (plants.length > 0) await stopCountingInside(service)
  const merchant = await service.tenant({ daily_quota: 1_000_000_000 })
  const answers = new Map<string, Set<string>>()
  const over = new AbortController()
  const working = Array.from({ length: clients }, () => createUntil(merchant, over.signal, answers))
  const faults = await kill(service, kills)
  over.abort()
  await Promise.all(working)
  return await settle(name, service, merchant, { answers, faults })
}

/** Creates again and again; a request that broke is repeated with its key until it has an answer. */
async function createUntil(
  merchant: Merchant,
  over: AbortSignal,
  answers: Map<string, Set<string>>,
): Promise<void> {
  while (!over.aborted) {
    const key = randomUUID()
    for (let tries = 0; tries < 200; tries += 1) {
      const answer = await merchant
        .post('/v1/verifications', { template: 'age_over_18' }, { headers: { 'idempotency-key': key } })
        .catch(() => undefined) // the process was killed under the request
      if (answer?.status === 201) {
        answers.set(key, (answers.get(key) ?? new Set()).add(answer.body.id))
        break
      }
      await sleep(20)
    }
  }
}

/** Kills a process a second and starts another in its place; every other time the database ends their connections too. */
async function kill(service: ServiceProcesses, kills: number): Promise<number> {
  let faults = 0
  for (let count = 1; count <= kills; count += 1) {
    await sleep(betweenKills_ms)
    const place = randomInt(service.processes.length)
    const [victim] = service.processes.splice(place, 1)
    victim?.child.kill('SIGKILL')
    faults += 1
    if (count % 2 === 0) {
      await service.ctx.db.execute(sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and random() < 0.5`)
      faults += 1
    }
    await service.start()
  }
  return faults
}

type Found = { answers: Map<string, Set<string>>; faults: number }

async function settle(
  name: string,
  service: ServiceProcesses,
  merchant: Merchant,
  { answers, faults }: Found,
): Promise<Ledger> {
  const rows = await service.ctx.db.query<{ id: string }>(
    sql`select id from verification_sessions where tenant_id = ${merchant.tenant_id}`,
  )
  const [usage] = await service.ctx.db.query<{ used: number }>(
    sql`select used from tenant_usage where tenant_id = ${merchant.tenant_id}`,
  )
  const stored = new Set(rows.map(({ id }) => id))
  const acknowledged = Array.from(answers.values(), (ids) => [...ids])
  return {
    name,
    faults,
    acknowledged: acknowledged.length,
    lost: acknowledged.flat().filter((id) => !stored.has(id)).length,
    // Two ids for one key, or a count that is not the number of sessions.
    duplicated:
      acknowledged.filter((ids) => ids.length > 1).length + Math.abs((usage?.used ?? 0) - stored.size),
  }
}

async function stopCountingInside({ ctx }: ServiceProcesses): Promise<void> {
  const [row] = await ctx.db.query<{ source: string }>(
    sql`select pg_get_functiondef('create_verifications(jsonb, jsonb)'::regprocedure) as source`,
  )
  const counting = '+ taken.units'
  if (row === undefined || !row.source.includes(counting))
    throw new Error('the function counts in another way now')
  await runSqlText(ctx.db, row.source.replace(counting, '+ 0'))
}
