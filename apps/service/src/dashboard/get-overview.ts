import type { Environment, Overview, OverviewWarning } from '@vidimus/contract'
import { summarizeKeys } from '../api-keys/summarize.ts'
import type { Context } from '../context.ts'
import { summarizeDevices } from '../devices/summarize.ts'
import { listExpiryWarnings } from '../trust/list-expiry-warnings.ts'
import { getUsage } from '../usage/get.ts'
import { getOutcomes } from '../verifications/dashboard/get-outcomes.ts'
import { getWebhookHealth } from '../webhooks/log/get-health.ts'

/** The share of the quota from which on the overview warns. */
const quotaWarningRatio = 0.8
const maxWarnings = 5

/** A tenant's overview of one environment: checklist, warnings and figures. */
export async function getOverview(
  ctx: Context,
  scope: { tenant_id: string; environment: Environment },
): Promise<Overview> {
  const [keys, devices, usage, figures, health, lapses] = await Promise.all([
    summarizeKeys(ctx, { ...scope, limit: maxWarnings }),
    summarizeDevices(ctx, { ...scope, limit: maxWarnings }),
    getUsage(ctx, scope.tenant_id),
    getOutcomes(ctx, scope),
    getWebhookHealth(ctx, scope),
    listExpiryWarnings(ctx, scope),
  ])
  const { verifications_created: used, daily_quota } = usage
  const warnings: OverviewWarning[] = [
    ...(used >= daily_quota * quotaWarningRatio
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
    ...lapses,
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
      verification_created: figures.created,
      verification_completed: figures.completed,
      webhook_delivered: health.ever_delivered,
      device_paired: devices.paired,
    },
    warnings,
    today: { created: used, daily_quota },
    outcomes: figures.outcomes,
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
