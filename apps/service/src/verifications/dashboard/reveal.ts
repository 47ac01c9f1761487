import type { DeliveryPayload, Environment, RevealedClaims } from '@vidimus/contract'
import { type NewAuditEntry, appendAudit } from '../../audit/index.ts'
import { readResponse } from '../../deliveries/index.ts'
import { type MemberPrincipal, dayOfVerificationId, notFound } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import { readClock } from '../../engine/db/index.ts'
import { getVerification } from '../read/get-verification.ts'
import { lockWebhookReceiver } from '../store.ts'
import { showWebhook } from './show-webhook.ts'

/** The claims of a verification, for a person to read. The audit entry is written before anything is shown (AUD-1). */
export async function revealClaims(ctx: Context, by: MemberPrincipal, id: string): Promise<RevealedClaims> {
  await auditReveal(ctx, { by, environment: by.environment, id })
  const { claims, credentials } = await getVerification(ctx, by, id)
  return { ...(claims !== undefined && { claims }), ...(credentials !== undefined && { credentials }) }
}

type AuditReveal = { by: NewAuditEntry['by']; environment: Environment; id: string }

/** Writes the audit entry while the verification's row is locked, so that a concurrent erasure waits and finds the entry. */
async function auditReveal({ db }: Pick<Context, 'db'>, reveal: AuditReveal): Promise<void> {
  const { by, environment, id } = reveal
  const day = dayOfVerificationId(id)
  if (day === undefined) throw notFound('session_not_found')
  await db.transaction(async (tx) => {
    const verification = await lockWebhookReceiver(tx, { day, id, tenant_id: by.tenant_id, environment })
    if (verification === undefined) throw notFound('session_not_found')
    await appendAudit(tx, { action: 'verification.claims_revealed', by, subject: id })
  })
}

type RevealPayload = {
  by: NewAuditEntry['by']
  environment: Environment
  id: string
  /** Empty for the verification's own URL. */
  endpoint_id?: string | undefined
  /** The attempt whose response is revealed too. */
  attempt?: number | undefined
}

/**
 * The payload that a webhook would carry now, including claims, and the receiver's response, which may repeat them. The audit log
 * records who read it (AUD-1).
 */
export async function revealPayload(
  ctx: Context,
  { by, environment, id, endpoint_id = '', attempt }: RevealPayload,
): Promise<DeliveryPayload> {
  await auditReveal(ctx, { by, environment, id })
  const payload = await showWebhook(ctx, {
    tenant_id: by.tenant_id,
    environment,
    id,
    attempted_at: await readClock(ctx.db),
  })
  const response_body =
    attempt === undefined
      ? undefined
      : await readResponse(ctx, { tenant_id: by.tenant_id, verification_id: id, endpoint_id, attempt })
  return { body: JSON.stringify(payload), ...(response_body !== undefined && { response_body }) }
}
