import { failure } from '../findings.ts'
import { maxClockSkew_seconds } from '../lifetime.ts'
import type { Finding, StatusListToken, VerificationContext } from '../presentation.ts'
import type { Certificate } from '../x509/read-certificate.ts'
import { isRevoked, openCrl } from './open.ts'
import { isInScope } from './read-scope.ts'

type RevocationContext = Pick<VerificationContext, 'trust' | 'now'>

/** One certificate of a validated path and the one above it, which issued it. */
type PathLink = { certificate: Certificate; issuer: Certificate }

/**
 * Checks that no certificate of a validated path, from the signer to the anchor, was revoked (RFC 5280 §6.3). The anchor itself is
 * trusted until it is removed. A certificate that names no revocation list cannot be revoked. Call it after all other
 * checks passed.
 */
export async function checkPathRevocation(
  path: readonly Certificate[],
  context: RevocationContext,
): Promise<Finding[]> {
  const links = path.slice(1).flatMap((issuer, below) => {
    const certificate = path[below]
    return certificate === undefined ? [] : [{ certificate, issuer }]
  })
  const findings = await Promise.all(links.map((link) => checkLink(link, context)))
  return findings.flat()
}

/** The places that a certificate names are alternatives: the first list that can be used decides. */
async function checkLink(
  { certificate, issuer }: PathLink,
  { trust, now }: RevocationContext,
): Promise<Finding[]> {
  const uris = certificate.extensions.crl_uris
  if (uris === undefined) return []
  const problems: CrlProblem[] = []
  for (const uri of uris) {
    const token = await trust.lookUpStatus(uri, issuer.x509.raw)
    const examined: CrlExamination =
      token === undefined
        ? { unavailable: 'cannot be fetched' }
        : examineCrl(token, { certificate, issuer }, now)
    if (examined === 'good') return []
    if (examined === 'revoked')
      return [
        failure('issuer_certificate_revocation', `${describe(certificate)} was revoked by its authority`),
      ]
    problems.push(examined)
  }
  return [describeProblems(certificate, problems, trust.status_unavailable)]
}

/** An invalid list fails whatever the policy says. One that is missing or out of date only means that the status is unknown. */
type CrlProblem = { unavailable: string } | { invalid: string }
type CrlExamination = 'good' | 'revoked' | CrlProblem

function examineCrl(token: StatusListToken, { certificate, issuer }: PathLink, now: number): CrlExamination {
  const opened = openCrl(token, issuer)
  if ('error' in opened) return { invalid: opened.error }
  const crl = opened.value
  if (crl.scope !== undefined && !isInScope(crl.scope, certificate))
    return { invalid: 'the revocation list covers other certificates' }
  if (crl.issued_at > now + maxClockSkew_seconds)
    return { invalid: 'the revocation list was issued in the future' }
  const revoked = isRevoked(crl, certificate)
  if ('error' in revoked) return { invalid: revoked.error }
  // A revocation is for good: it counts although the list is out of date.
  if (revoked.value) return 'revoked'
  return now >= crl.next_update ? { unavailable: 'has expired' } : 'good'
}

function describeProblems(
  certificate: Certificate,
  problems: CrlProblem[],
  statusUnavailable: 'fail' | 'warning',
): Finding {
  const check = 'issuer_certificate_crl'
  const invalid = problems.find((problem) => 'invalid' in problem)
  if (invalid !== undefined) return failure(check, `${describe(certificate)}: ${invalid.invalid}`)
  const unavailable = problems.find((problem) => 'unavailable' in problem)
  const why = unavailable?.unavailable ?? 'is published in an unsupported way'
  const detail = `the revocation list for ${describe(certificate)} ${why}`
  return { check, status: statusUnavailable, detail }
}

function describe({ subject }: Certificate): string {
  return `the certificate of "${subject.common_name ?? ''}"`
}
