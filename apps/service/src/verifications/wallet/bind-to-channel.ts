import {
  ageAppClientId,
  buildEncryptionInfo,
  makeEncryptionKey,
  type AnyQuery,
  type ResponseBinding,
  type ExpectedResponse,
} from '@vidimus/protocol'
import { deriveBytes } from '../../engine/keyring/index.ts'
import { deriveSecrets, type Channel } from './derive-secrets.ts'
import { clientId, responseUri } from './uris.ts'

/** What binds a response to its verification. `certificate` is the hash that the wallet sees. */
export type VerificationBinding = { id: string; seed: Uint8Array; certificate: Uint8Array }

export type BindingContext = { base_url: string; derivation_key: Uint8Array; dcql_query: AnyQuery }

/** What opens a response on a channel, and what its presentations must be bound to. */
export function bindToChannel(
  { id, seed, certificate }: VerificationBinding,
  channel: Channel,
  { base_url, derivation_key, dcql_query }: BindingContext,
): { verification: ExpectedResponse; binding: ResponseBinding } {
  if (channel.kind === 'proximity') {
    const { transcript, reader_key } = channel
    return {
      verification: { channel: 'proximity', dcql_query },
      binding: { channel: 'proximity', transcript, reader_key },
    }
  }
  const derive = (use: string, from: Uint8Array, bytes: number) =>
    deriveBytes(derivation_key, { use, seed: from, bytes })
  const { nonce, state, encryption_material } = deriveSecrets({ derive }, seed, channel)
  switch (channel.kind) {
    case 'redirect':
    case 'screen': {
      const encryption_key = makeEncryptionKey(encryption_material)
      const encryption_key_thumbprint = encryption_key.thumbprint
      const client_id = clientId(certificate)
      const response_uri = responseUri(base_url, id, channel.kind === 'screen' ? 'screen' : undefined)
      return {
        verification: { channel: 'redirect', state, encryption_key },
        binding: { channel: 'redirect', client_id, response_uri, nonce, encryption_key_thumbprint },
      }
    }
    case 'age_app':
    case 'age_app_screen': {
      const response_uri = responseUri(base_url, id, channel.kind)
      const client_id = ageAppClientId(response_uri)
      return {
        verification: { channel: 'age_app', state },
        binding: { channel: 'redirect', client_id, response_uri, nonce },
      }
    }
    case 'dc_api': {
      const { origin } = channel
      const encryption_key = makeEncryptionKey(encryption_material)
      const encryption_key_thumbprint = encryption_key.thumbprint
      return {
        verification: { channel: 'dc_api', encryption_key },
        binding: { channel: 'dc_api', origin, nonce, encryption_key_thumbprint },
      }
    }
    case 'annex_c': {
      const { origin } = channel
      const encryption_key = makeEncryptionKey(encryption_material)
      const encryption_info = buildEncryptionInfo({ nonce, encryption_key })
      return {
        verification: { channel: 'annex_c', origin, encryption_info, encryption_key, dcql_query },
        binding: { channel: 'annex_c', origin, encryption_info },
      }
    }
  }
}
