import { isNonEmptyArrayOf, isObject, maxDepth } from '../../json.ts'
import type { ClaimsPath, Violation } from '../query.ts'
import { checkId } from './check-id.ts'

/** The rules of `claims` and `claim_sets` (OpenID4VP 1.0 §6.3, §6.4.1, §7). */
export function checkClaims(credential: Record<string, unknown>, place: string): Violation[] {
  const { claims, claim_sets } = credential
  if (claims === undefined) {
    return claim_sets === undefined
      ? []
      : [{ place: `${place}.claim_sets`, rule: 'is only allowed with claims' }]
  }
  if (!Array.isArray(claims) || claims.length === 0) {
    return [{ place: `${place}.claims`, rule: 'must be a non-empty array, or be omitted' }]
  }
  return [
    ...claims.flatMap((claim, index) => checkClaim(claim, `${place}.claims[${index}]`, credential)),
    ...checkUnique(claims, `${place}.claims`),
    ...checkClaimSets(claim_sets, `${place}.claim_sets`, collectIds(claims)),
  ]
}

function checkClaim(
  claim: unknown,
  place: string,
  { format, claim_sets }: Record<string, unknown>,
): Violation[] {
  if (!isObject(claim)) return [{ place, rule: 'must be an object' }]
  const { id, intent_to_retain } = claim
  const isIntentValid =
    format !== 'mso_mdoc' || intent_to_retain === undefined || typeof intent_to_retain === 'boolean'
  return [
    ...(id === undefined && claim_sets === undefined ? [] : checkId(id, `${place}.id`)),
    ...checkPath(claim.path, `${place}.path`, format),
    ...checkValues(claim.values, `${place}.values`),
    ...(isIntentValid ? [] : [{ place: `${place}.intent_to_retain`, rule: 'must be true or false' }]),
  ]
}

function checkPath(path: unknown, place: string, format: unknown): Violation[] {
  if (!isNonEmptyArrayOf(path, isPathComponent)) {
    return [{ place, rule: 'must be a non-empty array of strings, nulls and non-negative integers' }]
  }
  if (path.length > maxDepth) return [{ place, rule: `must not be longer than ${maxDepth}` }]
  if (
    format !== 'mso_mdoc' ||
    (path.length === 2 && path.every((component) => typeof component === 'string'))
  )
    return []
  return [{ place, rule: 'must be two strings for mso_mdoc: namespace and element' }]
}

function checkValues(values: unknown, place: string): Violation[] {
  if (values === undefined || isNonEmptyArrayOf(values, isClaimValue)) return []
  return [{ place, rule: 'must be a non-empty array of strings, integers and booleans' }]
}

function checkUnique(claims: unknown[], place: string): Violation[] {
  const seen = { id: new Set<string>(), path: new Set<string>() }
  return claims.flatMap((claim, index) =>
    (['id', 'path'] as const).flatMap((member) => {
      if (!isObject(claim) || claim[member] === undefined) return []
      const key = JSON.stringify(claim[member])
      if (seen[member].has(key))
        return [{ place: `${place}[${index}].${member}`, rule: 'is used twice in these claims' }]
      seen[member].add(key)
      return []
    }),
  )
}

function checkClaimSets(sets: unknown, place: string, ids: ReadonlySet<unknown>): Violation[] {
  if (sets === undefined) return []
  if (!Array.isArray(sets) || sets.length === 0)
    return [{ place, rule: 'must be a non-empty array, or be omitted' }]
  return sets.flatMap((set: unknown, index) => {
    if (!Array.isArray(set) || set.length === 0) {
      return [{ place: `${place}[${index}]`, rule: 'must be a non-empty array of claim ids' }]
    }
    return set.every((id) => ids.has(id))
      ? []
      : [{ place: `${place}[${index}]`, rule: 'contains an id that no claim has' }]
  })
}

function collectIds(claims: unknown[]): ReadonlySet<unknown> {
  return new Set(
    claims.flatMap((claim) => (isObject(claim) && typeof claim.id === 'string' ? [claim.id] : [])),
  )
}

function isPathComponent(component: unknown): component is ClaimsPath[number] {
  return (
    typeof component === 'string' ||
    component === null ||
    (Number.isSafeInteger(component) && Number(component) >= 0)
  )
}

function isClaimValue(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'boolean' || Number.isSafeInteger(value)
}
