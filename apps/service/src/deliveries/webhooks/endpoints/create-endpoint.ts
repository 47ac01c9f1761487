import { randomBytes } from 'node:crypto'
import {
  type CreateWebhookEndpoint,
  type WebhookEndpoint,
  type WebhookEndpointSecret,
  accessKinds,
  maxWebhookEndpoints,
} from '@vidimus/contract'
import { lockMaker, newSealedSecret } from '../../../accounts/index.ts'
import { appendAudit } from '../../../audit/index.ts'
import { type Principal, Refusal } from '../../../engine/basics/index.ts'
import type { Context } from '../../../engine/context.ts'
import { hostFromUrl } from '../event.ts'
import { type EndpointRow, insertEndpoint } from './store.ts'

/** Creates an endpoint with a secret of its own, which is shown once. */
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

const reasons = {
  not_http: 'must be http or https',
  port: 'must not name a port of another protocol, such as 25',
  not_public: 'must resolve to a public address',
  credentials: 'must not contain a user name or password; check the signature instead',
}

/** The refusal of a URL that nothing may be sent to, or undefined. `member` is the member of the body that has the URL. */
export async function checkReceiverUrl(
  { egress }: Pick<Context, 'egress'>,
  url: string,
  member: 'url' | 'webhook_url',
): Promise<Refusal | undefined> {
  const checked = await egress.checkUrl(url)
  if (checked.verdict !== 'refused') return undefined
  return new Refusal('invalid_webhook_url', `${member} ${reasons[checked.reason]}.`)
}

/** The endpoint as merchants see it. Its secret is shown only when it is created. */
export function viewEndpoint(row: EndpointRow): WebhookEndpoint {
  return {
    id: row.id,
    url: row.url,
    environment: row.environment,
    events: row.events,
    description: row.description,
    enabled: row.enabled,
    ...(row.disabled_reason !== null && { disabled_reason: row.disabled_reason }),
    ...(row.disabled_at !== null && { disabled_at: row.disabled_at }),
    ...(row.failing_since !== null && { failing_since: row.failing_since }),
    secret_created_at: row.secret_created_at,
    ...(row.previous_retires_at !== null && { previous_secret_retires_at: row.previous_retires_at }),
    created_at: row.created_at,
  }
}
