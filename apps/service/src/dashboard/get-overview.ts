import type { AlertKind, Environment, Overview, OverviewWarning } from '@vidimus/contract'
import { listAlerts } from '../audit/index.ts'
import { getUsage, quotaStage, summarizeKeys } from '../accounts/index.ts'
import type { DashboardContext } from './context.ts'
import { summarizeDevices } from '../devices/index.ts'
import { listExpiryWarnings, listRegistrationWarnings } from '../trust/index.ts'
import { findFirstSuccess } from '../verifications/index.ts'
import { getWebhookHealth } from '../deliveries/index.ts'
import { getGoLive } from './get-go-live.ts'

const maxWarnings = 5
/** Alerts without a warning of their own. The others are found here and now, and do not wait for a worker. */
const kindsOfAlertsOnly: ReadonlySet<AlertKind> = new Set(['endpoint_failing', 'endpoint_disabled'] as const)

/** A tenant's overview of one environment: what is left to set up, warnings, and the state of quota and webhooks. */
export async function getOverview(
  ctx: DashboardContext,
  scope: { tenant_id: string; environment: Environment },
): Promise<Overview> {
  const [keys, devices, usage, firstSuccess, health, lapses, registrations, alerts] = await Promise.all([
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
    ...lapses,
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
