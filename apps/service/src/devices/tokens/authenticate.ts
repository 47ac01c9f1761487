import { errorCodes } from '@vidimus/contract'
import type { Context } from '../../engine/context.ts'
import { validatedCache } from '../../engine/db/index.ts'
import { type DevicePrincipal, Refusal } from '../../engine/basics/index.ts'
import { toDevicePrincipal } from '../device-principal.ts'
import { findActiveDevices, type ActiveDevice } from '../store.ts'
import { readAccessToken, tokenTtl_seconds } from './format.ts'

/** A device can create verifications with its templates and read those it created (TOKEN-5). */
const deviceScopes = ['verifications:create', 'verifications:read'] as const

/**
 * The device of an access token. Its copy is validated for every request, together with the keys of other requests, so that a
 * revocation applies at once on every node.
 */
export async function authenticateDevice(
  { db, keyring }: Pick<Context, 'db' | 'keyring'>,
  token: string,
): Promise<DevicePrincipal> {
  const claims = await readAccessToken(keyring, token)
  if (claims === undefined) throw invalidToken()
  const { asOf, value: device } = await activeDevices.current(db, claims.device_id)
  if (device === undefined) throw invalidToken()
  const issued_at = claims.expires_at - tokenTtl_seconds.access
  if (device.tokens_after_seconds !== null && issued_at <= device.tokens_after_seconds) throw invalidToken()
  if (claims.expires_at * 1000 <= Date.parse(asOf.now))
    throw new Refusal('api_key_expired', 'The API key has expired.')
  return {
    ...toDevicePrincipal(device, { ...device, scopes: deviceScopes }),
    change_version: asOf.change_version,
  }
}

function invalidToken(): Refusal {
  return new Refusal('invalid_api_key', errorCodes.invalid_api_key.example)
}

const activeDevices = validatedCache<string, ActiveDevice>({
  maxBatch: 200,
  maxWaiting: 10_000,
  nameOf: (id) => id,
  async read(db, ids) {
    const { asOf, rows } = await findActiveDevices(db, ids)
    const byId = new Map(rows.map((row) => [row.id, row]))
    return { asOf, values: ids.map((id) => byId.get(id)) }
  },
})
