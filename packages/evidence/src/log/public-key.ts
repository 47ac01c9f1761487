import { fromBase64, fromHex, sameBytes, toBase64 } from '../bytes.ts'

/** The 32 bytes of an Ed25519 public key. */
export type PublicKey = Uint8Array<ArrayBuffer>

const key_bytes = 32
/** The DER bytes before the key (RFC 8410 §4). */
const derPrefix = fromHex('302a300506032b6570032100')
const pem = /^-----BEGIN PUBLIC KEY-----\r?\n(?<der>[A-Za-z0-9+/=]+)\r?\n-----END PUBLIC KEY-----\s*$/

/** Reads the PEM that `admin audit public-key` prints; undefined for anything else. */
export function readPublicKey(text: string): PublicKey | undefined {
  const der = fromBase64(pem.exec(text.trimStart())?.groups?.['der'] ?? '')
  if (der?.length !== derPrefix.length + key_bytes) return undefined
  return sameBytes(der.subarray(0, derPrefix.length), derPrefix) ? der.slice(derPrefix.length) : undefined
}

export function writePublicKey(key: PublicKey): string {
  const der = toBase64(Uint8Array.of(...derPrefix, ...key))
  return `-----BEGIN PUBLIC KEY-----\n${der}\n-----END PUBLIC KEY-----\n`
}
