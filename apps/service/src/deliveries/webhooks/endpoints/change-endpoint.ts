import {
  type ChangeWebhookEndpoint,
  type WebhookEndpoint,
  type WebhookEndpointSecret,
  accessKinds,
} from '@vidimus/contract'
import { lockMaker, newSealedSecret } from '../../../accounts/index.ts'
import { appendAudit } from '../../../audit/index.ts'
import { type Principal, notFound } from '../../../engine/basics/index.ts'
import type { Context } from '../../../engine/context.ts'
import { endpointSecretLedgerId, endpointUrlLedgerId } from '../end-endpoints.ts'
import { hostFromUrl } from '../event.ts'
import { checkReceiverUrl, viewEndpoint } from './create-endpoint.ts'
import {
  type EndpointOwner,
  deleteEndpointRow,
  findEndpoint,
  lockEndpoint,
  readEndpoints,
  replaceEndpointSecret,
  updateEndpoint,
  updateEndpointMaker,
} from './store.ts'
import { resolveAlerts } from './watch-failing.ts'

/** Changes an endpoint. Events that are being retried go to the new URL; disabling the endpoint ends the retries. */
export async function changeEndpoint(
  ctx: Pick<Context, 'db' | 'egress' | 'ledger'>,
  by: Principal,
  { id, ...change }: ChangeWebhookEndpoint & { id: string },
): Promise<WebhookEndpoint> {
  const { tenant_id, environment } = by
  const refusal = change.url === undefined ? undefined : await checkReceiverUrl(ctx, change.url, 'url')
  if (refusal !== undefined) throw refusal

  const host = change.url === undefined ? undefined : hostFromUrl(change.url)
  return ctx.db.transaction(async (tx) => {
    const maker = await lockMaker(tx, by, ...accessKinds.webhook_endpoint.needs)
    const before = await lockEndpoint(tx, { tenant_id, environment }, id)
    const row = await updateEndpoint(tx, { tenant_id, environment }, id, { ...change, host })
    if (before === undefined || row === undefined) throw notFound('webhook_endpoint_not_found')
    if (row.url !== before.url)
      await updateEndpointMaker(tx, {
        tenant_id,
        id,
        created_by: maker.member_id,
        created_by_key: maker.key_id,
      })
    if (change.enabled === true) await resolveAlerts(tx, row)
    const { url: _url, description: _description, ...facts } = change
    await appendAudit(tx, {
      action: 'webhook_endpoint.changed',
      by,
      subject: id,
      detail: { environment, ...facts, ...(host !== undefined && { host }) },
    })
    if (before.enabled && (row.url !== before.url || !row.enabled))
      await ctx.ledger.record(tx, [{ kind: 'webhook_endpoint', id: endpointUrlLedgerId(before) }])
    return viewEndpoint(row)
  })
}

/** Deletes an endpoint. Events that wait for it are not sent; its delivery log stays. */
export async function deleteEndpoint(
  { db, ledger }: Pick<Context, 'db' | 'ledger'>,
  by: Principal,
  id: string,
): Promise<WebhookEndpoint> {
  const { tenant_id, environment } = by
  return db.transaction(async (tx) => {
    const row = await deleteEndpointRow(tx, { tenant_id, environment }, id)
    if (row === undefined) throw notFound('webhook_endpoint_not_found')
    await resolveAlerts(tx, row)
    await appendAudit(tx, { action: 'webhook_endpoint.deleted', by, subject: id, detail: { environment } })
    await ledger.record(tx, [{ kind: 'webhook_endpoint', id }])
    return viewEndpoint(row)
  })
}

/** Gives an endpoint a new secret, which is shown once. The previous one keeps signing for a day (HOOK-3). */
export async function rotateEndpointSecret(
  { db, keyring, ledger }: Pick<Context, 'db' | 'keyring' | 'ledger'>,
  by: Principal,
  id: string,
): Promise<WebhookEndpointSecret> {
  const { tenant_id, environment } = by
  const { secret, sealed } = newSealedSecret(keyring)
  return db.transaction(async (tx) => {
    const before = await lockEndpoint(tx, { tenant_id, environment }, id)
    const row = await replaceEndpointSecret(tx, { tenant_id, environment }, { id, sealed })
    if (before === undefined || row === undefined) throw notFound('webhook_endpoint_not_found')
    await appendAudit(tx, {
      action: 'webhook_endpoint.secret_rotated',
      by,
      subject: id,
      detail: { environment },
    })
    await ledger.record(tx, [{ kind: 'webhook_secret', id: endpointSecretLedgerId(before) }])
    return { endpoint: viewEndpoint(row), secret }
  })
}

/** A tenant's endpoints in an environment, newest first. */
export async function listEndpoints(
  { db }: Pick<Context, 'db'>,
  { tenant_id, environment }: EndpointOwner,
): Promise<WebhookEndpoint[]> {
  return (await readEndpoints(db, { tenant_id, environment })).map(viewEndpoint)
}

export async function getEndpoint(
  { db }: Pick<Context, 'db'>,
  { tenant_id, environment }: EndpointOwner,
  id: string,
): Promise<WebhookEndpoint> {
  const row = await findEndpoint(db, { tenant_id, environment }, id)
  if (row === undefined) throw notFound('webhook_endpoint_not_found')
  return viewEndpoint(row)
}
