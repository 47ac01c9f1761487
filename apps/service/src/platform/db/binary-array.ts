/** The types of elements, by their identifiers in the catalogue of every PostgreSQL. */
const elementTypes = {
  boolean: 16,
  bytea: 17,
  bigint: 20,
  integer: 23,
  text: 25,
  date: 1082,
  uuid: 2950,
  jsonb: 3802,
}

export type ElementType = keyof typeof elementTypes

/** An element in the binary format of its type. A string is written as UTF-8. */
export type Element = string | Uint8Array | null

const header_bytes = 20

/**
 * An array parameter in PostgreSQL's binary format, which the driver uses for every Buffer: no element is escaped, and the
 * server parses nothing. Null if no element has a value.
 */
export function binaryArray(type: ElementType, elements: readonly Element[]): Buffer | null {
  let nulls = 0
  let size = header_bytes
  for (const element of elements) {
    size += 4
    if (element === null) nulls += 1
    else size += typeof element === 'string' ? Buffer.byteLength(element) : element.length
  }
  if (nulls === elements.length) return null
  const array = Buffer.allocUnsafe(size)
  let end = writeHeader(array, type, { count: elements.length, has_nulls: nulls > 0 })
  for (const element of elements) {
    const start = end + 4
    if (element === null) {
      end = array.writeInt32BE(-1, end)
    } else if (typeof element === 'string') {
      const length = array.write(element, start)
      array.writeInt32BE(length, end)
      end = start + length
    } else {
      array.set(element, start)
      array.writeInt32BE(element.length, end)
      end = start + element.length
    }
  }
  return array
}

/** The same for 32-bit numbers, which dates are too. */
export function binaryIntegers(type: 'integer' | 'date', elements: readonly number[]): Buffer {
  const array = Buffer.allocUnsafe(header_bytes + elements.length * 8)
  let end = writeHeader(array, type, { count: elements.length, has_nulls: false })
  for (const element of elements) end = array.writeInt32BE(element, array.writeInt32BE(4, end))
  return array
}

/** Dimensions, a flag for nulls, the type, the length, and the index of the first element. */
function writeHeader(
  array: Buffer,
  type: ElementType,
  { count, has_nulls }: { count: number; has_nulls: boolean },
): number {
  let end = 0
  for (const field of [1, has_nulls ? 1 : 0, elementTypes[type], count, 1])
    end = array.writeInt32BE(field, end)
  return end
}

/** A JSON value as an element of `jsonb`: its version and its text. */
export function jsonbElement(value: object | null): string | null {
  return value === null ? null : `\u0001${JSON.stringify(value)}`
}

export function booleanElement(value: boolean): string {
  return value ? '\u0001' : '\u0000'
}

export function uuidElement(uuid: string | null): Buffer | null {
  return uuid === null ? null : Buffer.from(uuid.replaceAll('-', ''), 'hex')
}

const firstDay_ms = Date.UTC(2000, 0, 1)
const day_ms = 86_400_000

/** A day such as `2026-11-16` as the number of days since 2000. */
export function dateElement(day: string): number {
  return (Date.parse(day) - firstDay_ms) / day_ms
}
