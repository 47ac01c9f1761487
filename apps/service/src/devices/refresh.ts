import type { TokenPair } from '@vidimus/contract'
import { appendAudit } from '../audit/append.ts'
import type { Context } from '../context.ts'
import { Refusal } from '../platform/refusal.ts'
import { actingAs } from './enroll.ts'
import { issueTokens } from './issue-tokens.ts'
import { findByIds, revokeReused, spendGeneration, type DeviceRow } from './store.ts'
import { readRefreshToken, type RefreshToken } from './tokens.ts'

/**
 * Exchanges a refresh token for a new pair. A spent one revokes the device outright: either the device or a thief holds a
 * copy, and nobody can tell which. The answer is the same for every token that does not work.
 */
export async function refreshDeviceToken(ctx: Context, token: string): Promise<TokenPair> {
  const read = readRefreshToken(ctx.keyring, token)
  const device = read === undefined ? undefined : await exchange(ctx, read)
  if (device === undefined) throw new Refusal('invalid_refresh_token', 'This refresh token is not valid.')
  return issueTokens(ctx, device)
}

/** One conditional statement spends the token; where it was spent before, another revokes the device in the same transaction. */
async function exchange({ db }: Context, token: RefreshToken): Promise<DeviceRow | undefined> {
  return db.transaction(async (tx) => {
    const [known] = await findByIds(tx, [token.device_id])
    const expired = known !== undefined && token.expires_at <= known.now_seconds
    const device = expired ? undefined : await spendGeneration(tx, token)
    if (device !== undefined) return device
    const revoked = await revokeReused(tx, token)
    if (revoked !== undefined) {
      await appendAudit(tx, {
        action: 'device.revoked',
        by: actingAs(revoked),
        subject: revoked.id,
        detail: { reason: 'refresh_token_reused' },
      })
    }
    return undefined
  })
}
