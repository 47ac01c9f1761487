import { decodeUtf8 } from '../decode-utf8.ts'
import { InputError } from '../input-error.ts'

/** Integers beyond 2^53 are bigint. A tagged item keeps its received bytes (`span`), because signatures cover them. */
export type Cbor = CborKey | boolean | null | undefined | Uint8Array | Cbor[] | CborMap | CborTagged
type CborKey = number | bigint | string
export type CborMap = Map<CborKey, Cbor>
export type CborTagged = { tag: number; value: Cbor; span: Uint8Array }

/** A document with a portrait has a few hundred items at a depth of eight. */
const limits = { bytes: 8 * 1024 * 1024, items: 20_000, depth: 16 } as const

export type CborOptions = {
  /** Accepts byte strings as map keys, as text in diagnostic notation: `h'00ff'` (RFC 8949 §8). */
  byte_keys?: boolean
  /** For lists, which have more items than any document. */
  max_items?: number
}

/**
 * Reads one CBOR item that spans all of the bytes (RFC 8949). Accepts overlong and indefinite lengths, which wallets send;
 * refuses duplicate map keys and keys other than integers and text. Throws an InputError.
 */
export function readCbor(bytes: Uint8Array, options: CborOptions = {}): Cbor {
  const cursor = openCursor(bytes, options)
  const value = readItem(cursor, 0)
  expectEnd(cursor)
  return value
}

/** Returns the elements of one array as they were received, because signatures cover them. Throws an InputError. */
export function splitCborArray(bytes: Uint8Array): Uint8Array[] {
  const cursor = openCursor(bytes)
  const info = readContainerHead(cursor, 4)
  const elements: Uint8Array[] = []
  forEachElement(cursor, info, () => elements.push(readSpan(cursor)))
  expectEnd(cursor)
  return elements
}

/** Returns the member of one map as it was received, or undefined. Throws an InputError. */
export function findCborMember(bytes: Uint8Array, name: string): Uint8Array | undefined {
  const cursor = openCursor(bytes)
  const info = readContainerHead(cursor, 5)
  let member: Uint8Array | undefined
  forEachElement(cursor, info, () => {
    const key = readItem(cursor, 1)
    const value = readSpan(cursor)
    if (key === name) member = value
  })
  expectEnd(cursor)
  return member
}

/** A byte string as a map key. */
export function toByteKey(bytes: Uint8Array): string {
  return `h'${Buffer.from(bytes).toString('hex')}'`
}

function openCursor(
  bytes: Uint8Array,
  { byte_keys = false, max_items = limits.items }: CborOptions = {},
): Cursor {
  if (bytes.length > limits.bytes) throw new InputError('CBOR is too large')
  return {
    bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    offset: 0,
    items: 0,
    byte_keys,
    max_items,
  }
}

function expectEnd({ offset, bytes }: Cursor): void {
  if (offset !== bytes.length) throw new InputError('CBOR is followed by extra bytes')
}

/** Reads the head of an item of the given major type and returns its additional information. */
function readContainerHead(cursor: Cursor, major: number): number {
  const initial = cursor.view.getUint8(advance(cursor, 1))
  if (initial >> 5 !== major) throw new InputError('CBOR has an item of the wrong type')
  return initial & 31
}

function readSpan(cursor: Cursor): Uint8Array {
  const start = cursor.offset
  readItem(cursor, 1)
  return cursor.bytes.subarray(start, cursor.offset)
}

type Cursor = {
  readonly bytes: Buffer
  readonly view: DataView
  readonly byte_keys: boolean
  readonly max_items: number
  offset: number
  items: number
}

const indefiniteLength = 31
const breakByte = 0xff

function readItem(cursor: Cursor, depth: number): Cbor {
  if (depth > limits.depth) throw new InputError('CBOR is nested too deeply')
  countItem(cursor)
  const start = cursor.offset
  const initial = cursor.view.getUint8(advance(cursor, 1))
  const info = initial & 31
  switch (initial >> 5) {
    case 0:
      return readInteger(cursor, info)
    case 1:
      return toNegative(readInteger(cursor, info))
    case 2:
      return readBytes(cursor, 2, info)
    case 3:
      return readText(cursor, info)
    case 4:
      return readArray(cursor, info, depth)
    case 5:
      return readMap(cursor, info, depth)
    case 6: {
      const tag = readLength(cursor, info)
      const value = readItem(cursor, depth + 1)
      return { tag, value, span: cursor.bytes.subarray(start, cursor.offset) }
    }
    default:
      return readSimple(cursor, info)
  }
}

function countItem(cursor: Cursor): void {
  cursor.items += 1
  if (cursor.items > cursor.max_items) throw new InputError('CBOR has too many items')
}

/** Skips `count` bytes and returns the offset of the first. */
function advance(cursor: Cursor, count: number): number {
  const start = cursor.offset
  if (count > cursor.bytes.length - start) throw new InputError('CBOR is truncated')
  cursor.offset = start + count
  return start
}

function readInteger(cursor: Cursor, info: number): number | bigint {
  if (info < 24) return info
  switch (info) {
    case 24:
      return cursor.view.getUint8(advance(cursor, 1))
    case 25:
      return cursor.view.getUint16(advance(cursor, 2))
    case 26:
      return cursor.view.getUint32(advance(cursor, 4))
    case 27: {
      const wide = cursor.view.getBigUint64(advance(cursor, 8))
      return wide <= Number.MAX_SAFE_INTEGER ? Number(wide) : wide
    }
    default:
      throw new InputError('CBOR has an invalid length')
  }
}

function toNegative(argument: number | bigint): number | bigint {
  // -1 - 2^53 is not a safe integer.
  if (argument === Number.MAX_SAFE_INTEGER || typeof argument === 'bigint') return -1n - BigInt(argument)
  return -1 - argument
}

function readLength(cursor: Cursor, info: number): number {
  const length = readInteger(cursor, info)
  if (typeof length === 'bigint') throw new InputError('CBOR has an invalid length')
  return length
}

function readText(cursor: Cursor, info: number): string {
  if (info === indefiniteLength) return decodeUtf8(readBytes(cursor, 3, info))
  const length = readLength(cursor, info)
  const start = advance(cursor, length)
  return decodeUtf8(cursor.bytes, start, start + length)
}

/** A string of the given major type. An indefinite one is joined from chunks of the same type, which must not nest. */
function readBytes(cursor: Cursor, major: number, info: number): Buffer {
  if (info !== indefiniteLength) {
    const length = readLength(cursor, info)
    const start = advance(cursor, length)
    return cursor.bytes.subarray(start, start + length)
  }
  const chunks: Buffer[] = []
  while (!consumeBreak(cursor)) {
    countItem(cursor)
    const initial = cursor.view.getUint8(advance(cursor, 1))
    const chunkInfo = initial & 31
    if (initial >> 5 !== major || chunkInfo === indefiniteLength)
      throw new InputError('CBOR has a chunk of the wrong type')
    chunks.push(readBytes(cursor, major, chunkInfo))
  }
  return Buffer.concat(chunks)
}

function readArray(cursor: Cursor, info: number, depth: number): Cbor[] {
  const array: Cbor[] = []
  forEachElement(cursor, info, () => array.push(readItem(cursor, depth + 1)))
  return array
}

function readMap(cursor: Cursor, info: number, depth: number): CborMap {
  const map: CborMap = new Map()
  forEachElement(cursor, info, () => {
    const item = readItem(cursor, depth + 1)
    const key = cursor.byte_keys && item instanceof Uint8Array ? toByteKey(item) : item
    if (!isCborKey(key)) throw new InputError('CBOR has a map key that is neither integer nor text')
    if (map.has(key)) throw new InputError('CBOR has a duplicate map key')
    map.set(key, readItem(cursor, depth + 1))
  })
  return map
}

/** Reads the announced number of elements, or until the break. A false count ends at the last byte or at the item limit. */
function forEachElement(cursor: Cursor, info: number, read: () => void): void {
  if (info === indefiniteLength) {
    while (!consumeBreak(cursor)) read()
    return
  }
  const count = readLength(cursor, info)
  for (let index = 0; index < count; index += 1) read()
}

function consumeBreak(cursor: Cursor): boolean {
  const next = cursor.view.getUint8(advance(cursor, 1))
  if (next === breakByte) return true
  cursor.offset -= 1
  return false
}

function isCborKey(value: Cbor): value is CborKey {
  return typeof value === 'string' || typeof value === 'bigint' || Number.isSafeInteger(value)
}

function readSimple(cursor: Cursor, info: number): Cbor {
  switch (info) {
    case 20:
      return false
    case 21:
      return true
    case 22:
      return null
    case 23:
      return undefined
    case 25:
      return cursor.view.getFloat16(advance(cursor, 2))
    case 26:
      return cursor.view.getFloat32(advance(cursor, 4))
    case 27:
      return cursor.view.getFloat64(advance(cursor, 8))
    default:
      throw new InputError('CBOR has an unsupported simple value')
  }
}
