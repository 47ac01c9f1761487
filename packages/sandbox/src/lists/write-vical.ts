import { X509Certificate } from 'node:crypto'
import { dateTime, encodeCbor, textMap, type Cbor } from '../cbor/encode.ts'
import { coseHeaders } from '../issuer/signer.ts'
import { signCose, toCoseArray } from '../keys/sign-cose.ts'
import { generateSigningKey } from '../keys/signing-key.ts'
import type { ListOperator } from './list-operator.ts'

type VicalEntry = {
  certificate: Uint8Array
  document_types: readonly string[]
  issuing_authority?: string
}

export type VicalContent = {
  date: Date
  next_update?: Date | undefined
  issue_id?: number
  entries: readonly VicalEntry[]
}

/** What can be wrong with a VICAL whose content is right. */
export type VicalFault =
  /** Signed with another key than that of its certificate. */
  | 'other_key'
  /** An entry was exchanged after signing. */
  | 'altered_entry'
  /** Carries no certificate of its signer. */
  | 'no_certificate'
  | 'detached_payload'
  | 'other_version'
  /** Some entries are not what they should be. They do not affect the others. */
  | 'unreadable_entries'

/** Writes a VICAL (ISO/IEC 18013-5 §C.1.7.1): COSE_Sign1 without a tag, its payload a map. */
export function writeVical({ signer }: ListOperator, content: VicalContent, fault?: VicalFault): Uint8Array {
  const { protected_header, unprotected_header } = coseHeaders(signer)
  const payload = encodePayload(content, fault)
  const key = fault === 'other_key' ? generateSigningKey(signer.key.algorithm) : signer.key
  const message = signCose(
    {
      protected_header,
      unprotected_header: fault === 'no_certificate' ? new Map<Cbor, Cbor>() : unprotected_header,
      payload,
    },
    key,
  )
  return encodeCbor(toCoseArray({ ...message, payload: alterPayload(payload, content, fault) }))
}

function alterPayload(
  payload: Uint8Array,
  content: VicalContent,
  fault: VicalFault | undefined,
): Uint8Array | null {
  if (fault === 'detached_payload') return null
  if (fault !== 'altered_entry') return payload
  const [first, ...rest] = content.entries
  if (first === undefined) throw new TypeError('There is no entry to alter.')
  return encodePayload({ ...content, entries: [{ ...first, document_types: ['altered'] }, ...rest] })
}

function encodePayload(
  { date, next_update, issue_id, entries }: VicalContent,
  fault?: VicalFault,
): Uint8Array {
  return encodeCbor(
    textMap({
      version: fault === 'other_version' ? '2.0' : '1.0',
      vicalProvider: 'Vidimus Sandbox',
      date: dateTime(date),
      vicalIssueID: issue_id,
      nextUpdate: next_update === undefined ? undefined : dateTime(next_update),
      certificateInfos: [
        ...(fault === 'unreadable_entries' ? unreadableEntries : []),
        ...entries.map(encodeEntry),
      ],
    }),
  )
}

const unreadableEntries: Cbor[] = [
  7,
  textMap({ docType: ['a'] }),
  textMap({ certificate: Buffer.from('nonsense'), docType: ['a'] }),
  textMap({ certificate: 'text', docType: 'a' }),
]

function encodeEntry({ certificate, document_types, issuing_authority }: VicalEntry): Cbor {
  const { serialNumber, validFromDate, validToDate } = new X509Certificate(certificate)
  return textMap({
    certificate,
    // A positive bignum (RFC 8949 §3.4.3).
    serialNumber: {
      tag: 2,
      value: Buffer.from(serialNumber.padStart(serialNumber.length + (serialNumber.length % 2), '0'), 'hex'),
    },
    ski: Buffer.alloc(20, 7),
    docType: document_types,
    certificateProfile: ['1.0.18013.5.1.2'],
    issuingAuthority: issuing_authority,
    issuingCountry: 'UT',
    notBefore: dateTime(validFromDate),
    notAfter: dateTime(validToDate),
  })
}
