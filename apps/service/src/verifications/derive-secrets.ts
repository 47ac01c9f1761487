import type { Keyring } from '../platform/keyring/open.ts'

export type SessionSecrets = { nonce: string; state: string; encryption_material: Buffer }

/**
 * What binds a wallet's answer to its session, all from the session's seed and the key ring: creating costs no key, fetching
 * writes nothing, and with the seed they are gone (WREQ-4, WREQ-7). 32 bytes each for nonce and state are 43 characters.
 */
export function deriveSecrets(keyring: Keyring, seed: Buffer): SessionSecrets {
  return {
    nonce: keyring.derive('session nonce', seed, 32).toString('base64url'),
    state: keyring.derive('session state', seed, 32).toString('base64url'),
    encryption_material: keyring.derive('session encryption key', seed, 48),
  }
}
