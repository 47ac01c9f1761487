import type {
  AlertKind,
  Environment,
  FigureQuery,
  Figures,
  GoLive,
  Overview,
  OverviewWarning,
} from '@vidimus/contract'
import { getUsage, quotaStage, summarizeKeys } from '../../accounts/index.ts'
import { listAlerts } from '../../audit/index.ts'
import { getWebhookHealth, listEndpoints } from '../../deliveries/index.ts'
import { nameDevices, summarizeDevices } from '../../devices/index.ts'
import type { Context } from '../../engine/context.ts'
import { readClock } from '../../engine/db/index.ts'
import {
  describeAccessCertificate,
  expiryStage,
  listExpiryWarnings,
  listRegistrationWarnings,
  selectRegistration,
} from '../../trust/index.ts'
import { findFirstSuccess, getVerificationFigures } from '../../verifications/index.ts'
import type { DashboardContext } from '../context.ts'

const maxWarnings = 5
/** Alerts that the overview shows as they are. It checks the other conditions itself, without waiting for a worker. */
const kindsOfAlertsOnly: ReadonlySet<AlertKind> = new Set([
  'endpoint_failing',
  'endpoint_disabled',
  'webhook_url_failing',
] as const)

/** A tenant's overview of one environment: what is left to set up, warnings, and the state of quota and webhooks. */
export async function getOverview(
  ctx: DashboardContext,
  scope: { tenant_id: string; environment: Environment },
): Promise<Overview> {
  const [keys, devices, usage, firstSuccess, health, expires, registrations, alerts] = await Promise.all([
    summarizeKeys(ctx, { ...scope, limit: maxWarnings }),
    summarizeDevices(ctx, { ...scope, limit: maxWarnings }),
    getUsage(ctx, scope.tenant_id),
    findFirstSuccess(ctx, scope),
    getWebhookHealth(ctx, scope),
    listExpiryWarnings(ctx, scope),
    listRegistrationWarnings(ctx, scope.tenant_id),
    listAlerts(ctx, scope),
  ])
  const go_live =
    scope.environment === 'live'
      ? await getGoLive(ctx, { ...scope, key: keys.usable, delivered: health.ever_delivered })
      : undefined
  const { verifications_created: used, daily_quota } = usage
  const warnings: OverviewWarning[] = [
    ...(quotaStage(used, daily_quota) !== undefined
      ? [{ kind: 'quota_nearly_spent', used, daily_quota } as const]
      : []),
    ...(health.exhausted_last_at === null
      ? []
      : [
          {
            kind: 'webhooks_exhausted',
            events: health.exhausted,
            last_at: health.exhausted_last_at,
          } as const,
        ]),
    ...devices.reused.map(({ id, name, revoked_at }): OverviewWarning => ({
      kind: 'device_revoked_by_reuse',
      device_id: id,
      device_name: name,
      at: revoked_at ?? '',
    })),
    ...alerts
      .filter(({ kind, resolved_at }) => resolved_at === undefined && kindsOfAlertsOnly.has(kind))
      .slice(0, maxWarnings)
      .map((alert): OverviewWarning => ({ kind: 'alert', alert })),
    ...expires,
    ...registrations.slice(0, maxWarnings),
    ...keys.expiring.map(({ id, name, expires_at }): OverviewWarning => ({
      kind: 'key_expires',
      key_id: id,
      name,
      expires_at: expires_at ?? '',
    })),
  ]
  return {
    checklist: {
      key_created: keys.exists,
      verification_created: firstSuccess.created,
      verification_completed: firstSuccess.completed,
      webhook_delivered: health.ever_delivered,
      device_paired: devices.paired,
    },
    ...(go_live !== undefined && { go_live }),
    warnings,
    today: { created: used, daily_quota },
    webhooks: {
      attempts: health.attempts,
      delivered: health.delivered,
      waiting: health.waiting,
      exhausted: health.exhausted,
      ...(health.median_ms !== null && { median_ms: health.median_ms }),
      ...(health.last_delivered_at !== null && { last_delivered_at: health.last_delivered_at }),
    },
  }
}

/** What a live verification of the tenant needs, and whether it has it. `delivered`: a live webhook was delivered before. */
async function getGoLive(
  ctx: DashboardContext,
  { tenant_id, key, delivered }: { tenant_id: string; key: boolean; delivered: boolean },
): Promise<GoLive> {
  const [now, certificate, registration, trusted_issuers, endpoints] = await Promise.all([
    readClock(ctx.db),
    describeAccessCertificate(ctx, tenant_id),
    selectRegistration(ctx, { tenant_id, template: undefined }),
    countTrustedIssuers(ctx, tenant_id),
    listEndpoints(ctx, { tenant_id, environment: 'live' }),
  ])
  const state = certificateState(certificate, Date.parse(now))
  return {
    certificate: state,
    certificate_expires_at: certificate.expires_at,
    registration: registration !== undefined,
    trusted_issuers,
    key,
    webhook: delivered || endpoints.some(({ enabled }) => enabled),
    every_verification_fails: state === 'self_made' || state === 'expired' || trusted_issuers === 0 || !key,
  }
}

function certificateState(
  { self_made, expires_at }: { self_made: boolean; expires_at: string },
  now_ms: number,
): GoLive['certificate'] {
  if (self_made) return 'self_made'
  const stage = expiryStage(expires_at, now_ms)
  if (stage === undefined) return 'ok'
  return stage.days === 0 ? 'expired' : 'expires_soon'
}

async function countTrustedIssuers(
  { trust: { scopes } }: DashboardContext,
  tenant_id: string,
): Promise<number> {
  const { scope } = await scopes.forVerification({ environment: 'live', tenant_id })
  return (await scopes.anchors(scope)).length
}

/** The figures of a tenant's verifications, with the names of its devices. */
export async function getFigures(
  ctx: Pick<Context, 'db'>,
  scope: { tenant_id: string; environment: Environment },
  query: FigureQuery,
): Promise<Figures> {
  const figures = await getVerificationFigures(ctx, scope, query)
  const names = await nameDevices(
    ctx,
    scope.tenant_id,
    figures.devices.map(({ id }) => id),
  )
  return {
    ...figures,
    devices: figures.devices.map(({ id, created }) => ({ id, name: names.get(id) ?? id, created })),
  }
}
