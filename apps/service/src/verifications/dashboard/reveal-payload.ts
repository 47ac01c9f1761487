import type { Environment, DeliveryPayload } from '@vidimus/contract'
import type { NewAuditEntry } from '../../audit/append.ts'
import type { Context } from '../../context.ts'
import { auditReveal } from './reveal-claims.ts'
import { showWebhook } from './show-webhook.ts'
import { readNow } from './store.ts'

export type RevealPayload = { by: NewAuditEntry['by']; environment: Environment; id: string }

/** What a receiver would be sent now, claims and all. Whoever looks is told of in the audit log (AUD-1). */
export async function revealPayload(
  ctx: Context,
  { by, environment, id }: RevealPayload,
): Promise<DeliveryPayload> {
  await auditReveal(ctx, { by, environment, id })
  const payload = await showWebhook(ctx, {
    tenant_id: by.tenant_id,
    environment,
    id,
    attempted_at: await readNow(ctx.db),
  })
  return { body: JSON.stringify(payload) }
}
