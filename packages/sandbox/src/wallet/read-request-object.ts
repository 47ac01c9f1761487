import type { X509Certificate } from 'node:crypto'
import { compactVerify, decodeProtectedHeader } from 'jose'
import { checkCertificate, type CertificateInput } from './check-certificate.ts'
import { checkMetadata } from './check-metadata.ts'
import { checkQuery } from './check-query.ts'
import { checkRegistration, type RegistrationInput } from './registration/check-registration.ts'
import { findCertificate } from './registration/find-certificate.ts'
import type { RegistrationPolicy, RegistrationResult } from './registration/registration.ts'
import { violationUnless, isObject, formatValue, type Violation } from './violation.ts'

export type RequestClaims = Record<string, unknown>

type RequestObjectInput = Pick<CertificateInput, 'now' | 'anchors'> & {
  /** Default: the client_id in the request. */
  client_id?: string
  /** If several sign: what each has in its header instead of the request, which must not repeat it. */
  own?: RequestClaims | undefined
  /** Whether the certificate must also be valid for the host of `response_uri`. */
  has_response_uri: boolean
  /** If given, the request needs a registration certificate. */
  registration?: RegistrationPolicy | undefined
}

/** A parsed request object. Without violations it has a query and an encryption key. */
export type ReadRequestObject = {
  claims?: RequestClaims
  dcql_query?: ReturnType<typeof checkQuery>['dcql_query']
  encryption?: ReturnType<typeof checkMetadata>['encryption']
  registration?: RegistrationResult | undefined
  leaf?: X509Certificate | undefined
  violations: Violation[]
}

/** Reads a signed request object and checks everything that does not depend on the channel: header, certificates, signature, query and metadata. */
export async function readRequestObject(jwt: string, input: RequestObjectInput): Promise<ReadRequestObject> {
  const parsed = parseJwt(jwt)
  if (parsed === undefined) {
    const message = 'the request object is not a signed JWT'
    return { violations: violationUnless(false, 'request.form', 'RFC 9101 §4', message) }
  }
  const { header } = parsed
  const claims = { ...parsed.claims, ...input.own }
  const certificate = checkCertificate({
    x5c: header['x5c'],
    client_id: input.client_id ?? String(claims['client_id']),
    ...(input.has_response_uri && { response_uri: claims['response_uri'] }),
    now: input.now,
    anchors: input.anchors,
  })
  const query = checkQuery(claims['dcql_query'])
  const formats = new Set(query.dcql_query?.credentials.map(({ format }) => format))
  const metadata = checkMetadata(claims['client_metadata'], [...formats])
  const { registration, violations: registrationViolations } = await readRegistration(
    claims['verifier_info'],
    {
      policy: input.registration,
      access_certificate: certificate.leaf,
      dcql_query: query.dcql_query,
      now: input.now,
    },
  )
  const signed = certificate.leaf !== undefined && (await isSigned(jwt, certificate.leaf.publicKey))
  return {
    claims,
    dcql_query: query.dcql_query,
    encryption: metadata.encryption,
    registration,
    leaf: certificate.leaf,
    violations: [
      ...checkHeader(header),
      ...violationUnless(
        Object.keys(input.own ?? {}).every((name) => !(name in parsed.claims)),
        'request.form',
        'OpenID4VP 1.0 annex A.3.2.2',
        'client_id and verifier_info are in the headers if several sign',
      ),
      ...certificate.violations,
      ...violationUnless(
        signed,
        'request.signature',
        'RFC 9101 §6.2',
        'the signature does not match the leaf certificate',
      ),
      ...query.violations,
      ...metadata.violations,
      ...registrationViolations,
    ],
  }
}

type RegistrationSource = Omit<RegistrationInput, 'policy' | 'dcql_query'> & {
  policy: RegistrationPolicy | undefined
  dcql_query: RegistrationInput['dcql_query'] | undefined
}

async function readRegistration(
  verifierInfo: unknown,
  { policy, dcql_query = { credentials: [] }, ...source }: RegistrationSource,
): ReturnType<typeof checkRegistration> {
  if (policy === undefined) return { violations: [] }
  const { jwt, violations } = findCertificate(verifierInfo)
  if (jwt === undefined || violations.length > 0) return { violations }
  return checkRegistration(jwt, { ...source, policy, dcql_query })
}

function parseJwt(jwt: string): { header: Record<string, unknown>; claims: RequestClaims } | undefined {
  try {
    const header = decodeProtectedHeader(jwt)
    const claims: unknown = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString('utf8'))
    return isObject(claims) ? { header: { ...header }, claims } : undefined
  } catch {
    // Both throw if the text is not a JWT.
    return undefined
  }
}

async function isSigned(jwt: string, key: Parameters<typeof compactVerify>[1]): Promise<boolean> {
  try {
    await compactVerify(jwt, key, { algorithms: ['ES256'] })
    return true
  } catch {
    // jose throws if the signature is wrong or the algorithm does not match the key.
    return false
  }
}

function checkHeader({ typ, alg, jwk, jku, x5u, crit }: Record<string, unknown>): Violation[] {
  return [
    ...violationUnless(
      typ === 'oauth-authz-req+jwt',
      'request.typ',
      'OpenID4VP 1.0 §5',
      `typ is ${formatValue(typ)}, not "oauth-authz-req+jwt"`,
    ),
    ...violationUnless(
      alg === 'ES256',
      'request.alg',
      'HAIP 1.0 §7',
      `alg is ${formatValue(alg)}, not "ES256"`,
    ),
    ...violationUnless(
      [jwk, jku, x5u, crit].every((member) => member === undefined),
      'request.header',
      'RFC 9101 §10.1',
      'the header must not have jwk, jku, x5u or crit; x5c names the key',
    ),
  ]
}
