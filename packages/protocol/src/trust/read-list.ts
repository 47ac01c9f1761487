import { compactVerify } from 'jose'
import { readJws, readX5c } from '../crypto/read-jws.ts'
import { catchInputError, InputError, type ReadResult } from '../input-error.ts'
import { isObject } from '../json.ts'
import type { Certificate } from '../x509/read-certificate.ts'
import { checkListAge, readListTime, type ListAge, type ListAgeRequest } from './check-list-age.ts'
import { findListSigner, type ListSigners } from './find-list-signer.ts'
import { readEntities, type ListedAnchor, type RequestedService } from './read-entities.ts'
import {
  checkTerritory,
  readJsonPointers,
  selectPointers,
  type ListLinks,
  type ListPointer,
} from './read-pointers.ts'

export type TrustListRequest = ListSigners &
  ListAgeRequest &
  ListLinks & {
    /** The LoTEType expected at this URL. */
    type: string
    services: readonly RequestedService[]
  }

/** `pointers` are the lists to follow; absent if none are requested. */
export type TrustList = ListAge & { anchors: ListedAnchor[]; pointers?: ListPointer[] }

const maxCharacters = 16 * 1024 * 1024

/** Seals of EU institutions may still use RSA. */
const algorithms = [
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
  'PS256',
  'PS384',
  'PS512',
  'RS256',
  'RS384',
  'RS512',
]

/** Reads a list of trusted entities (ETSI TS 119 602), a compact JAdES. It must be signed by a pinned signer, current, and not older than the last copy. */
export async function readTrustList(
  token: string,
  request: TrustListRequest,
): Promise<ReadResult<TrustList>> {
  const read = catchInputError(() => readSignedList(token, request))
  if ('error' in read) return read
  const { signer, list } = read.value
  if (!(await isSignedBy(token, signer)))
    return { error: 'the signature of the trust list does not match its signer' }
  return catchInputError(() => checkList(list, request))
}

/** Parses the list and finds its pinned signer. Nothing in the list may be used before the signature is verified. */
function readSignedList(
  token: string,
  request: TrustListRequest,
): { signer: Certificate; list: Record<string, unknown> } {
  if (token.length > maxCharacters) throw new InputError('the trust list is too large')
  const { header, payload } = readJws(token.trim())
  return { signer: findListSigner(readX5c(header), request), list: expectObject(payload['LoTE'], 'LoTE') }
}

async function isSignedBy(token: string, { x509 }: Certificate): Promise<boolean> {
  try {
    // sigT, the signing time, is the only JAdES extension that requires no processing (ETSI TS 119 182-1 §5.2.1).
    await compactVerify(token.trim(), x509.publicKey, { algorithms, crit: { sigT: true } })
    return true
  } catch {
    // jose throws for an invalid signature, an algorithm that does not match the key and an unknown crit.
    return false
  }
}

function checkList(list: Record<string, unknown>, request: TrustListRequest): TrustList {
  const scheme = expectObject(list['ListAndSchemeInformation'], 'ListAndSchemeInformation')
  if (scheme['LoTEVersionIdentifier'] !== 1) throw new InputError('the version of the trust list is not 1')
  if (scheme['LoTEType'] !== request.type) throw new InputError('the trust list has another type')
  checkTerritory(scheme['SchemeTerritory'], request)

  const sequence_number = scheme['LoTESequenceNumber']
  const age = {
    sequence_number: typeof sequence_number === 'number' ? sequence_number : NaN,
    issued_at: readListTime(scheme['ListIssueDateTime'], 'ListIssueDateTime'),
    next_update: readListTime(scheme['NextUpdate'], 'NextUpdate'),
  }
  checkListAge(age, request)
  const anchors = readEntities(list['TrustedEntitiesList'], request.services)
  return { anchors, ...age, ...selectPointers(readJsonPointers(scheme), 'json', request) }
}

function expectObject(value: unknown, name: string): Record<string, unknown> {
  if (isObject(value)) return value
  throw new InputError(`the trust list has no ${name}`)
}
