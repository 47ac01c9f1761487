import { randomBytes } from 'node:crypto'
import type { Context } from '../../engine/context.ts'
import { type Db, type Table, declaredTables } from '../../engine/db/index.ts'
import { type Keyring, carrySeed } from '../../engine/keyring/index.ts'
import * as store from './copy-store.ts'
import { listReferences } from './store.ts'

export type CellContexts = {
  source: Pick<Context, 'config' | 'db' | 'keyring' | 'ledger'>
  target: Pick<Context, 'config' | 'db' | 'keyring' | 'masterKeys'>
}
type CopyTenant = {
  tenant_id: string
  /** How many tables are copied, of how many. */
  onProgress?: (done: number, of: number) => void
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
  { tenant_id, onProgress, beforeCommit }: CopyTenant,
): Promise<number> {
  await makePartitions({ source, target }, tenant_id)
  return source.db.transaction(async (from) => {
    await store.beginSnapshot(from)
    return target.db.transaction(async (to) => {
      await store.allowPauses(to)
      await copyReferenced({ from, to, tenant_id })
      let rows = 0
      const tables = await listTablesToCopy(to)
      for (const [done, table] of tables.entries()) {
        onProgress?.(done, tables.length)
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
  await store.insertPlans(to, await store.readPlan(from, tenant_id))
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

/** Open verifications may have been signed with the service's own certificate. It becomes one of the tenant's, because the target has its own. */
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

type Cells = {
  source: Pick<Context, 'config' | 'keyring'>
  target: Pick<Context, 'config' | 'keyring'>
}
type Row = Record<string, unknown>

const otherChanges: Readonly<Record<string, (cells: Cells, row: Row) => Row>> = {
  // The other cell's log has signed nothing of this chain yet.
  audit_chains: () => ({ signed_seq: 0, signed_link: null }),
  // The hash of a code cannot be computed again: a device that waits for its code needs a new one.
  devices: () => ({ pairing_hash: toBytea(randomBytes(32)) }),
  request_log: () => ({ verification_hash: null }),
  tenants: ({ source }, { hashing_cell }) => ({ hashing_cell: hashing_cell ?? source.config.CELL }),
  verification_sessions: ({ source, target }, { seed }) => ({
    seed:
      typeof seed === 'string'
        ? toBytea(
            carrySeed(fromBytea(seed), {
              from: source.keyring.derivationKey(),
              to: target.keyring.derivationKey(),
            }),
          )
        : null,
  }),
}

/** Whether rows of this table contain anything that depends on the cell. */
function needsChange(table: string): boolean {
  return (
    table in otherChanges || declaredTables.some(({ name, sealed }) => name === table && sealed !== undefined)
  )
}

/** A row as JSON, for the other cell: sealed again under its ring, without what only this cell can compute. */
async function changeRow(cells: Cells, table: string, json: string): Promise<string> {
  // Most verifications are closed and have no seed.
  if (table === 'verification_sessions' && json.includes('"seed": null')) return json
  const row = JSON.parse(json) as Row // written by to_jsonb
  const sealed = declaredTables.find(({ name }) => name === table)?.sealed ?? {}
  for (const [column, use] of Object.entries(sealed))
    row[column] = await reseal(cells, use, row[column] as string | null)
  return JSON.stringify({ ...row, ...otherChanges[table]?.(cells, row) })
}

async function reseal(
  { source, target }: { source: { keyring: Keyring }; target: { keyring: Keyring } },
  use: string,
  sealed: string | null,
): Promise<string | null> {
  return sealed === null
    ? null
    : toBytea(target.keyring.seal(use, await source.keyring.unseal(use, fromBytea(sealed))))
}

/** PostgreSQL's text form of bytes. */
function fromBytea(text: string): Buffer {
  return Buffer.from(text.slice(2), 'hex')
}

function toBytea(bytes: Uint8Array): string {
  return `\\x${Buffer.from(bytes).toString('hex')}`
}

const ofTenants = declaredTables.filter((table) => table.of === 'tenant')
const copied = ofTenants.filter(({ move }) => typeof move !== 'object' || !('stays' in move))

/** The tables to copy, each after those that it refers to. */
export async function listTablesToCopy(db: Db): Promise<string[]> {
  const references = await listReferences(db)
  const ordered: string[] = []
  const visit = (name: string) => {
    if (ordered.includes(name) || !copied.some((table) => table.name === name)) return
    for (const { refers_to } of references.filter((each) => each.name === name)) visit(refers_to)
    ordered.push(name)
  }
  for (const { name } of copied) visit(name)
  return ordered
}

/** The tables of tenants that are partitioned by day. */
function isDaily(table: string): boolean {
  return ofTenants.some(({ name, daily }) => name === table && daily !== undefined)
}

/** The tables that are held during a move. Of the audit log only its inbox: what was appended before is still chained and signed. */
export function listTablesToHold(): string[] {
  const names = ofTenants.map(({ name }) => name)
  return names.filter((name) => !name.startsWith('audit_') || name === 'audit_inbox')
}

/** Columns whose values depend on the cell and are written anew. Everything else is copied as it is. */
export function listChangedColumns(table: string): string[] {
  const declared = declaredTables.find(({ name }) => name === table)
  return [...Object.keys(declared?.sealed ?? {}), ...changedBy(declared?.move)]
}

function changedBy(move: Table['move']): readonly string[] {
  return typeof move === 'object' && 'changes' in move ? move.changes : []
}
