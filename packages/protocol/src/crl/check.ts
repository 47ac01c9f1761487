import { failure } from '../findings.ts'
import { maxClockSkew_seconds } from '../lifetime.ts'
import type { Finding, StatusListToken, VerificationContext } from '../presentation.ts'
import type { Certificate } from '../x509/read-certificate.ts'
import { openOcspResponse } from '../ocsp/open.ts'
import { buildOcspUri, identifyCertificate, type PathLink } from '../ocsp/request.ts'
import { isRevoked, openCrl } from './open.ts'
import { isInScope } from './read-scope.ts'

type RevocationContext = Pick<VerificationContext, 'trust' | 'now'>

/**
 * Checks that no certificate of a validated path, from the signer to the anchor, was revoked (RFC 5280 §6.3). The anchor itself is
 * trusted until it is removed. A certificate that names neither a revocation list nor a responder cannot be revoked. Call it after all
 * other checks passed.
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

/** A responder is asked only if there is no list: a list tells nobody whose certificate is looked up. */
async function checkLink(link: PathLink, context: RevocationContext): Promise<Finding[]> {
  const { crl_uris = [], ocsp_uris } = link.certificate.extensions
  if (crl_uris.length > 0 || ocsp_uris === undefined) return checkCrls(link, context)
  const uris = ocsp_uris.map((uri) => buildOcspUri(uri, link))
  return checkPlaces(link, context, { uris, what: 'OCSP response', examine: examineOcspResponse })
}

async function checkCrls(link: PathLink, context: RevocationContext): Promise<Finding[]> {
  const { crl_uris: uris } = link.certificate.extensions
  if (uris === undefined) return []
  return checkPlaces(link, context, { uris, what: 'revocation list', examine: examineCrl })
}

type RevocationPlaces = {
  uris: readonly string[]
  /** What is published there, in words for a finding. */
  what: string
  examine: (token: StatusListToken, link: PathLink, now: number) => Examination
}

/** The places that a certificate names are alternatives: the first that can be used decides. */
async function checkPlaces(
  link: PathLink,
  context: RevocationContext,
  { uris, what, examine }: RevocationPlaces,
): Promise<Finding[]> {
  const { certificate, issuer } = link
  const { trust, now } = context
  const problems: Problem[] = []
  for (const uri of uris) {
    const token = await trust.lookUpStatus(uri, issuer.x509.raw)
    const examined: Examination =
      token === undefined ? { unavailable: 'cannot be fetched' } : examine(token, link, now)
    if (examined === 'good') return []
    if (examined === 'revoked')
      return [
        failure('issuer_certificate_revocation', `${describe(certificate)} was revoked by its authority`),
      ]
    // The authority may have revoked a responder that it certified, too.
    if ('good_by' in examined) return checkCrls({ certificate: examined.good_by, issuer }, context)
    problems.push(examined)
  }
  return [describeProblems(certificate, problems, { what, status: trust.status_unavailable })]
}

/** What is invalid fails whatever the policy says. What is missing or out of date only means that the status is unknown. */
type Problem = { unavailable: string } | { invalid: string }
/** `good_by`: a responder says so, whose own certificate has to be looked up. */
type Examination = 'good' | 'revoked' | { good_by: Certificate } | Problem

function examineCrl(token: StatusListToken, { certificate, issuer }: PathLink, now: number): Examination {
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

function examineOcspResponse(token: StatusListToken, link: PathLink, now: number): Examination {
  const { issuer } = link
  const opened = openOcspResponse(token, { certificate_id: identifyCertificate(link), issuer })
  if ('error' in opened) return { invalid: opened.error }
  const { status, issued_at, expires_at, delegate } = opened.value
  if (status === 'refused') return { unavailable: 'was refused by the responder' }
  if (issued_at > now + maxClockSkew_seconds) return { invalid: 'the OCSP response was issued in the future' }
  if (status === 'revoked') return 'revoked'
  if (status === 'unknown') return { unavailable: 'says that the responder does not know it' }
  if (now >= expires_at) return { unavailable: 'has expired' }
  return delegate === undefined || delegate.extensions.ocsp_no_check === true ? 'good' : { good_by: delegate }
}

function describeProblems(
  certificate: Certificate,
  problems: Problem[],
  { what, status }: { what: string; status: 'fail' | 'warning' },
): Finding {
  const check = 'issuer_certificate_crl'
  const invalid = problems.find((problem) => 'invalid' in problem)
  if (invalid !== undefined) return failure(check, `${describe(certificate)}: ${invalid.invalid}`)
  const unavailable = problems.find((problem) => 'unavailable' in problem)
  const why = unavailable?.unavailable ?? 'is published in an unsupported way'
  return { check, status, detail: `the ${what} for ${describe(certificate)} ${why}` }
}

function describe({ subject }: Certificate): string {
  return `the certificate of "${subject.common_name ?? ''}"`
}
