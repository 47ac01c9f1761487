/** What a verifier has to build, and no more: arrays of text, bytes and null, with parts that are spliced in as received. */
export type CborParts = null | string | Uint8Array | { encoded: Uint8Array } | readonly CborParts[]

/** In the deterministic form of RFC 8949 §4.2.1, which is what the other side signs over. */
export function writeCbor(parts: CborParts): Buffer {
  const pieces: Uint8Array[] = []
  write(pieces, parts)
  return Buffer.concat(pieces)
}

/** Tag 24, encoded CBOR: the bytes of one item, wrapped in a byte string. */
export function wrapCbor(encoded: Uint8Array): Buffer {
  return Buffer.concat([TAG_24, head(BYTES, encoded.length), encoded])
}

const NULL = Uint8Array.of(0xf6)
const TAG_24 = Uint8Array.of(0xd8, 24)
const BYTES = 2
const TEXT = 3
const ARRAY = 4

function write(pieces: Uint8Array[], parts: CborParts): void {
  if (parts === null) {
    pieces.push(NULL)
  } else if (typeof parts === 'string') {
    const text = Buffer.from(parts)
    pieces.push(head(TEXT, text.length), text)
  } else if (parts instanceof Uint8Array) {
    pieces.push(head(BYTES, parts.length), parts)
  } else if ('encoded' in parts) {
    pieces.push(parts.encoded)
  } else {
    pieces.push(head(ARRAY, parts.length))
    for (const part of parts) write(pieces, part)
  }
}

function head(major: number, length: number): Uint8Array {
  const type = major << 5
  if (length < 24) return Uint8Array.of(type | length)
  if (length < 0x100) return Uint8Array.of(type | 24, length)
  if (length < 0x10000) return Uint8Array.of(type | 25, length >> 8, length & 0xff)
  return Uint8Array.of(type | 26, length >>> 24, (length >> 16) & 0xff, (length >> 8) & 0xff, length & 0xff)
}
