import { createHash, randomBytes } from 'node:crypto'
import { base64url, encodeJson, type Json, type JsonObject } from '../keys/sign-jws.ts'

type ConcealedPath = readonly (string | number)[]

/** A disclosure as the wallet keeps it: its text, and the place that it opens. */
export type Disclosure = { readonly path: ConcealedPath; readonly encoded: string }

/**
 * Conceals every member and every array element, at every depth (RFC 9901 §4.2): whoever opens an inner one has to
 * open what surrounds it too.
 */
export function conceal(claims: JsonObject): { payload: JsonObject; disclosures: Disclosure[] } {
  const disclosures: Disclosure[] = []
  const payload = concealObject(claims, [], disclosures)
  return { payload: { ...payload, _sd_alg: 'sha-256' }, disclosures }
}

/** The digest under which the issuer signs a disclosure: over its text, not over what the text decodes to. */
export function digestOf(encoded: string): string {
  return createHash('sha256').update(encoded).digest('base64url')
}

export function encodeDisclosure(...content: Json[]): string {
  return encodeJson([base64url(randomBytes(16)), ...content])
}

function concealObject(object: JsonObject, path: ConcealedPath, disclosures: Disclosure[]): JsonObject {
  const digests = Object.entries(object).map(([name, value]) => {
    const inner = [...path, name]
    const encoded = encodeDisclosure(name, concealValue(value ?? null, inner, disclosures))
    disclosures.push({ path: inner, encoded })
    return digestOf(encoded)
  })
  // Sorted, so that their order tells nothing; and one that opens nothing, so that their number does not (RFC 9901 §4.2.5).
  return { _sd: [...digests, digestOf(encodeDisclosure())].toSorted() }
}

function concealArray(array: readonly Json[], path: ConcealedPath, disclosures: Disclosure[]): Json[] {
  return array.map((value, index) => {
    const inner = [...path, index]
    const encoded = encodeDisclosure(concealValue(value, inner, disclosures))
    disclosures.push({ path: inner, encoded })
    return { '...': digestOf(encoded) }
  })
}

function concealValue(value: Json, path: ConcealedPath, disclosures: Disclosure[]): Json {
  if (typeof value !== 'object' || value === null) return value
  if (isArray(value)) return concealArray(value, path, disclosures)
  return concealObject(value, path, disclosures)
}

// Array.isArray does not narrow the readonly form.
function isArray(value: object): value is readonly Json[] {
  return Array.isArray(value)
}
