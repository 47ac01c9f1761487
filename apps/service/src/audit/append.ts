import type { Db } from '../platform/db/open.ts'
import { actorOf as principalName, type Member, type Principal } from '../platform/principal.ts'
import type { AuditAction } from './actions.ts'
import { insertInboxEntry } from './chain/store.ts'

/** Whoever runs the program on the server itself. */
export type Operator = { kind: 'operator'; tenant_id: string }

/** A wallet that answered: nobody knows whose, and nobody shall. */
type Wallet = { kind: 'wallet'; tenant_id: string }

export type NewAuditEntry = {
  /** `noun.verb` in the past: `key.created`. */
  action: AuditAction
  by: Principal | Member | Operator | Wallet
  /**
   * What it was done to. Erased with it, so never the only trace of what happened. Who names a verification holds its row's
   * lock in the same transaction: an erasure then comes before, and there is nothing to name, or after, and finds it.
   */
  subject?: string | undefined
  purpose?: string | undefined
  /** Facts that may stay for ever: no claims, no secrets, nothing that names a person. */
  detail?: Record<string, unknown> | undefined
}

/** Tells the audit chain of a change, in the change's own transaction: neither without the other (AUD-2). */
export async function appendAudit(
  tx: Db,
  { action, by, subject, purpose, detail }: NewAuditEntry,
): Promise<void> {
  await insertInboxEntry(tx, {
    tenant_id: by.tenant_id,
    action,
    actor: toAuditActor(by),
    actor_name: toAuditActorName(by),
    subject: subject ?? null,
    purpose: purpose ?? null,
    detail: detail ?? null,
  })
}

/** The actor as the chain names it: kind and id. */
export function toAuditActor(by: NewAuditEntry['by']): string {
  return by.kind === 'operator' || by.kind === 'wallet' ? by.kind : principalName(by)
}

/** Of those that have a name that tells a reader more than their id. */
export function toAuditActorName(by: NewAuditEntry['by']): string | null {
  return by.kind === 'device' || by.kind === 'member' ? by.name : null
}
