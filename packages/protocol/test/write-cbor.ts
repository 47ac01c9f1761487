/** Any CBOR at all (RFC 8949), independent of the verifier's own writer. */
export type CborValue =
  | number
  | string
  | boolean
  | null
  | Uint8Array
  | CborValue[]
  | Map<number | string, CborValue>
  | { tag: number; value: CborValue }
  | { encoded: Uint8Array }

export function encodeCbor(value: CborValue): Buffer {
  if (value === null) return Buffer.from([0xf6])
  if (typeof value === 'boolean') return Buffer.from([value ? 0xf5 : 0xf4])
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value])
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(encodeCbor)])
  if (value instanceof Map) {
    return Buffer.concat([head(5, value.size), ...[...value].flat().map((part) => encodeCbor(part))])
  }
  if ('encoded' in value) return Buffer.from(value.encoded)
  return Buffer.concat([head(6, value.tag), encodeCbor(value.value)])
}

export function cborMap(members: Record<string, CborValue>): Map<number | string, CborValue> {
  return new Map(Object.entries(members))
}

/** Tag 24 around the encoding of a value. */
export function wrapInTag24(value: CborValue): { tag: number; value: Uint8Array } {
  return { tag: 24, value: encodeCbor(value) }
}

export function cborDate(seconds: number): CborValue {
  return { tag: 0, value: new Date(seconds * 1000).toISOString().replace('.000Z', 'Z') }
}

function head(major: number, argument: number): Buffer {
  const type = major << 5
  if (argument < 24) return Buffer.from([type | argument])
  if (argument < 0x100) return Buffer.from([type | 24, argument])
  if (argument < 0x10000) return Buffer.from([type | 25, argument >> 8, argument & 0xff])
  const wide = Buffer.alloc(5, type | 26)
  wide.writeUInt32BE(argument, 1)
  return wide
}
