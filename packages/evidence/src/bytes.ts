/** Byte helpers without Node's Buffer, so that they also run in a browser. */
export {
  bytesToHex as toHex,
  concatBytes,
  hexToBytes as fromHex,
  utf8ToBytes as toUtf8,
} from '@noble/hashes/utils.js'

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
