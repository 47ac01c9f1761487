import { createHmac, type KeyObject } from 'node:crypto'
import type { Alterations, PresentationContext } from '../alterations.ts'
import { dateTime, textMap, type Cbor } from '../cbor/encode.ts'
import type { StatusReference } from '../issuer/status-lists.ts'
import { unixSeconds } from '../issuer/validity-period.ts'
import type { Json, JsonObject } from '../keys/sign-jws.ts'

/** Flips one bit in the middle of the bytes. */
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

/** Replaces the signature of a compact JWS by an HMAC with a public key as the secret. */
export function withHmacSignature(jws: string, publicKey: KeyObject): string {
  const secret = publicKey.export({ format: 'pem', type: 'spki' })
  const input = jws.slice(0, jws.lastIndexOf('.'))
  return withSignature(jws, createHmac('sha256', secret).update(input).digest())
}

export function omitMember(object: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([member]) => member !== name))
}

/** An empty list nested `levels` deep. */
export function nestedList(levels: number): Json {
  let nested: Json = []
  for (let level = 1; level < levels; level += 1) nested = [nested]
  return nested
}

/** Replaces the status list reference, in both formats. */
export function withStatusReference(
  reference: (context: PresentationContext) => StatusReference,
): Alterations {
  return {
    issuer_payload: (original, context) => ({ ...original, status: { status_list: reference(context) } }),
    mso: (original, context) =>
      new Map([...original, ['status', textMap({ status_list: textMap(reference(context)) })]]),
  }
}

/** Replaces the validity period, given in seconds from now, in both formats. */
export function withValidityPeriod(period: { from?: number; until?: number }): Alterations {
  const secondsFrom = (now: Date, seconds: number) => new Date(now.getTime() + seconds * 1000)
  return {
    issuer_payload: (original, { now }) => ({
      ...original,
      ...(period.from !== undefined && { nbf: unixSeconds(secondsFrom(now, period.from)) }),
      ...(period.until !== undefined && { exp: unixSeconds(secondsFrom(now, period.until)) }),
    }),
    mso: (original, { now }) =>
      withMember(original, 'validityInfo', {
        ...(period.from !== undefined && { validFrom: dateTime(secondsFrom(now, period.from)) }),
        ...(period.until !== undefined && { validUntil: dateTime(secondsFrom(now, period.until)) }),
      }),
  }
}

/** Replaces or adds members of a nested map. */
export function withMember(
  map: Map<Cbor, Cbor>,
  name: Cbor,
  members: Readonly<Record<string, Cbor>>,
): Map<Cbor, Cbor> {
  const inner = map.get(name)
  const changed = new Map<Cbor, Cbor>([...(inner instanceof Map ? inner : []), ...textMap(members)])
  return new Map<Cbor, Cbor>([...map, [name, changed]])
}

export function mapValues<T, U>(
  object: Readonly<Record<string, T>>,
  map: (value: T) => U,
): Record<string, U> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value)]))
}
