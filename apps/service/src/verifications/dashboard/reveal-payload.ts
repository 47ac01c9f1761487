import type { Environment, DeliveryPayload } from '@vidimus/contract'
import type { NewAuditEntry } from '../../audit/index.ts'
import type { Context } from '../../engine/context.ts'
import { readResponse } from '../../deliveries/index.ts'
import { auditReveal } from './reveal-claims.ts'
import { showWebhook } from './show-webhook.ts'
import { readClock } from '../../engine/db/index.ts'

export type RevealPayload = {
  by: NewAuditEntry['by']
  environment: Environment
  id: string
  /** Empty for the verification's own URL. */
  endpoint_id?: string | undefined
  /** The attempt whose response is revealed too. */
  attempt?: number | undefined
}

/**
 * The payload that a webhook would carry now, including claims, and what the receiver answered, which may repeat them. Who read it is
 * recorded in the audit log (AUD-1).
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
      : await readResponse(ctx, { tenant_id: by.tenant_id, session_id: id, endpoint_id, attempt })
  return { body: JSON.stringify(payload), ...(response_body !== undefined && { response_body }) }
}
