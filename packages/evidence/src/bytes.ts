/** Byte helpers without Node's Buffer, so that they also run in a browser. */
const encoder = new TextEncoder()
const hexPairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

export function toHex(bytes: Uint8Array): string {
  let hex = ''
  for (const byte of bytes) hex += hexPairs[byte]
  return hex
}

/** The digits must already be validated. */
export function fromHex(hex: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(hex.length / 2)
  for (let index = 0; index < bytes.length; index += 1)
    bytes[index] = (digitAt(hex, 2 * index) << 4) | digitAt(hex, 2 * index + 1)
  return bytes
}

/** '0' to '9' and 'a' to 'f' in ASCII. */
function digitAt(hex: string, index: number): number {
  const code = hex.charCodeAt(index)
  return code < 0x3a ? code - 0x30 : code - 0x57
}

export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]))
}

export function toUtf8(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text)
}

const buffer_bytes = 16_384

/** Like `toUtf8`, but reuses one buffer for texts that fit into it: the bytes are valid until the next call. */
export function reusableUtf8Encoder(): (text: string) => Uint8Array {
  const buffer = new Uint8Array(buffer_bytes)
  return (text) =>
    // A UTF-16 code unit takes at most three bytes.
    text.length * 3 > buffer_bytes
      ? toUtf8(text)
      : buffer.subarray(0, encoder.encodeInto(text, buffer).written)
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index])
}

export function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}

/** Undefined unless the text is the canonical encoding of its bytes. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
    return toBase64(bytes) === text ? bytes : undefined
  } catch {
    // Not base64.
    return undefined
  }
}
