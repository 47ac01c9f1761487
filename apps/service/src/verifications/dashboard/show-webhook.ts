import type { Environment, WebhookPayload } from '@vidimus/contract'
import type { Context } from '../../context.ts'
import { dayOfSessionId } from '../../platform/ids.ts'
import { Refusal, notFound } from '../../platform/refusal.ts'
import { renderPayload } from '../../webhooks/compose.ts'
import { readSessions } from '../store.ts'
import { viewVerification } from '../view.ts'

export type ShowWebhook = {
  tenant_id: string
  environment: Environment
  id: string
  /** Of the attempt in the log beside which it is shown. */
  attempted_at: string
}

/**
 * What an attempt told its receiver, for whoever reads the log. It was not kept (HOOK-13), so it is rendered anew: of what
 * was forgotten since, nothing is shown.
 */
export async function showWebhook(
  ctx: Context,
  { tenant_id, environment, id, attempted_at }: ShowWebhook,
): Promise<WebhookPayload> {
  const day = dayOfSessionId(id)
  const [row] =
    day === undefined
      ? []
      : await readSessions(ctx.db, [{ day, id, tenant_id, environment, device_id: null }], day)
  if (row === undefined) throw notFound('session_not_found')
  const verification = viewVerification(ctx, row)
  if (verification.status !== 'completed' && verification.status !== 'failed')
    throw new Refusal('invalid_request', 'This verification has no result to send.')
  return renderPayload(verification, attempted_at)
}
