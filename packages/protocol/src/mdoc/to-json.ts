import type { Cbor, CborMap } from '../cbor/read.ts'
import { InputError } from '../input-error.ts'
import type { Json, JsonObject } from '../json.ts'

/**
 * An element's value as JSON (RFC 8949 §6.1): bytes in base64url, integers that JSON cannot carry as text, tags such as
 * that of a date left away. Its depth was bounded when it was read.
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
    if (name in object) throw new InputError('an element has the same member twice, as number and as text')
    object[name] = toJson(value)
  }
  return object
}
