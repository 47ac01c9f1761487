import type { AuditAction } from '@vidimus/contract'
import { raiseAlert } from './alerts/raise.ts'
import type { Db } from '../engine/db/index.ts'
import { type Member, type Principal, actorOf as principalName } from '../engine/basics/index.ts'
import { toAccessAlert } from './alert-access.ts'
import { insertInboxEntry } from './chain/store.ts'

/** A person who runs the program on the server itself. */
export type Operator = { kind: 'operator'; tenant_id: string }

/** A wallet that responded. Its holder is deliberately not identified. */
type Wallet = { kind: 'wallet'; tenant_id: string }

/** The service itself, in the background. */
type ServiceActor = { kind: 'service'; tenant_id: string }

export type NewAuditEntry = {
  /** A noun and a past participle: `key.created`. */
  action: AuditAction
  by: Principal | Member | Operator | Wallet | ServiceActor
  /**
   * What the action was done to. It is erased with its subject, so `detail` must still make sense without it. A caller that
   * names a verification holds the lock of its row in the same transaction, so that a concurrent erasure either comes first,
   * and there is nothing to name, or comes later and finds this entry.
   */
  subject?: string | undefined
  purpose?: string | undefined
  /** Facts that may be kept for ever: no claims, no secrets, nothing that identifies a person. */
  detail?: Record<string, unknown> | undefined
}

/**
 * Records a change in its own transaction, so that neither exists without the other (AUD-2). A change that gives lasting access also
 * raises the alert about it.
 */
export async function appendAudit(
  tx: Db,
  { action, by, subject, purpose, detail }: NewAuditEntry,
): Promise<void> {
  const entry = {
    tenant_id: by.tenant_id,
    action,
    actor: toAuditActor(by),
    actor_name: toAuditActorName(by),
    subject: subject ?? null,
    purpose: purpose ?? null,
    detail: detail ?? null,
  }
  await insertInboxEntry(tx, entry)
  const alert = toAccessAlert(entry, by.kind === 'member' ? by.role : undefined)
  if (alert !== undefined) await raiseAlert(tx, alert)
}

/** The actor's kind and id, as recorded in the chain. */
export function toAuditActor(by: NewAuditEntry['by']): string {
  return by.kind === 'operator' || by.kind === 'wallet' || by.kind === 'service' ? by.kind : principalName(by)
}

/** The name of a device, client or member; other actors have none. */
export function toAuditActorName(by: NewAuditEntry['by']): string | null {
  return by.kind === 'device' || by.kind === 'client' || by.kind === 'member' ? by.name : null
}
