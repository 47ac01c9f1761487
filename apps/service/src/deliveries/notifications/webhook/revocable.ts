import { appendAudit } from '../../../audit/index.ts'
import type { Keyring } from '../../../engine/keyring/index.ts'
import type { Revocable } from '../../../engine/ledger/index.ts'
import { newAlertSecret } from './secret.ts'
import {
  deleteAlertWebhook,
  readAlertWebhookPage,
  replaceAlertSecret,
  type AlertWebhookKey,
} from './store.ts'

/** Webhooks for alerts that were removed or got another URL. */
export const revocableAlertWebhooks: Revocable<AlertWebhookKey> = {
  kind: 'webhook_endpoint',
  readPage: readAlertWebhookPage,
  ledgerIds: (webhook) => [alertUrlLedgerId(webhook)],
  async end(tx, { tenant_id }) {
    await deleteAlertWebhook(tx, tenant_id)
    await appendAudit(tx, {
      action: 'tenant.alert_webhook_changed',
      by: { kind: 'operator', tenant_id },
      detail: { change: 'removed', cause: 'restore' },
    })
  },
}

/** Secrets of webhooks for alerts that were rotated. A member rotates it once more, to see the new one. */
export function revocableAlertSecrets(keyring: Keyring): Revocable<AlertWebhookKey> {
  return {
    kind: 'webhook_secret',
    readPage: readAlertWebhookPage,
    ledgerIds: (webhook) => [alertSecretLedgerId(webhook)],
    async end(tx, { tenant_id }) {
      await replaceAlertSecret(tx, { tenant_id, sealed: newAlertSecret(keyring).sealed })
      await appendAudit(tx, {
        action: 'tenant.alert_webhook_changed',
        by: { kind: 'operator', tenant_id },
        detail: { change: 'secret_rotated', cause: 'restore' },
      })
    },
  }
}

export function alertUrlLedgerId({ tenant_id, url }: Pick<AlertWebhookKey, 'tenant_id' | 'url'>): string {
  return `alerts ${tenant_id} ${url}`
}

export function alertSecretLedgerId({
  tenant_id,
  sealed,
}: Pick<AlertWebhookKey, 'tenant_id' | 'sealed'>): string {
  return `alerts ${tenant_id} ${sealed.toString('hex')}`
}
