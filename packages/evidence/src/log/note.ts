import { fromBase64, sameBytes, toBase64, toHex, toUtf8 } from '../bytes.ts'
import { sha256 } from '../sha256.ts'
import type { PublicKey } from './public-key.ts'

/** The number of Ed25519 in C2SP signed-note. */
const signatureType = Uint8Array.of(1)
const keyId_bytes = 4
/** Enough for a note with several signatures: ours has one, and witnesses may add theirs. */
const maxNoteCharacters = 64 * 1024

/** A signing key. The private key may be anywhere; only `sign` uses it. */
export type SigningKey = { name: string; publicKey: PublicKey; sign: (bytes: Uint8Array) => Uint8Array }

/** Signs a text with each key as a C2SP signed-note, the format of transparency logs. The text must end with a line feed. */
export function signNote(text: string, ...keys: readonly SigningKey[]): string {
  return `${text}\n${keys.map((key) => signText(text, key)).join('')}`
}

function signText(text: string, { name, publicKey, sign }: SigningKey): string {
  const signature = Uint8Array.of(...computeKeyId(name, publicKey), ...sign(toUtf8(text)))
  return `— ${name} ${toBase64(signature)}\n`
}

/** The text of a note signed with the key under this name, otherwise undefined. Signatures of other keys are ignored. */
export async function openNote(
  note: string,
  name: string,
  publicKey: PublicKey,
): Promise<string | undefined> {
  const separator = note.lastIndexOf('\n\n')
  if (separator < 0 || note.length > maxNoteCharacters || !note.endsWith('\n')) return undefined
  const text = note.slice(0, separator + 1)
  const id = computeKeyId(name, publicKey)
  const signatures = note
    .slice(separator + 2, -1)
    .split('\n')
    .map((line) => readSignature(line, name))
    .filter((signature) => signature !== undefined && sameBytes(signature.subarray(0, keyId_bytes), id))
    .map((signature) => signature?.slice(keyId_bytes))
  const results = await Promise.all(signatures.map((signature) => isSigned(text, signature, publicKey)))
  return signatures.length > 0 && results.every(Boolean) ? text : undefined
}

/** The public key in the format of transparency tools: `name+hash+key`. */
export function toVerifierKey(name: string, publicKey: PublicKey): string {
  const id = toHex(computeKeyId(name, publicKey))
  return `${name}+${id}+${toBase64(Uint8Array.of(...signatureType, ...publicKey))}`
}

function computeKeyId(name: string, publicKey: PublicKey): Uint8Array {
  return sha256(`${name}\n`, signatureType, publicKey).subarray(0, keyId_bytes)
}

function readSignature(line: string, name: string): Uint8Array<ArrayBuffer> | undefined {
  const prefix = `— ${name} `
  return line.startsWith(prefix) ? fromBase64(line.slice(prefix.length)) : undefined
}

/** Uses Ed25519 of the Web Cryptography API, which Node and browsers have. */
async function isSigned(
  text: string,
  signature: Uint8Array<ArrayBuffer> | undefined,
  publicKey: PublicKey,
): Promise<boolean> {
  if (signature === undefined) return false
  const { subtle } = globalThis.crypto
  const key = await subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify'])
  return subtle.verify('Ed25519', key, signature, toUtf8(text))
}
