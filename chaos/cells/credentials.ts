import { createHash, randomUUID } from 'node:crypto'
import { newKey } from '../../apps/service/src/accounts/api-keys/authenticate-key.ts'
import { newPairingCode } from '../../apps/service/src/devices/pairing/register.ts'
import { writeAccessToken, writeRefreshToken } from '../../apps/service/src/devices/tokens/format.ts'
import { newLinkCode } from '../../apps/service/src/holder/links/link-code.ts'
import { newToken } from '../../apps/service/src/accounts/sign-in/tokens.ts'
import type { Keyring } from '../../apps/service/src/engine/keyring/open.ts'
import type { CellName } from '../../apps/service/test/cells/start-cells.ts'
import { newVerificationId } from '../../apps/service/src/engine/basics/ids.ts'

export type Credentials = {
  key: string
  access_token: string
  refresh_token: string
  verification_id: string
  pairing_code: string
  cookie: string
  invitation: string
  state: string
  /** What a passkey says about its owner, in base64url. */
  user_handle: string
  /** The last part of an OpenID issuer's address. */
  issuer: string
  /** The code in the address of a verification link. */
  link_code: string
  /** The lines of moved.map, without the cell, by which a router finds what was moved. */
  moved_keys: string[]
}

/** One of each credential, as the service of this cell draws them. They need not exist there. */
export function drawCredentials(keyring: Keyring, cell: CellName): Credentials {
  const config = { CELL: cell, CELLS: ['a', 'b'] }
  const [device_id, member_id, tenant_id] = [randomUUID(), randomUUID(), randomUUID()]
  const key = newKey('test', cell)
  const verification_id = newVerificationId(cell, '2026-11-16')
  const [{ token: cookie }, { token: invitation }, { token: state }] = [
    newToken(config),
    newToken(config),
    newToken(config),
  ]
  const link_code = newLinkCode(cell)
  const expires_at = 2_000_000_000
  return {
    key,
    access_token: writeAccessToken(keyring, cell, { device_id, expires_at }),
    refresh_token: writeRefreshToken(keyring, cell, { device_id, generation: 1, expires_at }),
    verification_id,
    pairing_code: newPairingCode(config),
    cookie,
    invitation,
    state,
    user_handle: Buffer.from(cell + member_id).toString('base64url'),
    issuer: cell + tenant_id,
    link_code,
    moved_keys: [
      sha256(key),
      Buffer.from(device_id.replaceAll('-', ''), 'hex').toString('base64url').slice(0, 21),
      verification_id,
      sha256(link_code),
      sha256(cookie),
      sha256(invitation),
      member_id,
      tenant_id,
    ],
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
