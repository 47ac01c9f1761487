/** Only what a verifier has to build. Encoded parts are inserted as received. */
export type CborParts =
  | null
  | boolean
  | number
  | string
  | Uint8Array
  | { encoded: Uint8Array }
  | readonly CborParts[]
  | ReadonlyMap<number | string, CborParts>

/** Encodes in the deterministic form of RFC 8949 §4.2.1, which the other party signs. Numbers must be integers of 32 bits. */
export function writeCbor(parts: CborParts): Buffer {
  const pieces: Uint8Array[] = []
  writePart(pieces, parts)
  return Buffer.concat(pieces)
}

/** Tag 24, encoded CBOR: the bytes of one item in a byte string. */
export function wrapInTag24(encoded: Uint8Array): Buffer {
  return Buffer.concat([tag24, head(byteStringType, encoded.length), encoded])
}

const nullByte = Uint8Array.of(0xf6)
const falseByte = Uint8Array.of(0xf4)
const trueByte = Uint8Array.of(0xf5)
const tag24 = Uint8Array.of(0xd8, 24)
const unsignedType = 0
const negativeType = 1
const byteStringType = 2
const textType = 3
const arrayType = 4
const mapType = 5

function writePart(pieces: Uint8Array[], parts: CborParts): void {
  if (parts === null) {
    pieces.push(nullByte)
  } else if (typeof parts === 'boolean') {
    pieces.push(parts ? trueByte : falseByte)
  } else if (typeof parts === 'number') {
    pieces.push(parts < 0 ? head(negativeType, -1 - parts) : head(unsignedType, parts))
  } else if (typeof parts === 'string') {
    const text = Buffer.from(parts)
    pieces.push(head(textType, text.length), text)
  } else if (parts instanceof Uint8Array) {
    pieces.push(head(byteStringType, parts.length), parts)
  } else if (parts instanceof Map) {
    writeMap(pieces, parts)
  } else if ('encoded' in parts) {
    pieces.push(parts.encoded)
  } else if (Array.isArray(parts)) {
    pieces.push(head(arrayType, parts.length))
    for (const part of parts) writePart(pieces, part)
  }
}

/** Keys in the order of their encoded bytes. */
function writeMap(pieces: Uint8Array[], map: ReadonlyMap<number | string, CborParts>): void {
  const entries = [...map].map(([key, value]) => ({ key: writeCbor(key), value }))
  pieces.push(head(mapType, entries.length))
  for (const { key, value } of entries.toSorted((a, b) => Buffer.compare(a.key, b.key))) {
    pieces.push(key)
    writePart(pieces, value)
  }
}

function head(major: number, length: number): Uint8Array {
  const type = major << 5
  if (length < 24) return Uint8Array.of(type | length)
  if (length < 0x100) return Uint8Array.of(type | 24, length)
  if (length < 0x10000) return Uint8Array.of(type | 25, length >> 8, length & 0xff)
  return Uint8Array.of(type | 26, length >>> 24, (length >> 16) & 0xff, (length >> 8) & 0xff, length & 0xff)
}
