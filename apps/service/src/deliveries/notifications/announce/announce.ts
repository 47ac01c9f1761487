import { type AlertEvent, listTenantsToAnnounce, takeEvents } from '../../../audit/index.ts'
import type { Context } from '../../../engine/context.ts'
import type { Db } from '../../../engine/db/index.ts'
import { enqueueAlertWebhooks } from '../webhook/enqueue.ts'
import { enqueueAlertMail, enqueueDigest } from './enqueue-mails.ts'
import { listRecipients } from './list-recipients.ts'
import { addAnnounced, lockRate } from './rate-store.ts'

/** The most alerts of a tenant that are mailed one by one within an hour. The rest follow in one digest when the hour ends. */
export const maxAlertsPerHour = 10
const maxTenants = 50
const maxEvents = 200

type AnnounceContext = Pick<Context, 'db' | 'config' | 'keyring'>

/**
 * Turns the events of alerts into mails and webhooks to send. Both commit together with the deletion of the events, so that each
 * alert is announced exactly once. False if there was nothing to announce.
 */
export async function announceAlerts(ctx: AnnounceContext): Promise<boolean> {
  const tenants = await listTenantsToAnnounce(ctx.db, maxTenants)
  for (const tenant_id of tenants) await ctx.db.transaction((tx) => announceTenant(tx, ctx, tenant_id))
  return tenants.length > 0
}

async function announceTenant(tx: Db, ctx: AnnounceContext, tenant_id: string): Promise<void> {
  // The lock also keeps other workers from announcing the same events.
  const rate = await lockRate(tx, tenant_id)
  if (rate === undefined) return
  await takeEvents(tx, { tenant_id, limit: maxEvents }, async (events) => {
    await enqueueAlertWebhooks(
      tx,
      ctx,
      tenant_id,
      events.filter(({ held }) => !held),
    )
    const toMail = events.filter(isWorthMailing)
    const waited = toMail.filter(({ held }) => held)
    // A digest of one alert is a mail about it.
    const digest = waited.length > 1 ? waited : []
    const fresh = toMail.filter((event) => !digest.includes(event))
    const single = fresh.slice(0, Math.max(0, maxAlertsPerHour - rate.announced))
    const recipients = single.length + digest.length > 0 ? await listRecipients(tx, tenant_id) : []
    for (const event of single) await enqueueAlertMail(tx, ctx, { event, recipients })
    if (digest.length > 0) await enqueueDigest(tx, ctx, { tenant_id, events: digest, recipients })
    await addAnnounced(tx, { tenant_id, count: single.length + (digest.length > 0 ? 1 : 0) })
    return { held: fresh.slice(single.length), until: rate.ends_at }
  })
}

/** Nobody is mailed about what is over. */
function isWorthMailing({ type, resolved_at }: AlertEvent): boolean {
  return type === 'raised' && resolved_at === null
}
