import { InputError } from '../input-error.ts'
import type { Cbor, CborMap, CborTagged } from './read.ts'

/** Each function returns the value with the expected type, or throws an InputError that names it. */
export function expectMap(value: Cbor, name: string): CborMap {
  if (value instanceof Map) return value
  throw new InputError(`${name} is not a map`)
}

export function expectArray(value: Cbor, name: string): Cbor[] {
  if (Array.isArray(value)) return value
  throw new InputError(`${name} is not an array`)
}

export function expectBytes(value: Cbor, name: string): Uint8Array {
  if (value instanceof Uint8Array) return value
  throw new InputError(`${name} is not a byte string`)
}

export function expectText(value: Cbor, name: string): string {
  if (typeof value === 'string') return value
  throw new InputError(`${name} is not text`)
}

/** Tag 24 around a byte string: its content, and the received bytes that digests and signatures cover. */
export function expectEncodedCbor(value: Cbor, name: string): { content: Uint8Array; span: Uint8Array } {
  if (isTagged(value) && value.tag === 24 && value.value instanceof Uint8Array) {
    return { content: value.value, span: value.span }
  }
  throw new InputError(`${name} is not encoded CBOR (tag 24)`)
}

export function isTagged(value: Cbor): value is CborTagged {
  return typeof value === 'object' && value !== null && 'tag' in value
}
