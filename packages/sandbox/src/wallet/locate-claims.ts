import type { Cbor } from '../cbor/encode.ts'
import type { UnsignedCredential } from '../documents/credential.ts'
import { isJsonArray, type Json, type JsonObject } from '../keys/sign-jws.ts'
import type { ClaimsPath, ConcretePath } from './dcql.ts'

export type LocatedClaim = { readonly path: ConcretePath; readonly value: Json | Cbor }

/** The claims that a claims path pointer selects (OpenID4VP 1.0 §7); empty if there are none. */
export function locateClaims(credential: UnsignedCredential, path: ClaimsPath): LocatedClaim[] {
  return credential.format === 'dc+sd-jwt'
    ? locateInJson(credential.claims, path)
    : locateElement(credential, path)
}

/** §7.1. */
function locateInJson(claims: JsonObject, path: ClaimsPath): LocatedClaim[] {
  let located: { path: ConcretePath; value: Json }[] = [{ path: [], value: claims }]
  for (const step of path) {
    located = located.flatMap(({ path: before, value }) =>
      childrenAt(value, step).map(([name, child]) => ({ path: [...before, name], value: child })),
    )
  }
  return located
}

function childrenAt(value: Json, step: string | number | null): [string | number, Json][] {
  if (typeof value !== 'object' || value === null) return []
  if (isJsonArray(value)) {
    if (typeof step === 'string') return []
    return [...value.entries()].filter(([index]) => step === null || index === step)
  }
  if (typeof step !== 'string' || !Object.hasOwn(value, step)) return []
  return [[step, value[step] ?? null]]
}

/** §7.2: a namespace and an element. */
function locateElement(
  credential: Extract<UnsignedCredential, { format: 'mso_mdoc' }>,
  path: ClaimsPath,
): LocatedClaim[] {
  const [namespace, element, ...more] = path
  if (typeof namespace !== 'string' || typeof element !== 'string' || more.length > 0) return []
  const elements = Object.hasOwn(credential.claims, namespace) ? credential.claims[namespace] : undefined
  if (elements === undefined || !Object.hasOwn(elements, element)) return []
  return [{ path: [namespace, element], value: elements[element] ?? null }]
}
