import type { Cbor, CborMap } from '../cbor/read.ts'
import { InputError } from '../input-error.ts'
import type { Json, JsonObject } from '../json.ts'

/**
 * Converts an element's value to JSON (RFC 8949 §6.1): bytes to base64url, integers beyond 2^53 to text, tagged values to
 * their content. The depth was bounded when the value was read.
 */
export function toJson(value: Cbor): Json {
  if (value === undefined || value === null) return null
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value === 'bigint') return value.toString()
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64url')
  if (Array.isArray(value)) return value.map(toJson)
  return value instanceof Map ? mapToJson(value) : toJson(value.value)
}

function mapToJson(map: CborMap): JsonObject {
  const object: JsonObject = Object.create(null)
  for (const [key, value] of map) {
    const name = String(key)
    if (name in object) throw new InputError('an element has the same map key as a number and as text')
    object[name] = toJson(value)
  }
  return object
}
