import type { ReaderKey } from '@vidimus/protocol'
import type { Keyring } from '../../engine/keyring/index.ts'

/** How a request reaches a wallet and its response comes back. */
export type Channel = RequestChannel | ProximityChannel

/** A session of a device's own reader with a wallet nearby. The key is needed for a MAC only. */
type ProximityChannel = { kind: 'proximity'; transcript: Uint8Array; reader_key?: ReaderKey }

/**
 * The channels whose requests have secrets of their own. `redirect` is the wallet link, `screen` the QR code of the
 * holder's page, `age_app` the link of the EU age-verification app and `age_app_screen` its QR code; the other two are the
 * Digital Credentials API, called by a page of `origin`.
 */
export type RequestChannel =
  | { kind: 'redirect' }
  | { kind: 'screen' }
  | { kind: 'age_app' }
  | { kind: 'age_app_screen' }
  | { kind: 'dc_api'; origin: string }
  | { kind: 'annex_c'; origin: string }

export type VerificationSecrets = { nonce: string; state: string; encryption_material: Buffer }

const nonce_bytes = 32
const state_bytes = 32
const material_bytes = 48

/**
 * The secrets that bind a wallet response to its verification and channel, all derived from the verification's seed and the key ring:
 * creating a verification generates no key, fetching the request writes nothing, and deleting the seed destroys them (WREQ-4,
 * WREQ-7). Each channel and origin has its own secrets, so that a response made for one is worthless on every other (DC-3).
 * One derivation yields all three, each from its own bytes.
 */
export function deriveSecrets(
  { derive }: Pick<Keyring, 'derive'>,
  seed: Uint8Array,
  channel: RequestChannel,
): VerificationSecrets {
  const bytes = derive(secretsUse(channel), seed, nonce_bytes + state_bytes + material_bytes)
  return {
    nonce: bytes.toString('base64url', 0, nonce_bytes),
    state: bytes.toString('base64url', nonce_bytes, nonce_bytes + state_bytes),
    encryption_material: bytes.subarray(nonce_bytes + state_bytes),
  }
}

/** The name of the wallet link is older than the other channels, and open verifications depend on it. */
function secretsUse(channel: RequestChannel): string {
  switch (channel.kind) {
    case 'redirect':
      return 'session secrets'
    case 'screen':
    case 'age_app':
    case 'age_app_screen':
      return `session secrets: ${channel.kind}`
    case 'dc_api':
    case 'annex_c':
      return `session secrets: ${channel.kind} ${channel.origin}`
  }
}
