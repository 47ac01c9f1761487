import type { Keyring } from '../platform/keyring/open.ts'

export type SessionSecrets = { nonce: string; state: string; encryption_material: Buffer }

const nonceBytes = 32
const stateBytes = 32
const materialBytes = 48

/**
 * What binds a wallet's answer to its session, all from the session's seed and the key ring: creating costs no key, fetching
 * writes nothing, and with the seed they are gone (WREQ-4, WREQ-7). One derivation gives all three, each its own bytes of it.
 */
export function deriveSecrets(keyring: Keyring, seed: Buffer): SessionSecrets {
  const bytes = keyring.derive('session secrets', seed, nonceBytes + stateBytes + materialBytes)
  return {
    nonce: bytes.toString('base64url', 0, nonceBytes),
    state: bytes.toString('base64url', nonceBytes, nonceBytes + stateBytes),
    encryption_material: bytes.subarray(nonceBytes + stateBytes),
  }
}
