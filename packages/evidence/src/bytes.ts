/** What Node's Buffer would do, in the words that a browser has too. */
const encoder = new TextEncoder()
const hexPairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

export function toHex(bytes: Uint8Array): string {
  let hex = ''
  for (const byte of bytes) hex += hexPairs[byte]
  return hex
}

/** Of digits that were looked at before. */
export function fromHex(hex: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(hex.length / 2)
  for (let place = 0; place < bytes.length; place += 1)
    bytes[place] = (digitAt(hex, 2 * place) << 4) | digitAt(hex, 2 * place + 1)
  return bytes
}

/** '0' to '9' and 'a' to 'f' in ASCII. */
function digitAt(hex: string, place: number): number {
  const code = hex.charCodeAt(place)
  return code < 0x3a ? code - 0x30 : code - 0x57
}

export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]))
}

export function toUtf8(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text)
}

const buffer_bytes = 16_384

/** Like `toUtf8`, for bytes that are used up before the next text comes: one room serves all that fit into it. */
export function reusableUtf8Encoder(): (text: string) => Uint8Array {
  const room = new Uint8Array(buffer_bytes)
  return (text) =>
    // A code unit takes three bytes at most.
    text.length * 3 > buffer_bytes ? toUtf8(text) : room.subarray(0, encoder.encodeInto(text, room).written)
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, place) => byte === b[place])
}

export function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}

/** Undefined unless it is the one way to write these bytes. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
    return toBase64(bytes) === text ? bytes : undefined
  } catch {
    // No base64 at all.
    return undefined
  }
}
