import type { Environment, OverviewWarning } from '@vidimus/contract'
import type { Context } from '../context.ts'
import { describeAccessCertificate } from './identity/describe-access-certificate.ts'
import { listTrustLists } from './lists/list.ts'
import { readClock } from '../platform/db/read-clock.ts'

const day_ms = 86_400_000
/** How long before expiry a warning is shown. Renewing a certificate takes weeks; a list is refreshed automatically. */
const notice_ms = { certificate: 30 * day_ms, list: 2 * day_ms }

/** Warnings about what has expired or is about to: the tenant's certificate, and the trust lists of the environment. */
export async function listExpiryWarnings(
  ctx: Pick<Context, 'db' | 'identity' | 'keyring'>,
  { tenant_id, environment }: { tenant_id: string; environment: Environment },
): Promise<OverviewWarning[]> {
  const now = Date.parse(await readClock(ctx.db))
  const { expires_at } = await describeAccessCertificate(ctx, tenant_id)
  const remaining_ms = Date.parse(expires_at) - now
  const lists = (await listTrustLists(ctx)).filter((list) => list.environment === environment)
  return [
    ...(remaining_ms < notice_ms.certificate
      ? [{ kind: 'certificate_lapses', expires_at, lapsed: remaining_ms <= 0 } as const]
      : []),
    ...lists
      .filter(({ lapsed, trusted_until }) => lapsed || toMilliseconds(trusted_until) - now < notice_ms.list)
      .map(({ url, trusted_until, lapsed }): OverviewWarning => ({
        kind: 'trust_list_lapses',
        url,
        ...(trusted_until !== null && { trusted_until }),
        lapsed,
      })),
  ]
}

function toMilliseconds(time: string | null): number {
  return time === null ? 0 : Date.parse(time)
}
