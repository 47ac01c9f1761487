import type { Cbor } from '../cbor/encode.ts'
import type { UnsignedCredential } from '../documents/credential.ts'
import { base64url } from '../keys/sign-jws.ts'
import { mapValues, nestedList } from './alteration-helpers.ts'
import { inBoth, inMdoc, inSdJwt, type Fault } from './fault.ts'

/** Presentations that cannot be read, must not be read, or cost too much to read. */
export const encodingFaults: readonly Fault[] = [
  {
    name: 'text_nul',
    description: 'a claim that was asked for holds a NUL character',
    expect: inBoth('credential_text'),
    alterations: { holding: (original) => replaceTexts(original, 'Eri\u0000ka') },
  },
  {
    name: 'text_surrogate',
    description: 'a claim that was asked for holds half of a surrogate pair',
    expect: inSdJwt('credential_text'),
    alterations: { holding: (original) => replaceTexts(original, 'Eri\ud800ka') },
  },
  {
    name: 'text_not_utf8',
    description: 'a claim that was asked for is not UTF-8',
    expect: inMdoc('credential_encoding'),
    alterations: {
      holding: (original) => replaceElements(original, { encoded: Uint8Array.of(0x62, 0xc3, 0x28) }),
    },
  },
  {
    name: 'presentation_garbage',
    description: 'the presentation is no presentation at all',
    expect: inBoth('credential_encoding'),
    alterations: { presentation: () => base64url(Buffer.from('this is nothing')) },
  },
  {
    name: 'presentation_padding',
    description: 'the presentation is base64 with padding instead of base64url',
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
    alterations: { presentation: () => base64url(new Uint8Array(10_000).fill(0x81)) },
  },
  {
    name: 'cbor_length',
    description: 'the presentation announces four billion items and has none',
    expect: inMdoc('credential_encoding'),
    alterations: { presentation: () => base64url(Uint8Array.of(0x9a, 0xff, 0xff, 0xff, 0xff)) },
  },
  {
    name: 'cbor_duplicate_key',
    description: 'a map of the presentation has the same key twice',
    expect: inMdoc('credential_encoding'),
    alterations: {
      device_response: (original) =>
        new Map([...original, [{ encoded: Buffer.from('\x66status', 'latin1') }, 0]]),
    },
  },
  {
    name: 'cbor_trailing_bytes',
    description: 'something follows the presentation',
    expect: inMdoc('credential_encoding'),
    alterations: {
      presentation: (original) =>
        base64url(Buffer.concat([Buffer.from(original, 'base64url'), Buffer.of(0)])),
    },
  },
  {
    name: 'response_status',
    description: 'the device says that something went wrong',
    expect: inMdoc('credential_encoding'),
    alterations: { device_response: (original) => new Map([...original, ['status', 10]]) },
  },
  {
    name: 'documents_two',
    description: 'one presentation holds two documents',
    expect: inMdoc('credential_encoding'),
    alterations: {
      device_response: (original) => {
        const documents = original.get('documents')
        return new Map([...original, ['documents', [documents, documents].flat() as Cbor[]]])
      },
    },
  },
  {
    name: 'disclosures_many',
    description: 'two thousand disclosures are enclosed',
    expect: inSdJwt('credential_encoding'),
    alterations: { disclosures: (original) => Array.from({ length: 2000 }, () => original).flat() },
  },
]

/** Puts one text in place of every other, so that the claim that is asked for is among them. */
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
