import { type Db, type Table, declaredTables } from '../../engine/db/index.ts'
import { listReferences } from './store.ts'

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
export function isDaily(table: string): boolean {
  return ofTenants.some(({ name, daily }) => name === table && daily !== undefined)
}

/** The tables that are held during a move. Of the audit log only its inbox: what was appended before is still chained and signed. */
export function listTablesToHold(): string[] {
  const names = ofTenants.map(({ name }) => name)
  return names.filter((name) => !name.startsWith('audit_') || name === 'audit_inbox')
}

/** Columns whose values depend on the cell; `change-row.ts` writes them. Everything else is copied as it is. */
export function listChangedColumns(table: string): string[] {
  const declared = declaredTables.find(({ name }) => name === table)
  return [...Object.keys(declared?.sealed ?? {}), ...changedBy(declared?.move)]
}

function changedBy(move: Table['move']): readonly string[] {
  return typeof move === 'object' && 'changes' in move ? move.changes : []
}
