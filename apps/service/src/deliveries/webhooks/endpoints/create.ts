import { randomBytes } from 'node:crypto'
import {
  accessKinds,
  maxWebhookEndpoints,
  type CreateWebhookEndpoint,
  type WebhookEndpointSecret,
} from '@vidimus/contract'
import { lockMaker, newSealedSecret } from '../../../accounts/index.ts'
import { appendAudit } from '../../../audit/index.ts'
import type { Context } from '../../../engine/context.ts'
import { type Principal, Refusal } from '../../../engine/basics/index.ts'
import { hostFromUrl } from '../event.ts'
import { checkReceiverUrl } from './check-url.ts'
import { insertEndpoint } from './store.ts'
import { viewEndpoint } from './view.ts'

/** Creates an endpoint with a secret of its own, which is shown once (HOOK-15). */
export async function createEndpoint(
  ctx: Pick<Context, 'db' | 'egress' | 'keyring'>,
  by: Principal,
  { url, events, description, enabled }: CreateWebhookEndpoint,
): Promise<WebhookEndpointSecret> {
  const { tenant_id, environment } = by
  const refusal = await checkReceiverUrl(ctx, url, 'url')
  if (refusal !== undefined) throw refusal

  const { secret, sealed } = newSealedSecret(ctx.keyring)
  const id = `we_${randomBytes(16).toString('base64url')}`
  const host = hostFromUrl(url)
  const row = await ctx.db.transaction(async (tx) => {
    const { member_id: created_by, key_id: created_by_key } = await lockMaker(
      tx,
      by,
      ...accessKinds.webhook_endpoint.needs,
    )
    const created = await insertEndpoint(
      tx,
      {
        id,
        tenant_id,
        environment,
        url,
        host,
        events,
        description,
        enabled,
        sealed,
        created_by,
        created_by_key,
      },
      maxWebhookEndpoints,
    )
    if (created === undefined)
      throw new Refusal(
        'too_many',
        `A tenant can have ${maxWebhookEndpoints} webhook endpoints in an environment. Delete one first.`,
      )
    await appendAudit(tx, {
      action: 'webhook_endpoint.created',
      by,
      subject: id,
      detail: { environment, host, events },
    })
    return created
  })
  return { endpoint: viewEndpoint(row), secret }
}
