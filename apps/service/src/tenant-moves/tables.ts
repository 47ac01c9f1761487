import type { Db } from '../platform/db/open.ts'
import { listReferences, listTenantTables } from './store.ts'

/** Tables with rows of tenants that stay behind, and why. */
export const tablesLeftBehind: Readonly<Record<string, string>> = {
  audit_heads: "part of the old cell's signed log",
  audit_inbox: 'empty: everything is chained before the copy',
  openid_authorizations: 'sign-ins in progress: their codes and tokens are hashes of the old cell',
  webhook_listeners: 'connections to processes of the old cell',
}

/** Tables without a column tenant_id. Those of the cell are not copied; of the others, the rows that the tenant's rows name. */
export const otherTables: Readonly<Record<string, 'of the cell' | 'copied'>> = {
  audit_handovers: 'of the cell',
  audit_log: 'of the cell',
  audit_nodes: 'of the cell',
  audit_ticks: 'of the cell',
  change_version: 'of the cell',
  daily_tables: 'of the cell',
  erasure_ledgers: 'of the cell',
  erasure_marks: 'of the cell',
  idempotency_keys: 'copied',
  keyring: 'copied',
  moved_routes: 'of the cell',
  outcome_progress: 'of the cell',
  pairing_guesses: 'of the cell',
  revocation_lists: 'of the cell',
  sandbox_issuer: 'of the cell',
  schema_migrations: 'of the cell',
  sign_in_room: 'of the cell',
  spent_challenges: 'of the cell',
  status_lists: 'of the cell',
  template_versions: 'copied',
  tenant_moves: 'of the cell',
  tenants: 'copied',
  trust_anchors: 'of the cell',
  trust_lists: 'of the cell',
  trust_version: 'of the cell',
  type_metadata: 'of the cell',
  verifier_infos: 'copied',
}

/** Columns whose values depend on the cell; `change-row.ts` writes them. Everything else is copied as it is. */
export const changedColumns: Readonly<Record<string, readonly string[]>> = {
  access_certificates: ['sealed_key'],
  alert_webhooks: ['sealed', 'previous_sealed'],
  audit_chains: ['signed_seq', 'signed_link'],
  devices: ['pairing_hash'],
  mail_queue: ['sealed'],
  openid_issuers: ['sealed'],
  openid_keys: ['sealed'],
  request_log: ['session_hash'],
  tenants: ['hashing_cell'],
  verification_sessions: ['seed'],
  webhook_endpoints: ['sealed', 'previous_sealed'],
  webhook_secrets: ['sealed'],
}

/** The tables to copy, each after those that it refers to. */
export async function listTablesToCopy(db: Db): Promise<string[]> {
  const tables = ['tenants', ...(await listTenantTables(db)).filter((name) => !(name in tablesLeftBehind))]
  const references = await listReferences(db)
  const ordered: string[] = []
  const visit = (name: string) => {
    if (ordered.includes(name) || !tables.includes(name)) return
    for (const { refers_to } of references.filter((each) => each.name === name)) visit(refers_to)
    ordered.push(name)
  }
  for (const name of tables) visit(name)
  return ordered
}

/** The tables that are held during a move. Of the audit log only its inbox: what was appended before is still chained and signed. */
export async function listTablesToHold(db: Db): Promise<string[]> {
  const tables = await listTenantTables(db)
  return ['tenants', ...tables.filter((name) => !name.startsWith('audit_') || name === 'audit_inbox')]
}
