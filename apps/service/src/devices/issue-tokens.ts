import type { TokenPair } from '@vidimus/contract'
import type { Context } from '../context.ts'
import type { DeviceRow } from './store.ts'
import { lifetimes, writeAccessToken, writeRefreshToken } from './tokens.ts'
import { viewDevice } from './view.ts'

/** The pair of the device's current generation. Nothing of it is stored. */
export function issueTokens({ config, keyring }: Context, device: DeviceRow): TokenPair {
  const { id: device_id, generation, now_seconds } = device
  return {
    access_token: writeAccessToken(keyring, config.CELL, {
      device_id,
      expires_at: now_seconds + lifetimes.access,
    }),
    refresh_token: writeRefreshToken(keyring, config.CELL, {
      device_id,
      generation,
      expires_at: now_seconds + lifetimes.refresh,
    }),
    token_type: 'Bearer',
    expires_in: lifetimes.access,
    refresh_expires_in: lifetimes.refresh,
    device: viewDevice(device),
  }
}
