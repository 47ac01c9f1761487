import type { Db } from '../engine/db/index.ts'
import { insertInboxEntry } from './chain/store.ts'

/** The id of the chain of what operators do to the whole installation, in the same log as those of the tenants. No tenant has it. */
export const installationChain = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Every action that the installation's chain can contain, besides `audit.restored`. docs/reference/audit.md explains each one. */
export const installationActions = [
  'installation.audit_key_rotated',
  'installation.keyring_changed',
  'installation.sandbox_rotated',
  'installation.tenant_created',
  'installation.tenant_deleted',
  'installation.tenant_quota_changed',
  'installation.trust_changed',
] as const
type InstallationAction = (typeof installationActions)[number]

/** Who runs the command on the server, and why. Both are texts: they are deleted after 400 days, as the name and the purpose of any entry. */
export type InstallationOperator = { name: string; reason?: string | undefined }

/** Records a change in its own transaction. The facts may be kept for ever: no secrets, nothing that identifies a person. */
export type RecordOperation = (tx: Db, detail: Record<string, unknown>) => Promise<void>

export function recordsAs(action: InstallationAction, by: InstallationOperator): RecordOperation {
  return (tx, detail) =>
    insertInboxEntry(tx, {
      tenant_id: installationChain,
      action,
      actor: 'operator',
      actor_name: by.name,
      subject: null,
      purpose: by.reason ?? null,
      detail,
    })
}
