import type { Keyring } from '../keyring/open.ts'

/** The keyed hash of a verification's id, for the request log: the id itself is a capability and is not stored there (LOG-3). */
export function hashLoggedSession(keyring: Pick<Keyring, 'mac'>, id: string): Buffer {
  return keyring.mac('session in request log', id).subarray(0, 16)
}
