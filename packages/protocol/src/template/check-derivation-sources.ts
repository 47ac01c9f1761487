import type { AnyQuery, Violation } from '../dcql/query.ts'
import { isEqual } from '../json.ts'
import { describePlace } from './claim-name.ts'
import type { ClaimPlace, Derivation, TemplateRules } from './template.ts'

export type DerivationInput = {
  claims?: Record<string, ClaimPlace[]>
  derive?: Record<string, Derivation>
  query: AnyQuery
}

/** The source of a derivation is dropped (TPL-6), so no other name and no other path of the query may include it. */
export function checkDerivationSources({ claims = {}, derive = {}, query }: DerivationInput): Violation[] {
  return Object.entries(derive).flatMap(([name, { from }], index) => {
    const sources = claims[from] ?? []
    const elsewhere = [
      ...Object.keys(claims).flatMap((other) => (other === from ? [] : (claims[other] ?? []))),
      ...listPlaces(query).filter((place) => !sources.some((source) => isSamePlace(source, place))),
    ]
    const isShownElsewhere = elsewhere.some((place) => sources.some((source) => overlaps(source, place)))
    if (!isShownElsewhere) return []
    return [
      {
        place: describePlace('derive', name, index),
        rule: 'derives from a claim that is also returned elsewhere',
      },
    ]
  })
}

/** The places of the claims that others are derived from. Those are neither stored nor returned (TPL-6). */
export function listDerivationSources({ claims = {}, derive = {} }: TemplateRules): ClaimPlace[] {
  return Object.values(derive).flatMap(({ from }) => claims[from] ?? [])
}

export function listPlaces({ credentials }: AnyQuery): ClaimPlace[] {
  return credentials.flatMap(({ id, claims }) => {
    // The query was checked before: claims have paths.
    const requested = Array.isArray(claims) ? (claims as { path: ClaimPlace['path'] }[]) : []
    return requested.map(({ path }) => ({ credential: String(id), path }))
  })
}

export function isSamePlace(a: ClaimPlace, b: ClaimPlace): boolean {
  return a.credential === b.credential && isEqual(a.path, b.path)
}

/** True if one path is a prefix of the other; null matches every index. */
function overlaps(a: ClaimPlace, b: ClaimPlace): boolean {
  if (a.credential !== b.credential) return false
  const shared = Math.min(a.path.length, b.path.length)
  return a.path.slice(0, shared).every((component, index) => {
    const other = b.path[index]
    return (
      component === other ||
      (component === null && typeof other === 'number') ||
      (other === null && typeof component === 'number')
    )
  })
}
