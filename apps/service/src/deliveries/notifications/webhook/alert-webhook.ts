import { type AlertWebhook, type AlertWebhookState, accessKinds } from '@vidimus/contract'
import { type MadeAccess, lockMaker } from '../../../accounts/index.ts'
import { type NewAuditEntry, appendAudit } from '../../../audit/index.ts'
import { Refusal } from '../../../engine/basics/index.ts'
import type { Context } from '../../../engine/context.ts'
import type { Keyring } from '../../../engine/keyring/index.ts'
import type { EndedRows } from '../../../engine/ledger/index.ts'
import { hostFromUrl } from '../../webhooks/event.ts'
import { newAlertSecret } from './secret.ts'
import {
  type AlertWebhookKey,
  deleteAlertWebhook,
  findAlertWebhook,
  lockAlertWebhook,
  putAlertWebhook,
  readAlertWebhookPage,
  replaceAlertSecret,
  updateAlertWebhookMaker,
} from './store.ts'

type WebhookContext = Pick<Context, 'db' | 'egress' | 'keyring' | 'ledger'>

export async function getAlertWebhook(
  { db }: Pick<Context, 'db'>,
  tenant_id: string,
): Promise<AlertWebhookState> {
  const row = await findAlertWebhook(db, tenant_id)
  if (row === undefined) return {}
  const { url, created_at, previous_retires_at, last_attempt_at, last_outcome, waiting } = row
  return {
    webhook: {
      url,
      created_at,
      waiting,
      ...(previous_retires_at !== null && { previous_retires_at }),
      ...(last_attempt_at !== null && { last_attempt_at }),
      ...(last_outcome !== null && { last_outcome }),
    },
  }
}

/** Sets the URL. A new webhook gets a secret, which is shown once; a change of the URL keeps the secret. */
export async function setAlertWebhook(
  ctx: WebhookContext,
  { by, url }: { by: NewAuditEntry['by']; url: string },
): Promise<AlertWebhook> {
  const { tenant_id } = by
  const { verdict } = await ctx.egress.checkUrl(url)
  if (verdict === 'refused')
    throw new Refusal(
      'invalid_webhook_url',
      'The URL must use http or https, resolve to a public address, and contain no user name or password.',
    )
  const { secret, sealed } = newAlertSecret(ctx.keyring)
  const created = await ctx.db.transaction(async (tx) => {
    const maker = await lockMaker(tx, by, ...accessKinds.alert_webhook.needs)
    const before = await lockAlertWebhook(tx, tenant_id)
    const isNew = await putAlertWebhook(tx, {
      tenant_id,
      url,
      host: hostFromUrl(url),
      sealed,
      created_by: maker.member_id,
    })
    await appendAudit(tx, { action: 'tenant.alert_webhook_changed', by, detail: { host: hostFromUrl(url) } })
    if (before !== undefined && before.url !== url)
      await ctx.ledger.record(tx, [{ kind: 'webhook_endpoint', id: alertUrlLedgerId(before) }])
    return isNew
  })
  return { ...(await getAlertWebhook(ctx, tenant_id)), ...(created && { secret }) }
}

/** Replaces the secret. The previous one also signs for a day. */
export async function rotateAlertSecret(ctx: WebhookContext, by: NewAuditEntry['by']): Promise<AlertWebhook> {
  const { tenant_id } = by
  const { secret, sealed } = newAlertSecret(ctx.keyring)
  await ctx.db.transaction(async (tx) => {
    const before = await lockAlertWebhook(tx, tenant_id)
    if (before === undefined || !(await replaceAlertSecret(tx, { tenant_id, sealed })))
      throw new Refusal('not_found', 'There is no webhook for alerts. Set its URL first.')
    await appendAudit(tx, {
      action: 'tenant.alert_webhook_changed',
      by,
      detail: { change: 'secret_rotated' },
    })
    await ctx.ledger.record(tx, [{ kind: 'webhook_secret', id: alertSecretLedgerId(before) }])
  })
  return { ...(await getAlertWebhook(ctx, tenant_id)), secret }
}

/** Removes the webhook and drops the alerts that wait for it. */
export async function removeAlertWebhook(
  ctx: WebhookContext,
  by: NewAuditEntry['by'],
): Promise<AlertWebhookState> {
  await ctx.db.transaction(async (tx) => {
    const before = await lockAlertWebhook(tx, by.tenant_id)
    if (before === undefined) return
    await deleteAlertWebhook(tx, by.tenant_id)
    await appendAudit(tx, { action: 'tenant.alert_webhook_changed', by, detail: { change: 'removed' } })
    await ctx.ledger.record(tx, [{ kind: 'webhook_endpoint', id: alertUrlLedgerId(before) }])
  })
  return {}
}

/** The tenant's one webhook for alerts. Its maker is the member who last set the URL. */
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

/** Webhooks for alerts that were removed or given another URL. */
export const endedAlertWebhooks: EndedRows<AlertWebhookKey> = {
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

/** Secrets of alert webhooks that were rotated. Each gets a new one that nobody has seen, so a member rotates it once more. */
export function endedAlertSecrets(keyring: Keyring): EndedRows<AlertWebhookKey> {
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

function alertUrlLedgerId({ tenant_id, url }: Pick<AlertWebhookKey, 'tenant_id' | 'url'>): string {
  return `alerts ${tenant_id} ${url}`
}

function alertSecretLedgerId({ tenant_id, sealed }: Pick<AlertWebhookKey, 'tenant_id' | 'sealed'>): string {
  return `alerts ${tenant_id} ${sealed.toString('hex')}`
}
