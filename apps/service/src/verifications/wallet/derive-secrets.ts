import type { Keyring } from '../../platform/keyring/open.ts'

export type SessionSecrets = { nonce: string; state: string; encryption_material: Buffer }

const nonce_bytes = 32
const state_bytes = 32
const material_bytes = 48

/**
 * What binds a wallet's answer to its session, all from the session's seed and the key ring: creating costs no key, fetching
 * writes nothing, and with the seed they are gone (WREQ-4, WREQ-7). One derivation gives all three, each its own bytes of it.
 */
export function deriveSecrets(keyring: Keyring, seed: Buffer): SessionSecrets {
  const bytes = keyring.derive('session secrets', seed, nonce_bytes + state_bytes + material_bytes)
  return {
    nonce: bytes.toString('base64url', 0, nonce_bytes),
    state: bytes.toString('base64url', nonce_bytes, nonce_bytes + state_bytes),
    encryption_material: bytes.subarray(nonce_bytes + state_bytes),
  }
}
