/** What Node's Buffer would do, in the words that a browser has too. */
export { bytesToHex as toHex, concatBytes, hexToBytes as fromHex } from '@noble/hashes/utils.js'

const encoder = new TextEncoder()

export function toUtf8(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text)
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
