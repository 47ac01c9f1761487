import type { X509Certificate } from 'node:crypto'
import { inflateSync } from 'node:zlib'
import { verifyRaw } from '../../keys/signing-key.ts'
import { checkCertificate } from '../check-certificate.ts'
import type { ClaimsPath, DcqlQuery } from '../dcql.ts'
import { isObject, violationUnless, type Violation } from '../violation.ts'
import { readSubjectIdentifier } from './read-subject-identifier.ts'
import type {
  OverAskedClaim,
  RegistrationFailure,
  RegistrationPolicy,
  RegistrationResult,
} from './registration.ts'

export type RegistrationInput = {
  policy: RegistrationPolicy
  /** The certificate that the request was signed with. */
  access_certificate: X509Certificate | undefined
  dcql_query: DcqlQuery
  now: Date
}

type CheckedRegistration = { registration?: RegistrationResult; violations: Violation[] }

const place = 'ETSI TS 119 475 §5.2'

/**
 * Reads a registration certificate as the EUDI reference wallet does: first whether it is authentic, which decides whether the
 * request is answered at all, then binding, expiry, status and over-asking in this order, which the holder is warned of.
 */
export async function checkRegistration(jwt: string, input: RegistrationInput): Promise<CheckedRegistration> {
  const { claims, violations } = verifyJwt(jwt, 'rc-wrp+jwt', input.policy.anchors, input.now)
  if (claims === undefined || violations.length > 0) return { violations }
  const registration = describe(claims)
  const reason = await findFailure(claims, input)
  return {
    registration:
      reason === undefined
        ? { result: 'verified', registration, over_asked: findOverAsked(claims, input.dcql_query) }
        : { result: 'failed', reason, registration },
    violations,
  }
}

function describe(claims: Record<string, unknown>) {
  const { intermediary } = readParties(claims)
  const [purpose] = Array.isArray(claims['purpose']) ? claims['purpose'] : []
  return {
    name: asText(claims['name']),
    purpose: isObject(purpose) ? asText(purpose['value']) : undefined,
    ...(intermediary !== undefined && { intermediary: intermediary.name }),
  }
}

async function findFailure(
  claims: Record<string, unknown>,
  { policy, access_certificate, now }: RegistrationInput,
): Promise<RegistrationFailure | undefined> {
  const { identifiers, intermediary } = readParties(claims)
  const presenter = access_certificate && readSubjectIdentifier(access_certificate)
  const expected = intermediary === undefined ? identifiers : [intermediary.identifier]
  if (presenter === undefined || !expected.includes(presenter)) return 'not_bound_to_requester'
  const seconds = now.getTime() / 1000
  if (typeof claims['exp'] === 'number' && claims['exp'] < seconds) return 'expired'
  const status = isObject(claims['status']) ? claims['status']['status_list'] : undefined
  if (!isObject(status) || typeof status['uri'] !== 'string') return 'status_missing'
  return checkStatus(status['uri'], Number(status['idx']), { policy, now })
}

/** V1.2.1 has texts, V1.1.1 objects. */
function readParties({ sub, intermediary, act }: Record<string, unknown>) {
  const listed = isObject(sub) && Array.isArray(sub['id']) ? (sub['id'] as unknown[]) : []
  const identifiers =
    typeof sub === 'string' ? [sub] : listed.map((each) => isObject(each) && each['identifier'])
  const named = intermediary ?? act
  if (!isObject(named)) return { identifiers }
  const inner = named['sub']
  return {
    identifiers,
    intermediary: isObject(inner)
      ? { identifier: inner['id'], name: asText(inner['name']) }
      : { identifier: inner, name: asText(named['name']) },
  }
}

/** A status that cannot be determined is a failure of its own. */
async function checkStatus(
  uri: string,
  idx: number,
  { policy, now }: Pick<RegistrationInput, 'policy' | 'now'>,
): Promise<RegistrationFailure | undefined> {
  const token = await policy.fetchStatus(uri)
  const list = token === undefined ? undefined : verifyJwt(token, 'statuslist+jwt', policy.anchors, now)
  const { bits, lst } =
    list?.violations.length === 0 && isObject(list.claims?.['status_list']) ? list.claims['status_list'] : {}
  if (list?.claims?.['sub'] !== uri || typeof lst !== 'string' || typeof bits !== 'number')
    return 'revocation_status_unknown'
  const byte = inflateSync(Buffer.from(lst, 'base64url'))[Math.floor((idx * bits) / 8)]
  if (byte === undefined) return 'revocation_status_unknown'
  return ((byte >> ((idx * bits) % 8)) & (2 ** bits - 1)) === 0 ? undefined : 'revoked'
}

/** The requested claims that no registered credential of the format and type permits. */
function findOverAsked({ credentials }: Record<string, unknown>, query: DcqlQuery): OverAskedClaim[] {
  const registered: unknown[] = Array.isArray(credentials) ? credentials : []
  return query.credentials.flatMap(({ format, meta, claims = [] }) => {
    const types = meta.vct_values ?? [meta.doctype_value ?? '']
    const matching = registered.filter(
      (each) =>
        isObject(each) &&
        each['format'] === format &&
        readTypes(each['meta']).some((type) => types.includes(type)),
    )
    return claims
      .filter(({ path }) => !matching.some((each) => permits(each, path)))
      .map(({ path }) => ({ format, path }))
  })
}

function readTypes(meta: unknown): string[] {
  const types = isObject(meta) ? (meta['vct_values'] ?? meta['doctype_value']) : meta
  return [types].flat().map(String)
}

function permits(credential: unknown, path: ClaimsPath): boolean {
  const claims = isObject(credential) ? (credential['claim'] ?? credential['claims']) : undefined
  if (!Array.isArray(claims) || claims.length === 0) return true
  return claims.some((claim: unknown) => {
    const registered: unknown[] = isObject(claim) ? [claim['path']].flat() : []
    return (
      registered.length <= path.length &&
      registered.every(
        (step, index) => step === path[index] || (step === null && typeof path[index] === 'number'),
      )
    )
  })
}

/** Verifies a JWT by the certificates in its `x5c`, which must end at an anchor. */
function verifyJwt(
  jwt: string,
  typ: string,
  anchors: readonly Uint8Array[],
  now: Date,
): { claims?: Record<string, unknown>; violations: Violation[] } {
  const [header = '', payload = '', signature = ''] = jwt.split('.')
  const head = parseJson(header)
  const claims = parseJson(payload)
  if (head === undefined || claims === undefined)
    return { violations: violationUnless(false, 'registration.form', place, 'it is not a JWT') }
  const { leaf, violations } = checkCertificate({ x5c: head['x5c'], now, anchors })
  const isSigned =
    leaf !== undefined &&
    verifyRaw(leaf.publicKey, {
      algorithm: head['alg'],
      bytes: Buffer.from(`${header}.${payload}`),
      signature: Buffer.from(signature, 'base64url'),
    })
  return {
    claims,
    violations: [
      ...violationUnless(head['typ'] === typ, 'registration.typ', place, `its typ is not ${typ}`),
      ...violations.map((violation) => ({ ...violation, rule: `registration.${violation.rule}` })),
      ...violationUnless(isSigned, 'registration.signature', place, 'its signature does not match its x5c'),
    ],
  }
}

function parseJson(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    return isObject(value) ? value : undefined
  } catch {
    // JSON.parse throws if the text is not JSON.
    return undefined
  }
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
