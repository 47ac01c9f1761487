import { findJoseAlgorithm } from '../crypto/algorithms.ts'
import { decodeBase64url } from '../crypto/base64.ts'
import { readJws, readX5c, type Jws } from '../crypto/read-jws.ts'
import { verifySignature } from '../crypto/verify-signature.ts'
import { hasFailure } from '../findings.ts'
import { catchInputError, InputError, type ReadResult } from '../input-error.ts'
import { maxClockSkew_seconds } from '../lifetime.ts'
import type { Anchor } from '../presentation.ts'
import { registrationProfile } from '../x509/profiles.ts'
import { readCertificate, type Certificate } from '../x509/read-certificate.ts'
import { validatePath } from '../x509/validate-path.ts'
import { readRegistrationClaims, type RegistrationClaims } from './read-registration-claims.ts'
import type { Registration, RegistrationFinding } from './registration.ts'

export type ReadRegistrationOptions = {
  /** Those of the role `registration` may have signed it; others are ignored. */
  anchors: readonly Anchor[]
  /** Seconds since 1970. */
  now: number
}

const maxCharacters = 32 * 1024
/** A leap year: the specification says 12 months. */
const maxLifetime_seconds = 366 * 24 * 3600

/**
 * Reads a registration certificate and verifies its signature with the certificate that it carries. An error means that it is
 * none, or was altered; `findings` says whether its issuer is trusted and whether it is valid now.
 */
export function readRegistration(token: string, options: ReadRegistrationOptions): ReadResult<Registration> {
  return catchInputError(() => {
    const compact = toCompactJwt(token)
    const jws = readJws(compact)
    expectHeader(jws)
    const chain = readX5c(jws.header)
    const signer = verifyLeaf(jws, chain)
    const claims = readRegistrationClaims(jws.payload)
    const issuer = findIssuer(chain, signer, options)
    return {
      token: compact,
      ...claims,
      issuer: issuer.described,
      issuer_trusted: issuer.finding.status === 'pass',
      findings: [issuer.finding, ...checkDates(claims, options.now), checkStatusReference(claims)],
    }
  })
}

/** Registrars hand out the JWT, or base64url of it as a request carries it. */
function toCompactJwt(token: string): string {
  if (token.length > maxCharacters * 2) throw new InputError('the registration certificate is too large')
  const text = token.trim()
  const compact = text.includes('.') ? text : (decodeBase64url(text)?.toString('latin1') ?? '')
  if (compact.length > maxCharacters) throw new InputError('the registration certificate is too large')
  return compact
}

function expectHeader({ header: { typ, crit, b64 } }: Jws): void {
  if (typ !== 'rc-wrp+jwt') throw new InputError('the typ of the registration certificate is not rc-wrp+jwt')
  // sigT, the signing time of JAdES, requires no processing (ETSI TS 119 182-1 §5.2.1). `b64: true` is the default of RFC 7797.
  const isSupported = (name: unknown) => name === 'sigT' || (name === 'b64' && b64 === true)
  if (crit !== undefined && !(Array.isArray(crit) && crit.every(isSupported)))
    throw new InputError('the registration certificate requires an unsupported extension')
  if (b64 === false) throw new InputError('the payload of the registration certificate is not base64url')
}

function verifyLeaf({ header, signed, signature }: Jws, [leaf]: Uint8Array[]): Certificate {
  const algorithm = findJoseAlgorithm(header['alg'])
  if (algorithm === undefined)
    throw new InputError('the algorithm of the registration certificate is not accepted')
  if (leaf === undefined) throw new InputError('the registration certificate has no x5c')
  const read = readCertificate(leaf)
  if ('error' in read) throw new InputError(read.error)
  const { key } = read.value
  if (key === undefined || !verifySignature(algorithm, key, signed, signature))
    throw new InputError('the signature of the registration certificate does not match its x5c')
  return read.value
}

type FoundIssuer = { described: Registration['issuer']; finding: RegistrationFinding }

function findIssuer(
  chain: Uint8Array[],
  { subject, fingerprint }: Certificate,
  { anchors, now }: ReadRegistrationOptions,
): FoundIssuer {
  const { common_name, organization, country } = subject
  const described = {
    ...(common_name !== undefined && { common_name }),
    ...(organization !== undefined && { organization }),
    ...(country !== undefined && { country }),
    fingerprint,
  }
  if (!anchors.some(({ role }) => role === 'registration')) {
    const detail = 'no authority for registration certificates is trusted here, so its issuer was not checked'
    return { described, finding: { check: 'issuer', status: 'warning', detail } }
  }
  const { anchor, anchor_entity, findings } = validatePath({
    chain,
    anchors,
    roles: ['registration'],
    document_types: [],
    profile: registrationProfile,
    now,
  })
  if (anchor === undefined || hasFailure(findings)) {
    const detail = findings.find(({ status }) => status === 'fail')?.detail ?? 'its issuer is not trusted'
    return { described, finding: { check: 'issuer', status: 'fail', detail } }
  }
  const entity = anchor_entity === undefined ? {} : { entity: anchor_entity }
  return {
    described: { ...described, anchor: { fingerprint: anchor.fingerprint, ...entity } },
    finding: { check: 'issuer', status: 'pass' },
  }
}

/** GEN-5.2.4-08 limits the lifetime to 12 months. V1.1.1 has certificates without `exp`. */
function checkDates({ issued_at, expires_at }: RegistrationClaims, now: number): RegistrationFinding[] {
  if (issued_at > now + maxClockSkew_seconds)
    return [{ check: 'validity', status: 'fail', detail: 'it was issued in the future' }]
  if (expires_at === undefined) {
    return [
      { check: 'validity', status: 'pass' },
      { check: 'lifetime', status: 'warning', detail: 'it does not say when it expires' },
    ]
  }
  const isTooLong = expires_at - issued_at > maxLifetime_seconds
  return [
    now >= expires_at
      ? { check: 'validity', status: 'fail', detail: 'it has expired' }
      : { check: 'validity', status: 'pass' },
    isTooLong
      ? { check: 'lifetime', status: 'warning', detail: 'it is valid for more than 12 months' }
      : { check: 'lifetime', status: 'pass' },
  ]
}

/** REV-6.2.6.2-03: mandatory, so wallets warn of a certificate without one. */
function checkStatusReference({ status_list }: RegistrationClaims): RegistrationFinding {
  if (status_list !== undefined) return { check: 'status_reference', status: 'pass' }
  const detail = 'it does not name a status list, and wallets warn of that'
  return { check: 'status_reference', status: 'warning', detail }
}
