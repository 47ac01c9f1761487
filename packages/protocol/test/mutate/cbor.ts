import { readCbor, type Cbor } from '../../src/cbor/read.ts'
import { encode, type Value } from '../write-cbor.ts'
import { pick, type Edit } from './edit.ts'

/** Where a value stands: it can be taken out, put back changed, or dropped. */
type Place = { value: Value; put: (value: Value) => void; drop: () => void }

/** Changes one item somewhere in encoded CBOR, in what is wrapped in it too, and encodes it anew. */
export function mutateCbor(bytes: Buffer, edit: Edit): Buffer {
  const root: Value[] = [open(readCbor(bytes))]
  const places = root.flatMap((_, index) => listPlaces(root, index))
  change(pick(places, edit.where), edit)
  return Buffer.concat(root.map((value) => encode(close(value))))
}

/** Stands for tag 24 and for the byte strings of COSE while what is in them is open. */
const OPENED = 1_000_024

function open(value: Cbor): Value {
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

function openBytes(bytes: Uint8Array): Value {
  try {
    const inner = readCbor(bytes)
    if (typeof inner === 'object' && inner !== null) return { tag: OPENED, value: open(inner) }
  } catch {
    // Most byte strings are no CBOR: they are left as they are.
  }
  return Buffer.from(bytes)
}

function close(value: Value): Value {
  if (Array.isArray(value)) return value.map(close)
  if (value instanceof Map) return new Map([...value].map(([key, member]) => [key, close(member)]))
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array || 'encoded' in value)
    return value
  return value.tag === OPENED ? encode(close(value.value)) : { tag: value.tag, value: close(value.value) }
}

function listPlaces(holder: Value[] | Map<number | string, Value>, key: number | string): Place[] {
  const value = Array.isArray(holder) ? holder[Number(key)] : holder.get(key)
  if (value === undefined) return []
  const place: Place = {
    value,
    put: (next) => (Array.isArray(holder) ? holder.splice(Number(key), 1, next) : holder.set(key, next)),
    drop: () => (Array.isArray(holder) ? holder.splice(Number(key), 1) : holder.delete(key)),
  }
  return [place, ...listInside(value)]
}

function listInside(value: Value): Place[] {
  if (Array.isArray(value)) return value.flatMap((_, index) => listPlaces(value, index))
  if (value instanceof Map) return [...value.keys()].flatMap((key) => listPlaces(value, key))
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array || 'encoded' in value)
    return []
  const tagged = value
  const inner = {
    value: tagged.value,
    put: (next: Value) => (tagged.value = next),
    drop: () => (tagged.value = null),
  }
  return [inner, ...listInside(tagged.value)]
}

const fillers: readonly Value[] = [
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
  new Map<number, Value>([[1, -7]]),
  { tag: 24, value: Buffer.from([0xa0]) },
  { tag: 0, value: '2099-01-01T00:00:00Z' },
  { encoded: Buffer.from([0x9f, 0xff]) },
  { encoded: Buffer.from([0xbf, 0xff]) },
  { encoded: Buffer.from([0xfb, 0x7f, 0xf8, 0, 0, 0, 0, 0, 0]) },
  { encoded: Buffer.alloc(60, 0x81) },
]

function change(place: Place, { what, value }: Edit): void {
  const current = place.value
  switch (what % 6) {
    case 0:
      return place.put(pick(fillers, value))
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
      return place.put(typeof current === 'string' ? `${current}x` : pick(fillers, value))
    default:
      if (Array.isArray(current)) return place.put([...current, ...current])
      if (current instanceof Map) return place.put(new Map([...current, ['extra', pick(fillers, value)]]))
      return place.put(typeof current === 'string' ? { encoded: lengthened(current) } : pick(fillers, value))
  }
}

/** The same text with a longer length, or as a chunk: other bytes for the same thing. */
function lengthened(text: string): Buffer {
  const body = Buffer.from(text)
  if (body.length > 0xff) return Buffer.concat([Buffer.from([0x7f]), encode(text), Buffer.from([0xff])])
  return Buffer.concat([Buffer.from([0x79, 0, body.length]), body])
}
