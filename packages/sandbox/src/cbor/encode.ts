/** An item under a tag (RFC 8949 §3.4). */
export type TaggedItem = { readonly tag: number; readonly value: Cbor }

/** CBOR that is already encoded. It is copied unchanged, so that signed bytes stay identical. */
type EncodedItem = { readonly encoded: Uint8Array }

export type Cbor =
  | null
  | boolean
  | number
  | string
  | Uint8Array
  | readonly Cbor[]
  | ReadonlyMap<Cbor, Cbor>
  | TaggedItem
  | EncodedItem

/** Encodes CBOR with definite, shortest lengths (RFC 8949 §4.2.1). Map members keep their order. */
export function encodeCbor(item: Cbor): Uint8Array {
  return Buffer.concat(encodeParts(item))
}

/** A map with text keys. */
export function textMap(members: Readonly<Record<string, Cbor | undefined>>): Map<Cbor, Cbor> {
  const present = Object.entries(members).filter((entry): entry is [string, Cbor] => entry[1] !== undefined)
  return new Map<Cbor, Cbor>(present)
}

/** Encoded CBOR as a byte string under tag 24 (RFC 8949 §3.4.5.1), the form that mdoc hashes and signs. */
export function embedCbor(encoded: Uint8Array): TaggedItem {
  return { tag: 24, value: encoded }
}

/** `full-date` of ISO 18013-5: tag 1004 (RFC 8943). */
export function fullDate(date: string): TaggedItem {
  return { tag: 1004, value: date }
}

/** `tdate`: tag 0, without fractions of a second (ISO 18013-5 §9.1.2.4). */
export function dateTime(date: Date): TaggedItem {
  return { tag: 0, value: `${date.toISOString().slice(0, 19)}Z` }
}

function encodeParts(item: Cbor): Uint8Array[] {
  if (item === null) return [Uint8Array.of(0xf6)]
  if (typeof item === 'boolean') return [Uint8Array.of(item ? 0xf5 : 0xf4)]
  if (typeof item === 'number') return [encodeInteger(item)]
  if (typeof item === 'string') return encodeText(item)
  if (item instanceof Uint8Array) return [encodeHead(2, item.length), item]
  if (isArray(item)) return [encodeHead(4, item.length), ...item.flatMap(encodeParts)]
  if (isMap(item)) {
    return [
      encodeHead(5, item.size),
      ...[...item].flatMap(([key, value]) => [...encodeParts(key), ...encodeParts(value)]),
    ]
  }
  if ('encoded' in item) return [item.encoded]
  return [encodeHead(6, item.tag), ...encodeParts(item.value)]
}

function encodeInteger(value: number): Uint8Array {
  if (!Number.isSafeInteger(value)) throw new RangeError(`CBOR: ${value} is not a safe integer`)
  return value >= 0 ? encodeHead(0, value) : encodeHead(1, -1 - value)
}

function encodeText(value: string): Uint8Array[] {
  const bytes = Buffer.from(value, 'utf8')
  return [encodeHead(3, bytes.length), bytes]
}

function encodeHead(majorType: number, argument: number): Uint8Array {
  const type = majorType << 5
  if (argument < 24) return Uint8Array.of(type | argument)
  const length = argument < 0x100 ? 1 : argument < 0x10000 ? 2 : argument < 0x100000000 ? 4 : 8
  const bytes = Buffer.alloc(1 + length)
  bytes[0] = type | (24 + Math.log2(length))
  if (length === 8) bytes.writeBigUInt64BE(BigInt(argument), 1)
  else bytes.writeUIntBE(argument, 1, length)
  return bytes
}

// Array.isArray and instanceof Map do not narrow the readonly forms.
function isArray(item: object): item is readonly Cbor[] {
  return Array.isArray(item)
}

function isMap(item: object): item is ReadonlyMap<Cbor, Cbor> {
  return item instanceof Map
}
