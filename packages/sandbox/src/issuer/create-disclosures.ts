import { createHash, randomBytes } from 'node:crypto'
import { base64url, encodeJson, isJsonArray, type Json, type JsonObject } from '../keys/sign-jws.ts'

type DisclosurePath = readonly (string | number)[]

/** A disclosure as the wallet stores it: its encoded text and the path of the claim that it discloses. */
export type Disclosure = { readonly path: DisclosurePath; readonly encoded: string }

/**
 * Makes every member and array element selectively disclosable, at every depth (RFC 9901 §4.2). Disclosing a nested
 * claim requires disclosing its parents too.
 */
export function createDisclosures(claims: JsonObject): { payload: JsonObject; disclosures: Disclosure[] } {
  const disclosures: Disclosure[] = []
  const payload = digestObject(claims, [], disclosures)
  return { payload: { ...payload, _sd_alg: 'sha-256' }, disclosures }
}

/** The digest that the issuer signs: over the encoded text of the disclosure, not over its decoded content. */
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
  // Sorted to hide the order of the claims, with a decoy digest to hide their number (RFC 9901 §4.2.5).
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
  if (isJsonArray(value)) return digestArray(value, path, disclosures)
  return digestObject(value, path, disclosures)
}
