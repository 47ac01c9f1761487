import { appendAudit } from '../../../audit/index.ts'
import type { MadeAccess } from '../../../accounts/index.ts'
import { hostFromUrl } from '../../webhooks/event.ts'
import { alertUrlLedgerId } from './revocable.ts'
import { deleteAlertWebhook, findAlertWebhook, lockAlertWebhook, updateAlertWebhookMaker } from './store.ts'

/** The webhook for alerts, of which a tenant has one. The one who last set the URL is the maker. */
export const madeAlertWebhooks: MadeAccess = {
  async list(db, { tenant_id, member_id }) {
    const webhook = await findAlertWebhook(db, tenant_id)
    return webhook?.created_by === member_id ? [{ id: tenant_id, name: hostFromUrl(webhook.url) }] : []
  },
  async end(tx, _item, { by, cause }) {
    const before = await lockAlertWebhook(tx, by.tenant_id)
    if (before === undefined) return []
    await deleteAlertWebhook(tx, by.tenant_id)
    const detail = { change: 'removed', cause }
    await appendAudit(tx, { action: 'tenant.alert_webhook_changed', by, detail })
    return [{ kind: 'webhook_endpoint', id: alertUrlLedgerId(before) }]
  },
  async setMaker(tx, _item, { tenant_id, member_id }) {
    await updateAlertWebhookMaker(tx, { tenant_id, created_by: member_id })
  },
}
