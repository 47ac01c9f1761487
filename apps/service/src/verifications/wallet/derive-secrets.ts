import type { Keyring } from '../../platform/keyring/open.ts'

export type SessionSecrets = { nonce: string; state: string; encryption_material: Buffer }

const nonce_bytes = 32
const state_bytes = 32
const material_bytes = 48

/**
 * The secrets that bind a wallet response to its session, all derived from the session's seed and the key ring: creating a
 * session generates no key, fetching the request writes nothing, and deleting the seed destroys them (WREQ-4, WREQ-7). One
 * derivation yields all three, each from its own bytes.
 */
export function deriveSecrets(keyring: Keyring, seed: Buffer): SessionSecrets {
  const bytes = keyring.derive('session secrets', seed, nonce_bytes + state_bytes + material_bytes)
  return {
    nonce: bytes.toString('base64url', 0, nonce_bytes),
    state: bytes.toString('base64url', nonce_bytes, nonce_bytes + state_bytes),
    encryption_material: bytes.subarray(nonce_bytes + state_bytes),
  }
}
