import type { Environment, OverviewWarning } from '@vidimus/contract'
import type { TrustContext } from './context.ts'
import type { IdentityContext } from './identity/get-identity.ts'
import { describeAccessCertificate } from './identity/describe-access-certificate.ts'
import { expiryStage } from './expiry-stage.ts'
import { isListEnding } from './lists/is-ending.ts'
import { listTrustLists } from './lists/list.ts'
import { readClock } from '../engine/db/index.ts'

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
      : [{ kind: 'certificate_lapses', expires_at, lapsed: stage.days === 0 } as const]),
    ...lists
      .filter((list) => isListEnding(list, now))
      .map(({ url, trusted_until, lapsed }): OverviewWarning => ({
        kind: 'trust_list_lapses',
        url,
        ...(trusted_until !== null && { trusted_until }),
        lapsed,
      })),
  ]
}
