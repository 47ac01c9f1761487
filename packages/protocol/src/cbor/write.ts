/** Only what a verifier has to build: arrays of text, bytes and null, and encoded parts inserted as received. */
export type CborParts = null | string | Uint8Array | { encoded: Uint8Array } | readonly CborParts[]

/** Encodes in the deterministic form of RFC 8949 §4.2.1, which the other party signs. */
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
const tag24 = Uint8Array.of(0xd8, 24)
const byteStringType = 2
const textType = 3
const arrayType = 4

function writePart(pieces: Uint8Array[], parts: CborParts): void {
  if (parts === null) {
    pieces.push(nullByte)
  } else if (typeof parts === 'string') {
    const text = Buffer.from(parts)
    pieces.push(head(textType, text.length), text)
  } else if (parts instanceof Uint8Array) {
    pieces.push(head(byteStringType, parts.length), parts)
  } else if ('encoded' in parts) {
    pieces.push(parts.encoded)
  } else {
    pieces.push(head(arrayType, parts.length))
    for (const part of parts) writePart(pieces, part)
  }
}

function head(major: number, length: number): Uint8Array {
  const type = major << 5
  if (length < 24) return Uint8Array.of(type | length)
  if (length < 0x100) return Uint8Array.of(type | 24, length)
  if (length < 0x10000) return Uint8Array.of(type | 25, length >> 8, length & 0xff)
  return Uint8Array.of(type | 26, length >>> 24, (length >> 16) & 0xff, (length >> 8) & 0xff, length & 0xff)
}
