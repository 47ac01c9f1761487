import type { Keyring } from '../keyring/open.ts'

/** The keyed hash by which a request log knows a session: its id is a capability and is not kept (LOG-3). */
export function hashLoggedSession(keyring: Pick<Keyring, 'mac'>, id: string): Buffer {
  return keyring.mac('session in request log', id).subarray(0, 16)
}
