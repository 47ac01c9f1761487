import type { TokenPair } from '@vidimus/contract'
import { appendAudit, raiseAlert } from '../../audit/index.ts'
import { Refusal } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import { toDevicePrincipal } from '../device-principal.ts'
import { viewDevice } from '../list-devices.ts'
import { type DeviceRow, revokeReused, spendGeneration } from '../store.ts'
import {
  type RefreshToken,
  readRefreshToken,
  tokenTtl_seconds,
  writeAccessToken,
  writeRefreshToken,
} from './format.ts'

/** The token pair of the device's current generation. Tokens are not stored. */
export function issueTokens({ config, keyring }: Context, device: DeviceRow): TokenPair {
  const { id: device_id, generation, now_seconds } = device
  return {
    access_token: writeAccessToken(keyring, config.CELL, {
      device_id,
      expires_at: now_seconds + tokenTtl_seconds.access,
    }),
    refresh_token: writeRefreshToken(keyring, config.CELL, {
      device_id,
      generation,
      expires_at: now_seconds + tokenTtl_seconds.refresh,
    }),
    token_type: 'Bearer',
    expires_in: tokenTtl_seconds.access,
    refresh_expires_in: tokenTtl_seconds.refresh,
    device: viewDevice(device),
  }
}

/** Stands in for a token that was never issued: no device has this id, and the lookup takes the same time. */
const unknownToken: RefreshToken = {
  device_id: '00000000-0000-0000-0000-000000000000',
  generation: 0,
  expires_at: 0,
}

/**
 * Exchanges a refresh token for a new pair. A used token revokes the device: either the device or a thief has a copy, and
 * there is no telling which. Every invalid token gets the same response, after the same two statements.
 */
export async function refreshDeviceToken(ctx: Context, token: string): Promise<TokenPair> {
  const device = await exchangeToken(ctx, (await readRefreshToken(ctx.keyring, token)) ?? unknownToken)
  if (device === undefined) throw new Refusal('invalid_refresh_token', 'This refresh token is not valid.')
  ctx.ledger.note([{ kind: 'refreshed', id: device.id, generation: device.generation }])
  return issueTokens(ctx, device)
}

/** One conditional statement uses the token. If it was used before, another revokes the device in the same transaction. */
async function exchangeToken({ db, ledger }: Context, token: RefreshToken): Promise<DeviceRow | undefined> {
  return db.transaction(async (tx) => {
    const device = await spendGeneration(tx, token)
    if (device !== undefined) return device
    const revoked = await revokeReused(tx, {
      ...token,
      issued_at: token.expires_at - tokenTtl_seconds.refresh,
    })
    if (revoked !== undefined) {
      await appendAudit(tx, {
        action: 'device.revoked',
        by: toDevicePrincipal(revoked),
        subject: revoked.id,
        detail: { reason: 'refresh_token_reused' },
      })
      await raiseAlert(tx, {
        tenant_id: revoked.tenant_id,
        environment: revoked.environment,
        kind: 'device_revoked_by_reuse',
        subject: revoked.id,
        details: { device_name: revoked.name },
      })
      await ledger.record(tx, [{ kind: 'device', id: revoked.id }])
    }
    return undefined
  })
}
