import type { Cbor } from './encode.ts'

/** More than a request for 20 documents and 200 elements needs. */
const maxDepth = 16
const maxItems = 10_000

/**
 * Decodes one CBOR item strictly: definite and shortest lengths (RFC 8949 §4.2.1), valid UTF-8, map keys that are texts or
 * integers and occur once, no floating point numbers. Undefined if the bytes are anything else, or if others follow.
 */
export function decodeCbor(bytes: Uint8Array): Cbor | undefined {
  const reader: Reader = { bytes: Buffer.from(bytes), offset: 0, items: 0 }
  try {
    const item = readItem(reader, 0)
    return reader.offset === bytes.length ? item : undefined
  } catch (error) {
    if (error instanceof InvalidCbor) return undefined
    throw error
  }
}

type Reader = { readonly bytes: Buffer; offset: number; items: number }

class InvalidCbor extends Error {}

function readItem(reader: Reader, depth: number): Cbor {
  reader.items += 1
  if (depth > maxDepth || reader.items > maxItems) throw new InvalidCbor()
  const first = take(reader, 1)[0] ?? 0
  const majorType = first >> 5
  const info = first & 0x1f
  if (majorType === 7) return readSimple(info)
  const argument = readArgument(reader, info)
  switch (majorType) {
    case 0:
      return argument
    case 1:
      return -1 - argument
    case 2:
      return Uint8Array.from(take(reader, argument))
    case 3:
      return decodeText(take(reader, argument))
    case 4:
      return readArray(reader, argument, depth)
    case 5:
      return readMap(reader, argument, depth)
    default:
      return { tag: argument, value: readItem(reader, depth + 1) }
  }
}

function readSimple(info: number): Cbor {
  if (info === 20 || info === 21) return info === 21
  if (info === 22) return null
  throw new InvalidCbor()
}

function readArgument(reader: Reader, info: number): number {
  if (info < 24) return info
  // 28 to 30 are reserved, and 31 is an indefinite length.
  if (info > 27) throw new InvalidCbor()
  const length = 1 << (info - 24)
  const bytes = take(reader, length)
  const argument = length === 8 ? Number(bytes.readBigUInt64BE()) : bytes.readUIntBE(0, length)
  const smallest = length === 1 ? 24 : 2 ** (4 * length)
  if (argument < smallest || !Number.isSafeInteger(argument)) throw new InvalidCbor()
  return argument
}

function readArray(reader: Reader, length: number, depth: number): Cbor[] {
  const items: Cbor[] = []
  for (let index = 0; index < length; index += 1) items.push(readItem(reader, depth + 1))
  return items
}

function readMap(reader: Reader, size: number, depth: number): Map<Cbor, Cbor> {
  const members = new Map<Cbor, Cbor>()
  for (let index = 0; index < size; index += 1) {
    const key = readItem(reader, depth + 1)
    if ((typeof key !== 'string' && typeof key !== 'number') || members.has(key)) throw new InvalidCbor()
    members.set(key, readItem(reader, depth + 1))
  }
  return members
}

function take(reader: Reader, length: number): Buffer {
  const end = reader.offset + length
  if (end > reader.bytes.length) throw new InvalidCbor()
  const taken = reader.bytes.subarray(reader.offset, end)
  reader.offset = end
  return taken
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    // The decoder throws if the bytes are not UTF-8.
    throw new InvalidCbor()
  }
}
