import type {
  Environment,
  FilterVerifications,
  SupportDelivery,
  SupportVerification,
  SupportVerificationDetail,
  TenantConfig,
  Verification,
  VerificationSummary,
} from '@vidimus/contract'
import { getOwnedVerification, listFiltered } from '../../verifications/index.ts'
import { type ListDeliveries, listEvents } from '../../deliveries/index.ts'
import type { Context } from '../../engine/context.ts'
import type { Keyring } from '../../engine/keyring/index.ts'
import { hashForLog } from '../../engine/observability/index.ts'
import { readConfig } from '../config/read-config.ts'
import { scopeOf } from '../config/entries.ts'
import type { DashboardContext } from '../context.ts'

type TenantEnvironment = { tenant_id: string; environment: Environment }

/** Verifications as operators see them: without what anybody disclosed, and without the ids, which grant access. */
export async function listSupportVerifications(
  ctx: Context,
  scope: TenantEnvironment,
  query: FilterVerifications,
): Promise<{ data: SupportVerification[]; next_before?: string }> {
  const { data, next_before } = await listFiltered(ctx, scope, query)
  return {
    data: data.map((each) => viewVerification(ctx.keyring, each)),
    ...(next_before !== undefined && { next_before }),
  }
}

/** One verification, by the id that somebody of the tenant gave. Of a finding only the name is shown: its explanation may name claims. */
export async function getSupportVerification(
  ctx: Context,
  scope: TenantEnvironment,
  id: string,
): Promise<SupportVerificationDetail> {
  const verification: Verification = await getOwnedVerification(ctx, { ...scope, device_id: null }, id)
  const { error, credentials = [], ...rest } = verification
  return {
    ...viewVerification(ctx.keyring, { ...rest, ...(error !== undefined && { error_code: error.code }) }),
    credentials: credentials.map(({ format, doctype_or_vct, findings }) => ({
      format,
      doctype_or_vct,
      findings: findings.map(({ check, status }) => ({ check, status })),
    })),
  }
}

function viewVerification(
  keyring: Pick<Keyring, 'mac'>,
  { id, status, template, error_code, created_at, expires_at, responded_at }: VerificationSummary,
): SupportVerification {
  return {
    hash: hashForLog(keyring, id),
    status,
    ...(template !== undefined && { template }),
    ...(error_code !== undefined && { error_code }),
    created_at,
    expires_at,
    ...(responded_at !== undefined && { responded_at }),
  }
}

/** The states of deliveries. Of an address only the host is shown: the rest may be a secret. */
export async function listSupportDeliveries(
  ctx: Context,
  filter: ListDeliveries,
): Promise<SupportDelivery[]> {
  const events = await listEvents(ctx, filter, 'support')
  return events.map(({ verification_id, url, attempts: _, ...event }) => {
    const host = url === undefined ? undefined : URL.parse(url)?.host
    return { ...event, hash: hashForLog(ctx.keyring, verification_id), ...(host !== undefined && { host }) }
  })
}

/** What members and keys can export, without the paths and parameters of addresses. */
export async function getSupportConfig(
  ctx: DashboardContext,
  { tenant_id, environment }: TenantEnvironment,
): Promise<TenantConfig> {
  const scopes = [scopeOf.webhook_endpoint]
  const { config } = await readConfig(ctx, { tenant_id, environment, scopes })
  const { alert_webhook, webhook_endpoints, openid_clients } = config
  return {
    ...config,
    ...(alert_webhook !== undefined && {
      alert_webhook: alert_webhook === null ? null : { url: toOrigin(alert_webhook.url) },
    }),
    ...(webhook_endpoints !== undefined && {
      webhook_endpoints: webhook_endpoints.map((each) => ({ ...each, url: toOrigin(each.url) })),
    }),
    ...(openid_clients !== undefined && {
      openid_clients: openid_clients.map((each) => ({
        ...each,
        redirect_uris: [...new Set(each.redirect_uris.map(toOrigin))],
      })),
    }),
  }
}

/** An app's own scheme has no origin. */
function toOrigin(url: string): string {
  const parsed = URL.parse(url)
  return parsed === null || parsed.origin === 'null' ? url.replace(/[?#].*$/s, '') : `${parsed.origin}/`
}
