import { getDailyQuota } from '../../../accounts/index.ts'
import type { AddressKey } from '../../../engine/limits/index.ts'
import type { VerificationContext } from '../../../verifications/index.ts'
import type { ClientRow } from '../clients/store.ts'
import { OAuthError } from '../oauth-error.ts'

/** Of a tenant's daily quota, the part that one address may use up in a minute, and what it may always use. */
export const addressShare = { part: 1 / 30, min: 30 }

/**
 * Anyone may open such a link, and the tenant's quota pays. Counted for each tenant, so that the crowd of one leaves the visitors of
 * another alone who share its address.
 */
export async function limitAddress(
  ctx: VerificationContext,
  { tenant_id }: ClientRow,
  address: AddressKey,
): Promise<void> {
  const [state] = await ctx.limiter.count([{ limit: 'authorization', owner: `${tenant_id} ${address}` }])
  const max = ctx.limiter.limits?.authorization.requests
  if (state === undefined || max === undefined || state.used <= Math.min(max, addressShare.min)) return
  const share = Math.max((await getDailyQuota(ctx.db, tenant_id)) * addressShare.part, addressShare.min)
  if (state.used > Math.min(max, share))
    throw new OAuthError(
      'temporarily_unavailable',
      'Too many requests from this address. Try again in a minute.',
    )
}
