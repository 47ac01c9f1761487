import { expectArray, expectBytes, expectMap, isTagged } from '../cbor/expect.ts'
import { readCbor, type Cbor, type CborMap } from '../cbor/read.ts'
import { buildSigStructure, readSign1, readX5chain } from '../cose/sign1.ts'
import { verifySignature } from '../crypto/verify-signature.ts'
import { catchInputError, InputError, type ReadResult } from '../input-error.ts'
import { vicalProfile } from '../x509/profiles.ts'
import { readCertificate } from '../x509/read-certificate.ts'
import { checkListAge, readListTime, type ListAgeRequest } from './check-list-age.ts'
import { findListSigner, type ListSigners } from './find-list-signer.ts'
import { maxAnchors, type ListedAnchor } from './read-entities.ts'
import type { TrustList } from './read-list.ts'

export type VicalRequest = ListSigners &
  ListAgeRequest & {
    /** Takes only these of the document types that the list names; absent: all of them. */
    document_types?: readonly string[]
    /** How long the list is valid after its date if it does not say itself. */
    max_age_seconds: number
  }

const limits = { bytes: 8 * 1024 * 1024, document_types: 100 } as const
const maxNameCharacters = 200

/**
 * Reads a VICAL, a list of issuing authorities for mobile documents (ISO/IEC 18013-5 §C.1): a COSE_Sign1 by a pinned signer,
 * current, and not older than the last copy. The text of the standard could not be had: members are as the VICALs of Multipaz
 * and of the OpenID Foundation's test suite have them.
 */
export function readVical(bytes: Uint8Array, request: VicalRequest): ReadResult<TrustList> {
  return catchInputError(() => {
    if (bytes.length > limits.bytes) throw new InputError('the trust list is too large')
    const list = expectMap(readCbor(readSignedPayload(bytes, request)), 'the VICAL')
    if (readTextMember(list, 'version')?.startsWith('1.') !== true)
      throw new InputError('the version of the trust list is not 1')
    const issued_at = readTdate(list.get('date'), 'date')
    const age = {
      // The number is optional. A provider that has numbered its lists once must keep numbering them.
      sequence_number: readIssueNumber(list.get('vicalIssueID')),
      issued_at,
      next_update: list.has('nextUpdate')
        ? readTdate(list.get('nextUpdate'), 'nextUpdate')
        : issued_at + request.max_age_seconds,
    }
    checkListAge(age, request)
    const infos = expectArray(list.get('certificateInfos'), 'certificateInfos')
    if (infos.length > maxAnchors) throw new InputError('the trust list contains too many certificates')
    return { anchors: infos.flatMap((info) => readInfo(info, request.document_types)), ...age }
  })
}

/** Verifies the signature before anything in the payload is read. */
function readSignedPayload(bytes: Uint8Array, request: ListSigners): Uint8Array {
  const sign1 = readSign1(readCbor(bytes), 'the VICAL')
  const payload = expectBytes(sign1.payload, 'the payload of the VICAL')
  const signer = findListSigner(readX5chain(sign1), request, vicalProfile)
  const { algorithm, signature } = sign1
  if (algorithm === undefined || signer.key === undefined)
    throw new InputError('the signature algorithm of the trust list is not accepted')
  if (!verifySignature(algorithm, signer.key, buildSigStructure(sign1, payload), signature))
    throw new InputError('the signature of the trust list does not match its signer')
  return payload
}

/** Skips an entry that cannot be read, so that it does not affect the others. */
function readInfo(info: Cbor, wanted: readonly string[] | undefined): ListedAnchor[] {
  if (!(info instanceof Map)) return []
  const certificate = info.get('certificate')
  const document_types = readDocumentTypes(info.get('docType')).filter(
    (type) => wanted === undefined || wanted.includes(type),
  )
  if (!(certificate instanceof Uint8Array) || document_types.length === 0) return []
  if ('error' in readCertificate(certificate)) return []
  const entity = readTextMember(info, 'issuingAuthority')?.slice(0, maxNameCharacters)
  // Every certificate in a VICAL is that of an issuing authority. Those of one authority are one entity.
  return [{ certificate, service_type: 'vical', role: 'issuing', document_types, ...(entity && { entity }) }]
}

function readDocumentTypes(types: Cbor): string[] {
  if (!Array.isArray(types) || types.length > limits.document_types) return []
  return types.filter((type) => typeof type === 'string')
}

function readTextMember(map: CborMap, name: string): string | undefined {
  const value = map.get(name)
  return typeof value === 'string' ? value : undefined
}

function readIssueNumber(value: Cbor): number {
  if (value === undefined) return 0
  if (typeof value === 'number' && value >= 0) return value
  throw new InputError('vicalIssueID of the trust list is not a number')
}

/** Tag 0: a date and time as text (RFC 8949 §3.4.1). */
function readTdate(value: Cbor, name: string): number {
  return readListTime(isTagged(value) && value.tag === 0 ? value.value : undefined, name)
}
