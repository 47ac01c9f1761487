import type { Context } from '../../engine/context.ts'
import type { Db } from '../../engine/db/index.ts'
import { changeRow, needsChange } from './change-row.ts'
import * as store from './copy-store.ts'
import { isDaily, listChangedColumns, listTablesToCopy } from './tables.ts'

export type CellContexts = {
  source: Pick<Context, 'config' | 'db' | 'keyring' | 'ledger'>
  target: Pick<Context, 'config' | 'db' | 'keyring' | 'masterKeys'>
}
export type CopyTenant = {
  tenant_id: string
  /** Runs in the transaction of the copy, after the rows were compared. */
  beforeCommit: (tx: Db) => Promise<void>
}

/** One statement reads or writes a page, or computes the digest of a table. */
export const copyLimits = { statement_ms: 600_000 }

/**
 * Copies a tenant that does not change, in one transaction of the target: the tenant is there completely or not at all. Before
 * the commit, number and digest of the rows of every table are compared. Returns the number of rows.
 */
export async function copyTenant(
  { source, target }: CellContexts,
  { tenant_id, beforeCommit }: CopyTenant,
): Promise<number> {
  await makePartitions({ source, target }, tenant_id)
  return source.db.transaction(async (from) => {
    await store.beginSnapshot(from)
    return target.db.transaction(async (to) => {
      await store.allowPauses(to)
      await copyReferenced({ from, to, tenant_id })
      let rows = 0
      for (const table of await listTablesToCopy(to)) {
        await copyTable({ source, target }, { from, to, table, tenant_id })
        rows += await compareTable({ from, to, table, tenant_id })
        if (table === 'access_certificates')
          await copySharedCertificates({ source, target }, { from, to, tenant_id })
      }
      await beforeCommit(to)
      return rows
    }, copyLimits)
  }, copyLimits)
}

/** Partitions of every day that the tenant has rows of. They are made first, because attaching one locks its table. */
async function makePartitions({ source, target }: CellContexts, tenant_id: string): Promise<void> {
  for (const table of (await listTablesToCopy(source.db)).filter(isDaily)) {
    const days = await source.db.transaction((tx) => store.readRowDays(tx, table, tenant_id), copyLimits)
    for (const day of days) await store.makePartition(target.db, table, day)
  }
}

type Copy = { from: Db; to: Db; tenant_id: string }

/** Rows that belong to no tenant but that the tenant's rows name. The target may have them already. */
async function copyReferenced({ from, to, tenant_id }: Copy): Promise<void> {
  await store.insertTemplateVersions(to, await store.readTemplateVersions(from, tenant_id))
  await store.insertVerifierInfos(to, await store.readVerifierInfos(from, tenant_id))
  await store.insertIdempotencyKeys(to, await store.readIdempotencyKeys(from, tenant_id))
}

async function copyTable(
  cells: CellContexts,
  { from, to, table, tenant_id }: Copy & { table: string },
): Promise<void> {
  if (table === 'tenant_usage') await store.deleteNewUsage(to, tenant_id)
  await store.openRows(from, table, tenant_id)
  let page = await store.fetchRows(from)
  while (page.length > 0) {
    const changed = needsChange(table)
      ? await Promise.all(page.map((row) => changeRow(cells, table, row)))
      : page
    // The next page is read while this one is written.
    const [next] = await Promise.all([store.fetchRows(from), store.insertRows(to, table, changed)])
    page = next
  }
  await store.closeRows(from)
}

/** Open sessions may have been signed with the service's own certificate. It becomes one of the tenant's, because the target has its own. */
async function copySharedCertificates(cells: CellContexts, { from, to, tenant_id }: Copy): Promise<void> {
  const rows = await store.readSharedCertificates(from, tenant_id)
  const changed = await Promise.all(rows.map((row) => changeRow(cells, 'access_certificates', row)))
  await store.insertCertificates(
    to,
    changed.map((row) => JSON.stringify({ ...JSON.parse(row), tenant_id, self_made: false })),
  )
}

async function compareTable({ from, to, table, tenant_id }: Copy & { table: string }): Promise<number> {
  const compared = { table, tenant_id, without: listChangedColumns(table) }
  const [expected, copied] = await Promise.all([
    store.digestRows(from, compared),
    store.digestRows(to, compared),
  ])
  if (expected.rows !== copied.rows || expected.digest !== copied.digest)
    throw new Error(
      `The copy of ${table} differs: ${expected.rows} rows, ${copied.rows} copied. Nothing was moved.`,
    )
  return expected.rows
}
