import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { learnDay, newCreation } from '../../../test/creation.ts'
import { startService, type Merchant, type Service } from '../../../test/service.ts'
import { sequenceAudit } from '../../audit/chain/sequence.ts'
import { sessionSettings } from '../../engine/db/connection/session-settings.ts'
import { createVerifications } from '../create/store.ts'
import { indexVerifications } from '../metadata/index-verifications.ts'

const many = 2000
/** A plan is kept from the sixth execution on. */
const executions = 8

/** Verifications with everything that an erasure looks for by their tenant or their id. */
async function insertVerifications(service: Service, merchant: Merchant, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let first = 0; first < count; first += 50) {
    const creations = Array.from({ length: Math.min(50, count - first) }, (_, index) =>
      newCreation(
        service.ctx,
        merchant,
        { key_hash: randomBytes(32), body_hash: randomBytes(32) },
        { purpose: 'Age check', metadata: { order: `A-${first + index}`, till: '1' } },
      ),
    )
    await createVerifications(service.ctx.db, creations)
    ids.push(...creations.map(({ stored }) => stored.id))
  }
  while ((await sequenceAudit(service.ctx)) > 0) continue
  await indexVerifications(service.ctx)
  return ids
}

test(`to erase one of ${many} verifications reads no more pages if the planner knew an empty day, or none`, async () => {
  await using service = await startService()
  await learnDay(service)
  const merchant = await service.tenant({ daily_quota: 1_000_000 })
  const client = new Client({ connectionString: service.database_url })
  await using resources = new AsyncDisposableStack()
  resources.defer(() => client.end())
  await client.connect()
  await client.query(sessionSettings)
  const day = new Date().toISOString().slice(0, 10).replaceAll('-', '')
  for (const table of ['verification_sessions', 'verification_metadata', 'audit_texts', 'idempotency_keys'])
    await client.query(`alter table ${table}_${day} set (autovacuum_enabled = off)`)
  /** What the last of some erasures read: pages, which do not depend on who else uses the machine. */
  const countPages = async (ids: string[]) => {
    let pages = 0
    for (const id of ids) {
      const { rows } = await client.query(
        `explain (analyze, buffers, format json)
         select erase_verification($1, 'test', service_day(), $2, 'operator', null, $3)`,
        [merchant.tenant_id, id, randomBytes(32)],
      )
      const plan = rows[0]['QUERY PLAN'][0].Plan
      pages = plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
    }
    return pages
  }
  await countPages(await insertVerifications(service, merchant, executions))
  const ids = await insertVerifications(service, merchant, many)

  const planned = await countPages(ids.splice(0, executions))
  await client.query('discard plans')
  const unknown = await countPages(ids.splice(0, executions))
  await client.query('analyze')
  const known = await countPages(ids.splice(0, executions))

  const left = await client.query('select count(*)::integer as rows from verification_sessions')
  expect(left.rows).toEqual([{ rows: ids.length + 1 }])
  expect(known).toBeGreaterThan(40)
  expect(planned / known).toBeLessThan(1.3)
  expect(unknown / known).toBeLessThan(1.3)
})
