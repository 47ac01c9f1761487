import { InputError } from '../input-error.ts'

/** One DER element (X.690): its tag byte, its content, and the whole element as received. */
export type DerElement = { tag: number; content: Buffer; span: Buffer }

export const derTags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  oid: 0x06,
  sequence: 0x30,
  set: 0x31,
  utcTime: 0x17,
  generalizedTime: 0x18,
} as const

/** Reads one element that spans all of the bytes. Like all readers here, throws an InputError. */
export function readDer(bytes: Buffer, tag: number): DerElement {
  const element = readElement(bytes, 0)
  if (element.tag !== tag || element.span.length !== bytes.length)
    throw new InputError('a certificate is not DER')
  return element
}

export function readChildren({ content }: DerElement): DerElement[] {
  const children: DerElement[] = []
  for (let at = 0; at < content.length;) {
    const child = readElement(content, at)
    children.push(child)
    at += child.span.length
  }
  return children
}

/** Dotted form. */
export function readOid({ tag, content }: DerElement): string {
  if (tag !== derTags.oid || content.length === 0 || content.length > 32)
    throw new InputError('an identifier is not DER')
  const arcs: number[] = []
  let arc = 0
  for (const byte of content) {
    arc = arc * 128 + (byte & 0x7f)
    if (byte < 0x80) {
      arcs.push(arc)
      arc = 0
    }
  }
  // X.690 §8.19.4: the first number encodes two arcs.
  const [both = 0, ...rest] = arcs
  const root = Math.min(Math.floor(both / 40), 2)
  return [root, both - root * 40, ...rest].join('.')
}

/** A small non-negative integer, such as a path length. */
export function readSmallInteger({ tag, content }: DerElement): number {
  const [value] = content
  if (tag !== derTags.integer || content.length !== 1 || value === undefined || value > 0x7f) {
    throw new InputError('a number in a certificate is out of bounds')
  }
  return value
}

/** An integer of any length, such as a serial number: hexadecimal, without leading zeros. */
export function readSerial({ tag, content }: DerElement): string {
  if (tag !== derTags.integer || content.length === 0 || content.length > 64)
    throw new InputError('a serial number is out of bounds')
  return content.toString('hex').replace(/^(?:00)+(?=..)/, '')
}

/** Seconds since 1970. RFC 5280 §4.1.2.5: always in UTC, with seconds and without fractions. */
export function readTime({ tag, content }: DerElement): number {
  const digits = content.toString('latin1')
  // Two digits of the year mean 1950 to 2049.
  const century = tag !== derTags.utcTime ? '' : digits < '50' ? '20' : '19'
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(century + digits) ?? []
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) / 1000
  if ((tag !== derTags.utcTime && tag !== derTags.generalizedTime) || Number.isNaN(time))
    throw new InputError('a time is not DER')
  return time
}

function readElement(bytes: Buffer, start: number): DerElement {
  const tag = bytes[start]
  const first = bytes[start + 1]
  // Tag numbers above 30 do not occur in certificates.
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f)
    throw new InputError('a certificate is not DER')

  const lengthBytes = first < 0x80 ? 0 : first & 0x7f
  const contentStart = start + 2 + lengthBytes
  if (first === 0x80 || lengthBytes > 3 || contentStart > bytes.length)
    throw new InputError('a certificate is not DER')

  const length = lengthBytes === 0 ? first : bytes.readUIntBE(start + 2, lengthBytes)
  const end = contentStart + length
  if (end > bytes.length) throw new InputError('a certificate is not DER')
  return { tag, content: bytes.subarray(contentStart, end), span: bytes.subarray(start, end) }
}
