import type { Environment, WebhookPayload } from '@vidimus/contract'
import type { Context } from '../../engine/context.ts'
import { onOneDay } from '../../engine/db/index.ts'
import { Refusal, dayOfSessionId, notFound } from '../../engine/basics/index.ts'
import { renderPayload } from '../../deliveries/index.ts'
import { readSessions } from '../store.ts'
import { viewVerification } from '../view.ts'

export type ShowWebhook = {
  tenant_id: string
  environment: Environment
  id: string
  /** Of the attempt in the log next to which it is shown. */
  attempted_at: string
}

/**
 * The payload of a delivery attempt, for someone who reads the log. Payloads are not stored (HOOK-13), so it is rendered
 * again and lacks whatever has been deleted since.
 */
export async function showWebhook(
  ctx: Context,
  { tenant_id, environment, id, attempted_at }: ShowWebhook,
): Promise<WebhookPayload> {
  const day = dayOfSessionId(id)
  const [row] =
    day === undefined
      ? []
      : await readSessions(ctx.db, [{ day, id, tenant_id, environment, device_id: null }], onOneDay(day))
  if (row === undefined) throw notFound('session_not_found')
  const verification = viewVerification(ctx, row)
  if (verification.status === 'pending')
    throw new Refusal('invalid_request', 'This verification has no result to send.')
  return renderPayload(verification, attempted_at)
}
