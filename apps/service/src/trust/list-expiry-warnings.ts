import type { Environment, OverviewWarning } from '@vidimus/contract'
import { readClock } from '../engine/db/index.ts'
import type { TrustContext } from './context.ts'
import type { IdentityContext } from './identity/get-identity.ts'
import { describeAccessCertificate } from './identity/set-identity.ts'
import { isListEnding, listTrustLists } from './lists/list-metrics.ts'

/** Warnings about what has expired or is about to: the tenant's certificate, and the trust lists of the environment. */
export async function listExpiryWarnings(
  ctx: IdentityContext & Pick<TrustContext, 'identity'>,
  { tenant_id, environment }: { tenant_id: string; environment: Environment },
): Promise<OverviewWarning[]> {
  const now = Date.parse(await readClock(ctx.db))
  const { expires_at } = await describeAccessCertificate(ctx, tenant_id)
  const stage = expiryStage(expires_at, now)
  const lists = (await listTrustLists(ctx)).filter((list) => list.environment === environment)
  return [
    ...(stage === undefined
      ? []
      : [{ kind: 'certificate_expires', expires_at, expired: stage.days === 0 } as const]),
    ...lists
      .filter((list) => isListEnding(list, now))
      .map(({ url, trusted_until, expired }): OverviewWarning => ({
        kind: 'trust_list_expires',
        url,
        ...(trusted_until !== null && { trusted_until }),
        expired,
      })),
  ]
}

type ExpiryStage = { stage: number; days: (typeof noticeDays)[number] }

/** How many days before the end of a certificate or registration the overview warns and alerts are raised. Renewing takes weeks. */
const noticeDays = [30, 7, 1, 0] as const
const day_ms = 86_400_000

/** How close the end is: the latest of these thresholds that has passed, if any. */
export function expiryStage(expires_at: string, now_ms: number): ExpiryStage | undefined {
  const remaining_ms = Date.parse(expires_at) - now_ms
  const stage = noticeDays.findLastIndex((days) => remaining_ms <= days * day_ms)
  const days = noticeDays[stage]
  return days === undefined ? undefined : { stage, days }
}
