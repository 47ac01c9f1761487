import { Client } from 'pg'
import { expect, test } from 'vitest'
import {
  checkLines,
  exportLines,
  insertEntries,
  newTenants,
  openAuditFixture,
} from '../../../test/audit/audit.ts'
import { testEnvironment } from '../../../test/service.ts'
import { readConfig } from '../../engine/config/config.ts'
import { partitionDays } from '../../engine/db/schema/partitions.ts'
import { openLog } from '../../engine/observability/log.ts'
import { openContext } from '../../program/context.ts'
import { sequenceAudit } from '../chain/sequence.ts'
import { verifyTenant } from './verify.ts'

const entries = 4000
const others = 300

test(`[AUD-3] to export and verify a chain of ${entries} entries reads no more if the planner has no statistics on it`, async () => {
  await using audit = await openAuditFixture()
  const { ctx } = audit
  const [tenant = '', ...neighbours] = newTenants(1 + others)
  const open = () =>
    openContext({
      ...readConfig(testEnvironment(audit.database_url)),
      log: openLog({ LOG_LEVEL: 'silent' }),
    })
  /** Its connections report what they read when they end, and not while the pages are counted. */
  const insert = async (tenants: string[], count: number) => {
    await using own = await open()
    await insertEntries(own.db, tenants, count)
    while ((await sequenceAudit(own)) > 0) continue
  }
  await insert(neighbours, others)
  await using resources = new AsyncDisposableStack()
  const client = new Client({ connectionString: audit.database_url })
  resources.defer(() => client.end())
  await client.connect()
  // As after a crash: the statistics predate the tenant's entries, and autovacuum has not run yet.
  const analyze = async () => {
    for (const table of ['audit_entries', 'audit_texts']) {
      for (const day of await partitionDays(ctx.db, table)) {
        const partition = client.escapeIdentifier(`${table}_${day.replaceAll('-', '')}`)
        await client.query(`alter table ${partition} set (autovacuum_enabled = off)`)
        await client.query(`analyze ${partition}`)
      }
    }
  }
  /** What PostgreSQL reads of the log for a process that exports and verifies: pages, which do not depend on who else uses the machine. */
  const countPages = async () => {
    const before = await readPages(client)
    {
      await using other = await open()
      const lines = await exportLines(other, tenant)
      expect(lines).toHaveLength(entries + 1)
      expect(await checkLines(other, lines)).toMatchObject({ valid: true, entries })
      expect(await verifyTenant(other, tenant)).toMatchObject({ valid: true, entries })
    }
    return (await readPages(client)) - before
  }
  await analyze()
  await insert([tenant], entries)

  const stale = await countPages()
  await analyze()
  const fresh = await countPages()
  // It was counted: a page has room for fewer than 40 entries.
  expect(fresh).toBeGreaterThan(entries / 40)
  expect(stale / fresh).toBeLessThan(2)
})

async function readPages(client: Client): Promise<number> {
  const { rows } = await client.query<{ pages: string }>(
    `select sum(heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read) as pages from pg_statio_user_tables
     where relname ~ '^audit_(entries|texts)_'`,
  )
  return Number(rows[0]?.pages)
}
