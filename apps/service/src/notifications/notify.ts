import type { Context } from '../context.ts'
import { deliverMails } from '../mail/deliver.ts'
import { announceAlerts } from './announce/announce.ts'
import { deliverAlertWebhooks } from './webhook/deliver.ts'

/** One round: announces new alerts, then sends the mails and webhooks that are due. False if there was nothing to do. */
export async function notify(ctx: Context): Promise<boolean> {
  const announced = await announceAlerts(ctx)
  const [mails, webhooks] = await Promise.all([deliverMails(ctx), deliverAlertWebhooks(ctx)])
  return announced || mails || webhooks
}
