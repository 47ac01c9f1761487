import type { Context } from '../../engine/context.ts'
import { type EndedIds, type EndedRows, type StoredEntry, hashLedgerId } from '../../engine/ledger/index.ts'
import { deleteTenant, listTenants } from '../../accounts/index.ts'
import { listEndedKinds } from './list-ended-kinds.ts'

export type ApplyContext = Pick<Context, 'config' | 'db' | 'keyring' | 'ledger'>

/** How many rows were ended, by the kind of their entries. */
export type AppliedCounts = Record<string, number>

/**
 * Erases and revokes again what these entries of the ledger say was erased or revoked, and returns how many rows that were. What is gone
 * already is skipped, so that a call that was interrupted can be repeated. With `dryRun`, nothing is changed.
 */
export async function applyEntries(
  ctx: ApplyContext,
  entries: readonly StoredEntry[],
  { dryRun = false }: { dryRun?: boolean } = {},
): Promise<AppliedCounts> {
  const counts: AppliedCounts = {}
  const count = (kind: string) => (counts[kind] = (counts[kind] ?? 0) + 1)
  const endRows = async <Row>(rows: EndedRows<Row>, ofKind: readonly StoredEntry[]) => {
    for await (const { row, ended } of findEnded(ctx, rows, ofKind)) {
      if (!dryRun) await ctx.db.transaction((tx) => rows.end(tx, row, ended), rows.limits)
      count(rows.kind)
    }
  }
  for (const { use, entries: ofKind } of listEndedKinds(ctx, entries))
    await use((rows) => endRows(rows, ofKind))
  for (const tenant of await findDeletedTenants(ctx, entries)) {
    if (!dryRun) await deleteTenant(ctx, tenant)
    count(tenantKind)
  }
  return counts
}

const pageSize = 1000

/**
 * The rows whose end the entries record. A hash does not lead back to its id, so every row is hashed: a page at a time, so that other
 * work of the process goes on.
 */
async function* findEnded<Row>(
  { db, keyring }: ApplyContext,
  { kind, readPage, ledgerIds }: EndedRows<Row>,
  entries: readonly StoredEntry[],
): AsyncGenerator<{ row: Row; ended: EndedIds }> {
  const days = new Map(
    entries.filter((entry) => entry.kind === kind).map(({ hash, day }) => [hash.toString('latin1'), day]),
  )
  if (days.size === 0) return
  let after: Row | undefined
  for (;;) {
    const rows = await readPage(db, { after, limit: pageSize })
    for (const row of rows) {
      const ended = new Map<string, string | undefined>()
      for (const id of ledgerIds(row)) {
        const hash = hashLedgerId(keyring, kind, id).toString('latin1')
        if (days.has(hash)) ended.set(id, days.get(hash))
      }
      if (ended.size > 0) yield { row, ended }
    }
    after = rows.at(-1)
    if (after === undefined || rows.length < pageSize) return
  }
}

const tenantKind = 'tenant'

async function findDeletedTenants(
  ctx: ApplyContext,
  entries: readonly StoredEntry[],
): Promise<{ tenant_id: string; name: string }[]> {
  const hashes = new Set(
    entries.filter(({ kind }) => kind === tenantKind).map(({ hash }) => hash.toString('latin1')),
  )
  if (hashes.size === 0) return []
  const found = []
  for await (const { tenant_id, name } of listTenants(ctx))
    if (hashes.has(hashLedgerId(ctx.keyring, tenantKind, tenant_id).toString('latin1')))
      found.push({ tenant_id, name })
  return found
}
