import { decodeCbor } from '../../cbor/decode.ts'
import type { Cbor } from '../../cbor/encode.ts'

/** Larger than any request for 20 documents and 200 elements, each with a certificate chain. */
const maxText_characters = 262_144

/** Reads CBOR in base64url without padding. Undefined if the text is anything else. */
export function readBase64urlCbor(text: unknown): Cbor | undefined {
  if (typeof text !== 'string' || text.length > maxText_characters) return undefined
  const bytes = Buffer.from(text, 'base64url')
  // Node skips characters that are not base64url, so the text is compared.
  return bytes.toString('base64url') === text ? decodeCbor(bytes) : undefined
}

/** A map that has no other keys than these. */
export function isMapOf(item: Cbor | undefined, keys: readonly Cbor[]): item is ReadonlyMap<Cbor, Cbor> {
  return item instanceof Map && [...item.keys()].every((key: Cbor) => keys.includes(key))
}
