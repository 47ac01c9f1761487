import { keepClaims } from '../dcql/keep.ts'
import { isEqual, isObject, type Json, type JsonObject } from '../json.ts'
import { addFindings, type Examined } from './examine.ts'

export type Merged = { claims: JsonObject; examined: Examined[] }

/** All claims under their own names: the first credential of the query wins, a later one that differs is told (RESULT-3). */
export function mergeClaims(examined: Examined[]): Merged {
  const claims: JsonObject = Object.create(null)
  const noted = examined.map((one) => {
    const conflicts: string[] = []
    for (const [name, value] of flatClaims(one)) {
      const first = claims[name]
      if (first === undefined) claims[name] = value
      else if (!isEqual(first, value)) conflicts.push(name)
    }
    return noteConflicts(one, conflicts)
  })
  return { claims, examined: noted }
}

/** The namespaces of an mdoc are left out of the merge; they stay in the credential's own claims. */
function flatClaims({ credential, paths }: Examined): [string, Json][] {
  const { claims } = keepClaims(credential.claims, paths, credential.issued_indexes)
  if (credential.format !== 'mso_mdoc') return Object.entries(claims)
  return Object.values(claims).flatMap((namespace) => (isObject(namespace) ? Object.entries(namespace) : []))
}

const MAX_NAMED = 10

export function noteConflicts(examined: Examined, names: string[]): Examined {
  if (names.length === 0) return examined
  const named = names.slice(0, MAX_NAMED).map((name) => JSON.stringify(name))
  const detail = `the credential that comes first has other values for ${named.join(', ')}`
  return addFindings(examined, [{ check: 'conflicting_claims', status: 'warning', detail }])
}
