import { violationUnless, isNonEmptyArray, isObject, formatValue, type Violation } from './violation.ts'
import type { DcqlQuery } from './dcql.ts'

const idPattern = /^[A-Za-z0-9_-]+$/

/** Checks a DCQL query against OpenID4VP 1.0 §6. Unknown members are allowed (§6). */
export function checkQuery(query: unknown): { dcql_query?: DcqlQuery; violations: Violation[] } {
  if (!isObject(query) || !isNonEmptyArray(query['credentials'])) {
    return {
      violations: violationUnless(
        false,
        'dcql.credentials',
        'OpenID4VP 1.0 §6',
        'credentials is missing or empty',
      ),
    }
  }
  const credentials: unknown[] = query['credentials']
  const ids = credentials.map((credential) => (isObject(credential) ? credential['id'] : undefined))
  const violations = [
    ...credentials.flatMap(checkCredential),
    ...violationUnless(
      new Set(ids).size === ids.length,
      'dcql.id',
      'OpenID4VP 1.0 §6.1',
      'a credential id occurs twice',
    ),
    ...checkCredentialSets(query['credential_sets'], ids),
  ]
  // Without violations, the query has the shape of the type.
  return violations.length > 0 ? { violations } : { dcql_query: query as DcqlQuery, violations }
}

function checkCredential(credential: unknown, index: number): Violation[] {
  const location = `credentials[${index}]`
  if (!isObject(credential)) {
    return violationUnless(false, 'dcql.credential', 'OpenID4VP 1.0 §6.1', `${location} is not an object`)
  }
  const { id, format, meta, claims, claim_sets, multiple, trusted_authorities } = credential
  return [
    ...violationUnless(isId(id), 'dcql.id', 'OpenID4VP 1.0 §6.1', `${location}.id is ${formatValue(id)}`),
    ...violationUnless(
      format === 'dc+sd-jwt' || format === 'mso_mdoc',
      'dcql.format',
      'OpenID4VP 1.0 annex B',
      `${location}.format is ${formatValue(format)}`,
    ),
    ...violationUnless(
      isValidMeta(format, meta),
      'dcql.meta',
      'OpenID4VP 1.0 §6.1',
      `${location}.meta is ${formatValue(meta)}`,
    ),
    ...violationUnless(
      multiple === undefined || typeof multiple === 'boolean',
      'dcql.multiple',
      'OpenID4VP 1.0 §6.1',
      `${location}.multiple is ${formatValue(multiple)}`,
    ),
    ...violationUnless(
      trusted_authorities === undefined ||
        (isNonEmptyArray(trusted_authorities) && trusted_authorities.every(isAuthority)),
      'dcql.trusted_authorities',
      'OpenID4VP 1.0 §6.1.1',
      `${location}.trusted_authorities is ${formatValue(trusted_authorities)}`,
    ),
    ...checkClaims(claims, format, location),
    ...checkClaimSets(claim_sets, claims, location),
  ]
}

function checkClaims(claims: unknown, format: unknown, location: string): Violation[] {
  if (claims === undefined) return []
  if (!isNonEmptyArray(claims)) {
    return violationUnless(
      false,
      'dcql.claims',
      'OpenID4VP 1.0 §6.1',
      `${location}.claims is ${formatValue(claims)}`,
    )
  }
  const paths = claims.map((claim) => JSON.stringify(isObject(claim) ? claim['path'] : undefined))
  return [
    ...claims.flatMap((claim, index) => checkClaim(claim, format, `${location}.claims[${index}]`)),
    ...violationUnless(
      new Set(paths).size === paths.length,
      'dcql.claims',
      'OpenID4VP 1.0 §6.1',
      `${location} requests the same claim twice`,
    ),
  ]
}

function checkClaim(claim: unknown, format: unknown, location: string): Violation[] {
  if (!isObject(claim))
    return violationUnless(false, 'dcql.claim', 'OpenID4VP 1.0 §6.3', `${location} is not an object`)
  const { id, path, values } = claim
  return [
    ...violationUnless(
      id === undefined || isId(id),
      'dcql.id',
      'OpenID4VP 1.0 §6.3',
      `${location}.id is ${formatValue(id)}`,
    ),
    ...violationUnless(
      isValidPath(path, format),
      'dcql.path',
      'OpenID4VP 1.0 §7',
      `${location}.path is ${formatValue(path)}`,
    ),
    ...violationUnless(
      values === undefined || (isNonEmptyArray(values) && values.every(isValue)),
      'dcql.values',
      'OpenID4VP 1.0 §6.3',
      `${location}.values is ${formatValue(values)}`,
    ),
  ]
}

function checkClaimSets(claimSets: unknown, claims: unknown, location: string): Violation[] {
  if (claimSets === undefined) return []
  const ids = Array.isArray(claims) ? claims.map((claim) => (isObject(claim) ? claim['id'] : undefined)) : []
  return violationUnless(
    areValidOptions(claimSets, ids),
    'dcql.claim_sets',
    'OpenID4VP 1.0 §6.1',
    `${location}.claim_sets is empty or names unknown claim ids`,
  )
}

function checkCredentialSets(sets: unknown, ids: readonly unknown[]): Violation[] {
  if (sets === undefined) return []
  const isValid =
    isNonEmptyArray(sets) &&
    sets.every(
      (set) =>
        isObject(set) &&
        areValidOptions(set['options'], ids) &&
        (set['required'] === undefined || typeof set['required'] === 'boolean'),
    )
  const message = 'credential_sets is empty or names unknown credential ids'
  return violationUnless(isValid, 'dcql.credential_sets', 'OpenID4VP 1.0 §6.2', message)
}

function areValidOptions(options: unknown, ids: readonly unknown[]): boolean {
  return (
    isNonEmptyArray(options) &&
    options.every((option) => isNonEmptyArray(option) && option.every((id) => isId(id) && ids.includes(id)))
  )
}

function isId(id: unknown): id is string {
  return typeof id === 'string' && idPattern.test(id)
}

/** Annexes B.2.3 and B.3.5. An empty object means any type (§6.1). */
function isValidMeta(format: unknown, meta: unknown): boolean {
  if (!isObject(meta)) return false
  if (Object.keys(meta).length === 0) return true
  if (format === 'mso_mdoc') return typeof meta['doctype_value'] === 'string'
  const values = meta['vct_values']
  return isNonEmptyArray(values) && values.every((value) => typeof value === 'string')
}

function isValidPath(path: unknown, format: unknown): boolean {
  if (!isNonEmptyArray(path)) return false
  if (format === 'mso_mdoc') return path.length === 2 && path.every((step) => typeof step === 'string')
  return path.every((step) => step === null || typeof step === 'string' || isIndex(step))
}

function isIndex(step: unknown): boolean {
  return Number.isSafeInteger(step) && Number(step) >= 0
}

function isValue(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'boolean' || Number.isSafeInteger(value)
}

function isAuthority(authority: unknown): boolean {
  return (
    isObject(authority) &&
    typeof authority['type'] === 'string' &&
    isNonEmptyArray(authority['values']) &&
    authority['values'].every((value) => typeof value === 'string')
  )
}
