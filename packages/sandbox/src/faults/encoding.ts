import type { Cbor } from '../cbor/encode.ts'
import type { UnsignedCredential } from '../documents/credential.ts'
import { base64url } from '../keys/sign-jws.ts'
import { mapValues, nestedList } from './alteration-helpers.ts'
import { inBoth, inMdoc, inSdJwt, type Fault } from './fault.ts'

/** Presentations that are malformed or too expensive to parse. */
export const encodingFaults: readonly Fault[] = [
  {
    name: 'text_nul',
    description: 'a requested claim contains a NUL character',
    expect: inBoth('credential_text'),
    // The age app's document has no text.
    channels: ['redirect', 'dc_api', 'annex_c'],
    alterations: { credential: (original) => replaceTexts(original, 'Eri\u0000ka') },
  },
  {
    name: 'text_surrogate',
    description: 'a requested claim contains a lone surrogate',
    expect: inSdJwt('credential_text'),
    alterations: { credential: (original) => replaceTexts(original, 'Eri\ud800ka') },
  },
  {
    name: 'text_not_utf8',
    description: 'a requested claim is not valid UTF-8',
    expect: inMdoc('credential_encoding'),
    // The age app's document has no text.
    channels: ['redirect', 'dc_api', 'annex_c'],
    alterations: {
      credential: (original) => replaceElements(original, { encoded: Uint8Array.of(0x62, 0xc3, 0x28) }),
    },
  },
  {
    name: 'presentation_garbage',
    description: 'the presentation is arbitrary bytes',
    expect: inBoth('credential_encoding'),
    expect_on: { annex_c: { outcome: 'rejected' } },
    alterations: { presentation: () => base64url(Buffer.from('this is nothing')) },
  },
  {
    name: 'presentation_padding',
    description: 'the presentation is base64 with padding instead of base64url',
    channels: ['redirect', 'dc_api', 'age_app'],
    expect: inMdoc('credential_encoding'),
    alterations: { presentation: (original) => `${Buffer.from(original, 'base64url').toString('base64')}=` },
  },
  {
    name: 'json_deep',
    description: 'a claim is nested a thousand levels deep',
    expect: inSdJwt('disclosures'),
    alterations: {
      issuer_payload: (original) => ({ ...original, deep: nestedList(1000) }),
    },
  },
  {
    name: 'cbor_deep',
    description: 'the presentation is nested ten thousand levels deep',
    expect: inMdoc('credential_encoding'),
    expect_on: { annex_c: { outcome: 'rejected' } },
    alterations: { presentation: () => base64url(new Uint8Array(10_000).fill(0x81)) },
  },
  {
    name: 'cbor_length',
    description: 'the presentation declares four billion items but contains none',
    expect: inMdoc('credential_encoding'),
    expect_on: { annex_c: { outcome: 'rejected' } },
    alterations: { presentation: () => base64url(Uint8Array.of(0x9a, 0xff, 0xff, 0xff, 0xff)) },
  },
  {
    name: 'cbor_duplicate_key',
    description: 'a map in the presentation has a duplicate key',
    expect: inMdoc('credential_encoding'),
    expect_on: { annex_c: { outcome: 'rejected' } },
    alterations: {
      device_response: (original) =>
        new Map([...original, [{ encoded: Buffer.from('\x66status', 'latin1') }, 0]]),
    },
  },
  {
    name: 'cbor_trailing_bytes',
    description: 'the presentation is followed by extra bytes',
    expect: inMdoc('credential_encoding'),
    expect_on: { annex_c: { outcome: 'rejected' } },
    alterations: {
      presentation: (original) =>
        base64url(Buffer.concat([Buffer.from(original, 'base64url'), Buffer.of(0)])),
    },
  },
  {
    name: 'response_status',
    description: 'the status of the device response is an error',
    expect: inMdoc('credential_encoding'),
    expect_on: { annex_c: { outcome: 'failed', code: 'wallet_error' } },
    alterations: { device_response: (original) => new Map([...original, ['status', 10]]) },
  },
  {
    name: 'documents_two',
    description: 'one presentation contains two documents',
    expect: inMdoc('credential_encoding'),
    expect_on: { annex_c: { outcome: 'failed', check: 'query_id' } },
    alterations: {
      device_response: (original) => {
        const documents = original.get('documents')
        return new Map([...original, ['documents', [documents, documents].flat() as Cbor[]]])
      },
    },
  },
  {
    name: 'disclosures_many',
    description: 'each disclosure occurs two thousand times',
    expect: inSdJwt('credential_encoding'),
    alterations: { disclosures: (original) => Array.from({ length: 2000 }, () => original).flat() },
  },
]

/** Replaces every text claim, so that the requested one is among them. */
function replaceTexts(credential: UnsignedCredential, text: string): UnsignedCredential {
  if (credential.format === 'mso_mdoc') return replaceElements(credential, text)
  return {
    ...credential,
    claims: mapValues(credential.claims, (value) => (typeof value === 'string' ? text : value)),
  }
}

function replaceElements(credential: UnsignedCredential, text: Cbor): UnsignedCredential {
  if (credential.format === 'dc+sd-jwt') return credential
  const claims = mapValues(credential.claims, (elements) =>
    mapValues(elements, (value) => (typeof value === 'string' ? text : value)),
  )
  return { ...credential, claims }
}
