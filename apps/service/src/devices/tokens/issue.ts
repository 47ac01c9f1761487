import type { TokenPair } from '@vidimus/contract'
import type { Context } from '../../engine/context.ts'
import type { DeviceRow } from '../store.ts'
import { tokenTtl_seconds, writeAccessToken, writeRefreshToken } from './format.ts'
import { viewDevice } from '../view.ts'

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
