/** Enough of DER (X.690) to write valid and invalid certificates. */
export function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  return Buffer.concat([Buffer.from([tag, ...lengthOctets(length)]), content])
}

function lengthOctets(length: number): number[] {
  if (length < 0x80) return [length]
  if (length < 0x100) return [0x81, length]
  if (length < 0x10000) return [0x82, length >> 8, length & 0xff]
  return [0x83, length >> 16, (length >> 8) & 0xff, length & 0xff]
}

export const sequence = (...parts: Uint8Array[]): Buffer => der(0x30, ...parts)
export const set = (...parts: Uint8Array[]): Buffer => der(0x31, ...parts)
export const integer = (value: number): Buffer => der(0x02, Buffer.from([value]))
export const truth = der(0x01, Buffer.from([0xff]))
export const utf8 = (text: string): Buffer => der(0x0c, Buffer.from(text))
export const octets = (bytes: Uint8Array): Buffer => der(0x04, bytes)
export const bits = (bytes: Uint8Array): Buffer => der(0x03, Buffer.from([0]), bytes)

export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]))
}

/** GeneralizedTime, which can represent any year. */
export function time(seconds: number): Buffer {
  const digits = new Date(seconds * 1000).toISOString().replaceAll(/[-:T]|\.\d+/g, '')
  return der(0x18, Buffer.from(digits))
}

function base128(arc: number): number[] {
  const septets = [arc & 0x7f]
  for (let rest = Math.floor(arc / 128); rest > 0; rest = Math.floor(rest / 128)) {
    septets.unshift((rest & 0x7f) | 0x80)
  }
  return septets
}
