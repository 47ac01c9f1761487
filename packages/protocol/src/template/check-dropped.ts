import type { AnyQuery, Violation } from '../dcql/query.ts'
import { isEqual } from '../json.ts'
import { placeOf } from './claim-name.ts'
import type { Derivation, Place } from './template.ts'

export type Dropping = {
  claims?: Record<string, Place[]>
  derive?: Record<string, Derivation>
  query: AnyQuery
}

/** What is derived from is dropped (TPL-6), and so nothing else may show it: no other name, no other path of the query. */
export function checkDropped({ claims = {}, derive = {}, query }: Dropping): Violation[] {
  return Object.entries(derive).flatMap(([name, { from }], index) => {
    const sources = claims[from] ?? []
    const elsewhere = [
      ...Object.keys(claims).flatMap((other) => (other === from ? [] : (claims[other] ?? []))),
      ...placesOf(query).filter((place) => !sources.some((source) => isSame(source, place))),
    ]
    const shown = elsewhere.some((place) => sources.some((source) => overlaps(source, place)))
    if (!shown) return []
    return [
      { place: placeOf('derive', name, index), rule: 'derives from a claim that is shown elsewhere as well' },
    ]
  })
}

function placesOf({ credentials }: AnyQuery): Place[] {
  return credentials.flatMap(({ id, claims }) => {
    // The query keeps the rules when this is asked: claims have paths.
    const asked = Array.isArray(claims) ? (claims as { path: Place['path'] }[]) : []
    return asked.map(({ path }) => ({ credential: String(id), path }))
  })
}

function isSame(a: Place, b: Place): boolean {
  return a.credential === b.credential && isEqual(a.path, b.path)
}

/** True when one path leads to or through the other; all elements of an array include each. */
function overlaps(a: Place, b: Place): boolean {
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
