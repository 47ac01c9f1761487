import { readCbor, type Cbor } from '../../src/cbor/read.ts'
import { encodeCbor } from '../cbor.ts'
import { pick, type Edit } from './edit.ts'

/** CBOR that can be edited in place. */
type MutableCbor =
  | number
  | string
  | boolean
  | null
  | Uint8Array
  | MutableCbor[]
  | Map<number | string, MutableCbor>
  | { tag: number; value: MutableCbor }
  | { encoded: Uint8Array }

/** A place in a CBOR structure, whose value can be read, replaced or removed. */
type ItemPlace = { value: MutableCbor; put: (value: MutableCbor) => void; drop: () => void }

/** Changes one item anywhere in encoded CBOR, including CBOR in byte strings, and encodes it again. */
export function mutateCbor(bytes: Buffer, edit: Edit): Buffer {
  const root: MutableCbor[] = [open(readCbor(bytes))]
  const places = root.flatMap((_, index) => listPlaces(root, index))
  change(pick(places, edit.where), edit)
  return Buffer.concat(root.map((value) => encodeCbor(close(value))))
}

/** Marks byte strings whose CBOR content was decoded, such as tag 24 and those of COSE. */
const openedMarker = 1_000_024

function open(value: Cbor): MutableCbor {
  if (value instanceof Uint8Array) return openBytes(value)
  if (Array.isArray(value)) return value.map(open)
  if (value instanceof Map)
    return new Map(
      [...value].map(([key, member]) => [Number.isInteger(key) ? Number(key) : String(key), open(member)]),
    )
  if (typeof value === 'bigint' || value === undefined) return null
  if (typeof value === 'object' && value !== null) return { tag: value.tag, value: open(value.value) }
  return value
}

function openBytes(bytes: Uint8Array): MutableCbor {
  try {
    const inner = readCbor(bytes)
    if (typeof inner === 'object' && inner !== null) return { tag: openedMarker, value: open(inner) }
  } catch {
    // Most byte strings are not CBOR. Leave them unchanged.
  }
  return Buffer.from(bytes)
}

function close(value: MutableCbor): MutableCbor {
  if (Array.isArray(value)) return value.map(close)
  if (value instanceof Map) return new Map([...value].map(([key, member]) => [key, close(member)]))
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array || 'encoded' in value)
    return value
  return value.tag === openedMarker
    ? encodeCbor(close(value.value))
    : { tag: value.tag, value: close(value.value) }
}

function listPlaces(
  container: MutableCbor[] | Map<number | string, MutableCbor>,
  key: number | string,
): ItemPlace[] {
  const value = Array.isArray(container) ? container[Number(key)] : container.get(key)
  if (value === undefined) return []
  const place: ItemPlace = {
    value,
    put: (next) =>
      Array.isArray(container) ? container.splice(Number(key), 1, next) : container.set(key, next),
    drop: () => (Array.isArray(container) ? container.splice(Number(key), 1) : container.delete(key)),
  }
  return [place, ...listInside(value)]
}

function listInside(value: MutableCbor): ItemPlace[] {
  if (Array.isArray(value)) return value.flatMap((_, index) => listPlaces(value, index))
  if (value instanceof Map) return [...value.keys()].flatMap((key) => listPlaces(value, key))
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array || 'encoded' in value)
    return []
  const tagged = value
  const inner = {
    value: tagged.value,
    put: (next: MutableCbor) => (tagged.value = next),
    drop: () => (tagged.value = null),
  }
  return [inner, ...listInside(tagged.value)]
}

const replacements: readonly MutableCbor[] = [
  null,
  true,
  0,
  -7,
  2 ** 31,
  '',
  'x',
  Buffer.alloc(0),
  Buffer.alloc(64),
  [],
  new Map(),
  new Map<number, MutableCbor>([[1, -7]]),
  { tag: 24, value: Buffer.from([0xa0]) },
  { tag: 0, value: '2099-01-01T00:00:00Z' },
  { encoded: Buffer.from([0x9f, 0xff]) },
  { encoded: Buffer.from([0xbf, 0xff]) },
  { encoded: Buffer.from([0xfb, 0x7f, 0xf8, 0, 0, 0, 0, 0, 0]) },
  { encoded: Buffer.alloc(60, 0x81) },
]

function change(place: ItemPlace, { what, value }: Edit): void {
  const current = place.value
  switch (what % 6) {
    case 0:
      return place.put(pick(replacements, value))
    case 1:
      return place.drop()
    case 2:
      return place.put([current, current])
    case 3:
      return place.put({ tag: value % 30, value: current })
    case 4:
      if (current instanceof Uint8Array && current.length > 0) {
        const copy = Buffer.from(current)
        copy[value % copy.length] = (copy[value % copy.length] ?? 0) ^ 1
        return place.put(copy)
      }
      if (typeof current === 'number') return place.put(current + 1)
      return place.put(typeof current === 'string' ? `${current}x` : pick(replacements, value))
    default:
      if (Array.isArray(current)) return place.put([...current, ...current])
      if (current instanceof Map)
        return place.put(new Map([...current, ['extra', pick(replacements, value)]]))
      return place.put(
        typeof current === 'string' ? { encoded: withLongerLength(current) } : pick(replacements, value),
      )
  }
}

/** The same text with an overlong length, or in chunks: another encoding of the same value. */
function withLongerLength(text: string): Buffer {
  const body = Buffer.from(text)
  if (body.length > 0xff) return Buffer.concat([Buffer.from([0x7f]), encodeCbor(text), Buffer.from([0xff])])
  return Buffer.concat([Buffer.from([0x79, 0, body.length]), body])
}
