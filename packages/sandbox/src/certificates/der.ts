/** The part of DER (X.690) that certificates need. Written by hand because the sandbox also creates invalid certificates. */
export type Der = Uint8Array

export function sequence(...members: Der[]): Der {
  return tlv(0x30, ...members)
}

export function set(...members: Der[]): Der {
  return tlv(0x31, ...members)
}

export function boolean(value: boolean): Der {
  return tlv(0x01, Uint8Array.of(value ? 0xff : 0x00))
}

/** A non-negative integer: a number below 128, or unsigned big-endian bytes. */
export function integer(value: number | Uint8Array): Der {
  const bytes = typeof value === 'number' ? Uint8Array.of(value) : value
  const negative = (bytes[0] ?? 0) >= 0x80
  return tlv(0x02, negative ? Uint8Array.of(0) : new Uint8Array(0), bytes)
}

export function enumerated(value: number): Der {
  return tlv(0x0a, Uint8Array.of(value))
}

export function bitString(bytes: Uint8Array, unusedBits = 0): Der {
  return tlv(0x03, Uint8Array.of(unusedBits), bytes)
}

export function octetString(bytes: Uint8Array): Der {
  return tlv(0x04, bytes)
}

export function oid(dotted: string): Der {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  return tlv(0x06, Uint8Array.from([first * 40 + second, ...rest].flatMap(base128)))
}

export function utf8String(text: string): Der {
  return tlv(0x0c, Buffer.from(text, 'utf8'))
}

export function printableString(text: string): Der {
  return tlv(0x13, Buffer.from(text, 'ascii'))
}

/** UTCTime until 2049, GeneralizedTime from 2050 (RFC 5280 §4.1.2.5). */
export function time(date: Date): Der {
  return date.getUTCFullYear() < 2050
    ? tlv(0x17, Buffer.from(toDigits(date).slice(2)))
    : generalizedTime(date)
}

export function generalizedTime(date: Date): Der {
  return tlv(0x18, Buffer.from(toDigits(date)))
}

function toDigits(date: Date): string {
  return `${date.toISOString().slice(0, 19).replaceAll(/[-:T]/g, '')}Z`
}

/** `[number]` of an explicit tag. */
export function explicit(number: number, content: Der): Der {
  return tlv(0xa0 | number, content)
}

/** `[number] IMPLICIT` of a primitive. */
export function implicit(number: number, content: Uint8Array): Der {
  return tlv(0x80 | number, content)
}

function tlv(tag: number, ...content: Uint8Array[]): Der {
  const length = content.reduce((sum, part) => sum + part.length, 0)
  return Buffer.concat([Uint8Array.of(tag, ...lengthOctets(length)), ...content])
}

function lengthOctets(length: number): number[] {
  if (length < 0x80) return [length]
  const octets: number[] = []
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) octets.unshift(rest % 256)
  return [0x80 | octets.length, ...octets]
}

function base128(value: number): number[] {
  const groups = [value & 0x7f]
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) groups.unshift((rest & 0x7f) | 0x80)
  return groups
}
