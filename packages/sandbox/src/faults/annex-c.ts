import { createPublicKey } from 'node:crypto'
import { encodeCbor, textMap, type Cbor } from '../cbor/encode.ts'
import type { CredentialQuery, DcqlQuery } from '../wallet/dcql.ts'
import { sessionTranscript } from '../wallet/verification-binding.ts'
import { flipBit } from './alteration-helpers.ts'
import { inMdoc, type Fault } from './fault.ts'
import { generateOtherKey } from './response.ts'

const rejected: Fault['expect'] = { mso_mdoc: { outcome: 'rejected' } }
const channels = ['annex_c'] as const

/** Faults in the documents and the encryption of an annex C response (ISO/IEC TS 18013-7 annex C, RFC 9180). */
export const annexCFaults: readonly Fault[] = [
  {
    name: 'document_unrequested',
    description: 'the response contains a second document, of a type that was not requested',
    channels,
    expect: inMdoc('query_id'),
    alterations: { query: addUnrequestedDocument },
  },
  {
    name: 'document_second',
    description: 'the response contains a second document of the same type, with its own key',
    channels,
    expect: inMdoc('query_id'),
    alterations: { query: repeatDocument },
  },
  {
    name: 'session_other_encryption_info',
    description: 'the document was signed for the encryptionInfo of another session',
    channels,
    expect: inMdoc('device_signature'),
    alterations: { verification: (original) => ({ ...original, encryption_info: 'oA' }) },
  },
  {
    name: 'hpke_info',
    description: 'the response is encrypted for another origin (HPKE info)',
    channels,
    expect: rejected,
    alterations: {
      hpke: (original, { request }) => ({
        ...original,
        info:
          request.channel === 'annex_c'
            ? encodeCbor(
                sessionTranscript({
                  kind: 'annex_c',
                  origin: 'https://elsewhere.example',
                  encryption_info: request.encryption_info,
                }),
              )
            : original.info,
      }),
    },
  },
  {
    name: 'hpke_info_empty',
    description: 'the response is encrypted without HPKE info',
    channels,
    expect: rejected,
    alterations: { hpke: (original) => ({ ...original, info: new Uint8Array(0) }) },
  },
  {
    name: 'hpke_aad',
    description: 'the response is encrypted with additional data',
    channels,
    expect: rejected,
    alterations: { hpke: (original) => ({ ...original, aad: original.info }) },
  },
  {
    name: 'hpke_other_key',
    description: 'the response is encrypted to another key',
    channels,
    expect: rejected,
    alterations: {
      hpke: (original) => {
        const { kty, crv, x, y = '' } = generateOtherKey()
        return { ...original, recipient: createPublicKey({ key: { kty, crv, x, y }, format: 'jwk' }) }
      },
    },
  },
  {
    name: 'hpke_tampered',
    description: 'one bit of the encrypted response is flipped',
    channels,
    expect: rejected,
    alterations: { encrypted_response: (original) => changeBytes(original, 'cipherText', flipBit) },
  },
  {
    name: 'hpke_off_curve',
    description: 'the ephemeral key of the encryption is not a point on the curve',
    channels,
    expect: rejected,
    alterations: {
      encrypted_response: (original) =>
        changeBytes(original, 'enc', (enc) => Uint8Array.from(enc, (byte, index) => (index > 32 ? 1 : byte))),
    },
  },
  {
    name: 'hpke_compressed_point',
    description: 'the ephemeral key of the encryption is a compressed point',
    channels,
    expect: rejected,
    alterations: {
      encrypted_response: (original) =>
        changeBytes(original, 'enc', (enc) =>
          Uint8Array.from([2 + ((enc.at(-1) ?? 0) & 1), ...enc.subarray(1, 33)]),
        ),
    },
  },
  {
    name: 'hpke_point_prefix',
    description: 'the ephemeral key of the encryption is a point in an unknown form',
    channels,
    expect: rejected,
    alterations: {
      encrypted_response: (original) =>
        changeBytes(original, 'enc', (enc) => Uint8Array.from([6, ...enc.subarray(1)])),
    },
  },
  {
    name: 'hpke_point_long',
    description: 'the ephemeral key of the encryption is followed by another byte',
    channels,
    expect: rejected,
    alterations: {
      encrypted_response: (original) => changeBytes(original, 'enc', (enc) => Uint8Array.from([...enc, 0])),
    },
  },
  {
    name: 'hpke_short',
    description: 'the encrypted response is shorter than an authentication tag',
    channels,
    expect: rejected,
    alterations: {
      encrypted_response: (original) =>
        changeBytes(original, 'cipherText', (ciphertext) => ciphertext.subarray(0, 15)),
    },
  },
  {
    name: 'encrypted_response_long',
    description: 'the encrypted response has a third part',
    channels,
    expect: rejected,
    alterations: {
      encrypted_response: (original) => [...toArray(original), null],
    },
  },
  {
    name: 'encrypted_response_label',
    description: 'the encrypted response begins with a label other than dcapi',
    channels,
    expect: rejected,
    alterations: {
      encrypted_response: (original) => ['other', ...toArray(original).slice(1)],
    },
  },
  {
    name: 'device_response_plain',
    description: 'the DeviceResponse is not encrypted',
    channels,
    expect: rejected,
    alterations: { encrypted_response: () => textMap({ version: '1.0', documents: [], status: 0 }) },
  },
  {
    name: 'device_response_status',
    description: 'the status of the DeviceResponse is not a number',
    channels,
    expect: rejected,
    alterations: { device_response: (original) => new Map([...original, ['status', 'OK']]) },
  },
  {
    name: 'documents_many',
    description: 'the response contains the document a hundred times',
    channels,
    expect: rejected,
    alterations: {
      device_response: (original) => {
        const [document = null]: readonly Cbor[] = toArray(original.get('documents'))
        const copies = Array.from({ length: 100 }, () => document)
        return new Map<Cbor, Cbor>([...original, ['documents', copies]])
      },
    },
  },
  {
    name: 'documents_none',
    description: 'the response contains no document',
    channels,
    expect: { mso_mdoc: { outcome: 'failed', code: 'holder_declined' } },
    alterations: { device_response: (original) => new Map([...original, ['documents', []]]) },
  },
]

/** Documents that the sandbox's personas hold, each with one of its elements. */
const otherDocuments: readonly CredentialQuery[] = [
  documentQuery('eu.europa.ec.av.1', ['eu.europa.ec.av.1', 'age_over_18']),
  documentQuery('org.iso.18013.5.1.mDL', ['org.iso.18013.5.1', 'given_name']),
]

/** The wallet also presents a document of a type that was not requested. */
function addUnrequestedDocument(query: DcqlQuery): DcqlQuery {
  const requested = query.credentials.map(({ meta }) => meta.doctype_value)
  const added = otherDocuments.find(({ meta }) => !requested.includes(meta.doctype_value))
  return added === undefined ? query : addDocument(query, added)
}

/** The wallet presents the first requested document twice, each time with a new key. */
function repeatDocument(query: DcqlQuery): DcqlQuery {
  const [first] = query.credentials
  return first === undefined ? query : addDocument(query, { ...first, id: 'second' })
}

/** A wallet without the added document cannot satisfy the query, so that the fault always has an effect. */
function addDocument({ credentials, credential_sets = [] }: DcqlQuery, added: CredentialQuery): DcqlQuery {
  return {
    credentials: [...credentials, added],
    credential_sets: [...credential_sets, { options: [[added.id]] }],
  }
}

function documentQuery(doctype_value: string, path: [string, string]): CredentialQuery {
  return { id: 'unrequested', format: 'mso_mdoc', meta: { doctype_value }, claims: [{ path }] }
}

/** Changes a byte string in `["dcapi", {enc, cipherText}]`. */
function changeBytes(response: Cbor, member: string, change: (bytes: Uint8Array) => Uint8Array): Cbor {
  const [name, members] = toArray(response)
  const bytes = members instanceof Map ? (members as Map<Cbor, Cbor>).get(member) : undefined
  if (!(members instanceof Map) || !(bytes instanceof Uint8Array)) return response
  return [name ?? null, new Map<Cbor, Cbor>([...members, [member, change(bytes)]])]
}

function toArray(item: Cbor | undefined): readonly Cbor[] {
  // Array.isArray narrows to elements of any type.
  return Array.isArray(item) ? (item as Cbor[]) : []
}
