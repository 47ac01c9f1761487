import { isObject } from '../../json.ts'
import type { Violation } from '../query.ts'
import { checkCredentialSet } from './check-credential-set.ts'
import { checkCredential, isCredentialQuery } from './check-credential.ts'
import { cite } from './cite.ts'
import { findCredentialWarnings } from './find-warnings.ts'

const maxViolations = 20

/**
 * Returns what prevents a query from being satisfied: violations of DCQL 1.0 for mso_mdoc and dc+sd-jwt (OpenID4VP 1.0 §6),
 * and requests that this verifier never accepts. At most twenty, in the order of the query.
 */
export function checkQuery(query: unknown): Violation[] {
  if (!isObject(query)) return cite('6', [{ place: 'query', rule: 'must be an object' }])
  const { credentials, credential_sets } = query
  if (!Array.isArray(credentials) || credentials.length === 0) {
    return cite('6', [{ place: 'query.credentials', rule: 'must be a non-empty array' }])
  }
  const violations = [
    ...checkCredentials(credentials),
    ...cite('6.2', checkCredentialSets(credential_sets, collectIds(credentials))),
  ]
  return violations.slice(0, maxViolations)
}

function checkCredentials(credentials: unknown[]): Violation[] {
  const ids = new Set<unknown>()
  return credentials.flatMap((credential, index) => {
    const place = `query.credentials[${index}]`
    const violations = isCredentialQuery(credential)
      ? findCredentialWarnings(credential, place)
      : checkCredential(credential, place)
    if (!isObject(credential) || credential.id === undefined) return violations

    if (ids.has(credential.id))
      violations.push(...cite('6.1', [{ place: `${place}.id`, rule: 'is used twice in the query' }]))
    ids.add(credential.id)
    return violations
  })
}

function checkCredentialSets(sets: unknown, ids: ReadonlySet<unknown>): Violation[] {
  if (sets === undefined) return []
  if (!Array.isArray(sets) || sets.length === 0) {
    return [{ place: 'query.credential_sets', rule: 'must be a non-empty array, or be omitted' }]
  }
  return sets.flatMap((set, index) =>
    checkCredentialSet(set, { place: `query.credential_sets[${index}]`, ids }),
  )
}

function collectIds(credentials: unknown[]): ReadonlySet<unknown> {
  return new Set(credentials.map((credential) => (isObject(credential) ? credential.id : undefined)))
}
