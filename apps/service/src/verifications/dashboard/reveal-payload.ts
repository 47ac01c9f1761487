import type { Environment, DeliveryPayload } from '@vidimus/contract'
import type { NewAuditEntry } from '../../audit/append.ts'
import type { Context } from '../../context.ts'
import { auditReveal } from './reveal-claims.ts'
import { showWebhook } from './show-webhook.ts'
import { readClock } from '../../platform/db/read-clock.ts'

export type RevealPayload = { by: NewAuditEntry['by']; environment: Environment; id: string }

/** The payload that a webhook would carry now, including claims. Who read it is recorded in the audit log (AUD-1). */
export async function revealPayload(
  ctx: Context,
  { by, environment, id }: RevealPayload,
): Promise<DeliveryPayload> {
  await auditReveal(ctx, { by, environment, id })
  const payload = await showWebhook(ctx, {
    tenant_id: by.tenant_id,
    environment,
    id,
    attempted_at: await readClock(ctx.db),
  })
  return { body: JSON.stringify(payload) }
}
