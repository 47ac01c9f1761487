import type { Alterations, PresentationFacts } from '../alterations.ts'
import { textMap } from '../cbor/encode.ts'
import type { StatusReference } from '../issuer/status-lists.ts'
import type { Json, JsonObject } from '../keys/sign-jws.ts'

/** Flips one bit in the middle. */
export function flipBit(bytes: Uint8Array): Uint8Array {
  const flipped = Uint8Array.from(bytes)
  const middle = flipped.length >> 1
  flipped[middle] = (flipped[middle] ?? 0) ^ 1
  return flipped
}

/** Flips one bit of the signature of a compact JWS. */
export function flipSignature(jws: string): string {
  const dot = jws.lastIndexOf('.') + 1
  return (
    jws.slice(0, dot) + Buffer.from(flipBit(Buffer.from(jws.slice(dot), 'base64url'))).toString('base64url')
  )
}

/** Replaces the signature of a compact JWS. */
export function withSignature(jws: string, signature: Uint8Array): string {
  return jws.slice(0, jws.lastIndexOf('.') + 1) + Buffer.from(signature).toString('base64url')
}

export function without(object: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([member]) => member !== name))
}

/** A list in a list in a list. */
export function nestedList(levels: number): Json {
  let nested: Json = []
  for (let level = 1; level < levels; level += 1) nested = [nested]
  return nested
}

/** The document's status stands elsewhere, in either format. */
export function withStatus(refer: (facts: PresentationFacts) => StatusReference): Alterations {
  return {
    issuer_payload: (right, facts) => ({ ...right, status: { status_list: refer(facts) } }),
    mso: (right, facts) => new Map([...right, ['status', textMap({ status_list: textMap(refer(facts)) })]]),
  }
}

export function mapValues<T, U>(
  object: Readonly<Record<string, T>>,
  map: (value: T) => U,
): Record<string, U> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value)]))
}
