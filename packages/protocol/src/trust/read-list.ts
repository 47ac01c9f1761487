import { compactVerify } from 'jose'
import { readJws, readX5c } from '../crypto/read-jws.ts'
import { catchInputError, InputError, type ReadResult } from '../input-error.ts'
import { isObject } from '../json.ts'
import type { Anchor } from '../presentation.ts'
import { trustListProfile } from '../x509/profiles.ts'
import type { Certificate } from '../x509/read-certificate.ts'
import { validatePath } from '../x509/validate-path.ts'
import { readEntities, type ListedAnchor, type RequestedService } from './read-entities.ts'

export type TrustListRequest = {
  /** The pinned certificates that may sign the list, or authorities above them. */
  signers: readonly Anchor[]
  /** The LoTEType expected at this URL. */
  type: string
  services: readonly RequestedService[]
  /** The number of the last accepted copy; an older list is refused. */
  last_sequence_number?: number
  /** Seconds since 1970. */
  now: number
}

export type TrustList = {
  anchors: ListedAnchor[]
  sequence_number: number
  /** Seconds since 1970. The list expires at `next_update`. */
  issued_at: number
  next_update: number
}

const maxCharacters = 16 * 1024 * 1024
const maxClockSkew_seconds = 300

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
  { signers, now }: TrustListRequest,
): { signer: Certificate; list: Record<string, unknown> } {
  if (token.length > maxCharacters) throw new InputError('the trust list is too large')
  const { header, payload } = readJws(token.trim())
  const chain = readX5c(header)
  const path = validatePath({ chain, anchors: signers, document_types: [], profile: trustListProfile, now })
  if (path.signer === undefined || path.anchor === undefined) {
    const [finding] = path.findings
    throw new InputError(`the signer of the trust list is not trusted: ${finding?.detail ?? ''}`)
  }
  return { signer: path.signer, list: expectObject(payload['LoTE'], 'LoTE') }
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

  const sequence_number = scheme['LoTESequenceNumber']
  if (typeof sequence_number !== 'number' || !Number.isSafeInteger(sequence_number)) {
    throw new InputError('the trust list has no sequence number')
  }
  if (sequence_number < (request.last_sequence_number ?? 0)) {
    throw new InputError('the trust list is older than the previous one')
  }
  const issued_at = readTime(scheme['ListIssueDateTime'], 'ListIssueDateTime')
  const next_update = readTime(scheme['NextUpdate'], 'NextUpdate')
  if (issued_at > request.now + maxClockSkew_seconds)
    throw new InputError('the trust list was issued in the future')
  if (next_update <= request.now) throw new InputError('the trust list has expired')

  const anchors = readEntities(list['TrustedEntitiesList'], request.services)
  return { anchors, sequence_number, issued_at, next_update }
}

function expectObject(value: unknown, name: string): Record<string, unknown> {
  if (isObject(value)) return value
  throw new InputError(`the trust list has no ${name}`)
}

function readTime(value: unknown, name: string): number {
  const time = typeof value === 'string' ? Date.parse(value) / 1000 : NaN
  if (Number.isNaN(time)) throw new InputError(`${name} of the trust list is not a date and time`)
  return time
}
