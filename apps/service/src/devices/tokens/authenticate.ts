import type { Context } from '../../context.ts'
import { coalescePerTarget } from '../../platform/coalesce.ts'
import type { Database } from '../../platform/db/open.ts'
import type { DevicePrincipal } from '../../platform/principal.ts'
import { Refusal } from '../../platform/refusal.ts'
import { toDevicePrincipal } from '../device-principal.ts'
import { findDevicesByIds, type DeviceRow } from '../store.ts'
import { readAccessToken } from './format.ts'

/** A device can create verifications with its templates and read those it created (TOKEN-5). */
const deviceScopes = ['verifications:create', 'verifications:read'] as const

/** The device of an access token. Its row is read for every request, so that a revocation applies at once on every node. */
export async function authenticateDevice({ db, keyring }: Context, token: string): Promise<DevicePrincipal> {
  const claims = readAccessToken(keyring, token)
  const device = claims === undefined ? undefined : await findDeviceById(db, claims.device_id)
  if (claims === undefined || device?.status !== 'active')
    throw new Refusal('invalid_api_key', 'The API key is not valid.')
  if (claims.expires_at <= device.now_seconds)
    throw new Refusal('api_key_expired', 'The API key has expired.')
  return toDevicePrincipal(device, deviceScopes)
}

const findDeviceById = coalescePerTarget<Database, string, DeviceRow | undefined>({
  maxBatch: 200,
  maxWaiting: 10_000,
  async run(db, ids) {
    const found = new Map((await findDevicesByIds(db, ids)).map((row) => [row.id, row]))
    return ids.map((id) => found.get(id))
  },
})
