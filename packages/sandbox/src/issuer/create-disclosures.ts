import { createHash, randomBytes } from 'node:crypto'
import { base64url, encodeJson, type Json, type JsonObject } from '../keys/sign-jws.ts'

type DisclosurePath = readonly (string | number)[]

/** A disclosure as the wallet keeps it: its text, and the place that it opens. */
export type Disclosure = { readonly path: DisclosurePath; readonly encoded: string }

/**
 * Conceals every member and every array element, at every depth (RFC 9901 §4.2): whoever opens an inner one has to
 * open what surrounds it too.
 */
export function createDisclosures(claims: JsonObject): { payload: JsonObject; disclosures: Disclosure[] } {
  const disclosures: Disclosure[] = []
  const payload = digestObject(claims, [], disclosures)
  return { payload: { ...payload, _sd_alg: 'sha-256' }, disclosures }
}

/** The digest under which the issuer signs a disclosure: over its text, not over what the text decodes to. */
export function digestDisclosure(encoded: string): string {
  return createHash('sha256').update(encoded).digest('base64url')
}

export function encodeDisclosure(...content: Json[]): string {
  return encodeJson([base64url(randomBytes(16)), ...content])
}

function digestObject(object: JsonObject, path: DisclosurePath, disclosures: Disclosure[]): JsonObject {
  const digests = Object.entries(object).map(([name, value]) => {
    const inner = [...path, name]
    const encoded = encodeDisclosure(name, digestValue(value ?? null, inner, disclosures))
    disclosures.push({ path: inner, encoded })
    return digestDisclosure(encoded)
  })
  // Sorted, so that their order tells nothing; and one that opens nothing, so that their number does not (RFC 9901 §4.2.5).
  return { _sd: [...digests, digestDisclosure(encodeDisclosure())].toSorted() }
}

function digestArray(array: readonly Json[], path: DisclosurePath, disclosures: Disclosure[]): Json[] {
  return array.map((value, index) => {
    const inner = [...path, index]
    const encoded = encodeDisclosure(digestValue(value, inner, disclosures))
    disclosures.push({ path: inner, encoded })
    return { '...': digestDisclosure(encoded) }
  })
}

function digestValue(value: Json, path: DisclosurePath, disclosures: Disclosure[]): Json {
  if (typeof value !== 'object' || value === null) return value
  if (isArray(value)) return digestArray(value, path, disclosures)
  return digestObject(value, path, disclosures)
}

// Array.isArray does not narrow the readonly form.
function isArray(value: object): value is readonly Json[] {
  return Array.isArray(value)
}
