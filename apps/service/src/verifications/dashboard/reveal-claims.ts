import type { Environment, RevealedClaims } from '@vidimus/contract'
import { type NewAuditEntry, appendAudit } from '../../audit/index.ts'
import type { Context } from '../../engine/context.ts'
import { type MemberPrincipal, dayOfSessionId, notFound } from '../../engine/basics/index.ts'
import { getVerification } from '../read/get.ts'
import { lockWebhookReceiver } from '../store.ts'

/** The claims of a verification, for a person to read. The audit entry is written before anything is shown (AUD-1). */
export async function revealClaims(ctx: Context, by: MemberPrincipal, id: string): Promise<RevealedClaims> {
  await auditReveal(ctx, { by, environment: by.environment, id })
  const { claims, credentials } = await getVerification(ctx, by, id)
  return { ...(claims !== undefined && { claims }), ...(credentials !== undefined && { credentials }) }
}

export type AuditReveal = { by: NewAuditEntry['by']; environment: Environment; id: string }

/** Writes the audit entry while the session's row is locked: an erasure runs before it, or after it and finds the entry. */
export async function auditReveal({ db }: Pick<Context, 'db'>, reveal: AuditReveal): Promise<void> {
  const { by, environment, id } = reveal
  const day = dayOfSessionId(id)
  if (day === undefined) throw notFound('session_not_found')
  await db.transaction(async (tx) => {
    const session = await lockWebhookReceiver(tx, { day, id, tenant_id: by.tenant_id, environment })
    if (session === undefined) throw notFound('session_not_found')
    await appendAudit(tx, { action: 'verification.claims_revealed', by, subject: id })
  })
}
