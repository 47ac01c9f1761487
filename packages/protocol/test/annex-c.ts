import { randomBytes } from 'node:crypto'
import { buildEncryptionInfo } from '../src/annex-c/encryption-info.ts'
import type { AnyQuery } from '../src/dcql/query.ts'
import type { AnnexCBinding } from '../src/presentation.ts'
import { makeEncryptionKey } from '../src/request/make-encryption-key.ts'
import type { AnnexCVerification } from '../src/response/expected-response.ts'
import { cborMap, encodeCbor, type CborValue } from './cbor.ts'
import { withBinding, type CredentialFixture } from './fixture.ts'
import { sealHpke } from './hpke.ts'
import { buildTranscript } from './mdoc.ts'

/** A verification on the channel Annex C, and the fixture whose documents are bound to it. */
export function openAnnexCFixture(
  fixture: CredentialFixture,
  dcql_query: AnyQuery,
  origin = 'https://shop.example',
): { verification: AnnexCVerification; binding: AnnexCBinding; bound: CredentialFixture } {
  const encryption_key = makeEncryptionKey(randomBytes(48))
  const nonce = randomBytes(32).toString('base64url')
  const encryption_info = buildEncryptionInfo({ nonce, encryption_key })
  const binding = { channel: 'annex_c', origin, encryption_info } as const
  return {
    verification: { ...binding, encryption_key, dcql_query },
    binding,
    bound: withBinding(fixture, binding),
  }
}

/** Encrypts a DeviceResponse like a wallet: EncryptedResponse in base64url. */
export function encryptDeviceResponse(
  plaintext: Uint8Array,
  { encryption_key }: Pick<AnnexCVerification, 'encryption_key'>,
  bound: CredentialFixture,
): string {
  const { enc, ciphertext } = sealHpke(plaintext, encryption_key, { info: buildTranscript(bound) })
  return wrapEncrypted(cborMap({ enc, cipherText: ciphertext }))
}

export function wrapEncrypted(data: CborValue): string {
  return encodeCbor(['dcapi', data]).toString('base64url')
}

/** The form that the page posts. */
export function annexCForm(response: string): string {
  return new URLSearchParams({ protocol: 'org-iso-mdoc', response }).toString()
}
