import { fromBase64, sameBytes, toBase64, toHex, toUtf8 } from '../bytes.ts'
import { sha256 } from '../sha256.ts'
import type { PublicKey } from './public-key.ts'

/** Ed25519, by the number that C2SP signed-note gives it. */
const signatureType = Uint8Array.of(1)
const keyId_bytes = 4
/** A note with every signature it may carry; ours has one, witnesses may add theirs. */
const maxNoteCharacters = 64 * 1024

/** A key that signs, wherever it lies: only its public half has to be known here. */
export type SigningKey = { name: string; publicKey: PublicKey; sign: (bytes: Uint8Array) => Uint8Array }

/** Signs a text in the form that transparency logs use (C2SP signed-note). The text ends with a line feed. */
export function signNote(text: string, { name, publicKey, sign }: SigningKey): string {
  const signature = sign(toUtf8(text))
  return `${text}\n— ${name} ${toBase64(Uint8Array.of(...computeKeyId(name, publicKey), ...signature))}\n`
}

/** The text of a note that the key has signed under this name; undefined of any other. Other keys' signatures are passed over. */
export async function openNote(
  note: string,
  name: string,
  publicKey: PublicKey,
): Promise<string | undefined> {
  const cut = note.lastIndexOf('\n\n')
  if (cut < 0 || note.length > maxNoteCharacters || !note.endsWith('\n')) return undefined
  const text = note.slice(0, cut + 1)
  const id = computeKeyId(name, publicKey)
  const ours = note
    .slice(cut + 2, -1)
    .split('\n')
    .map((line) => readSignature(line, name))
    .filter((signature) => signature !== undefined && sameBytes(signature.subarray(0, keyId_bytes), id))
    .map((signature) => signature?.slice(keyId_bytes))
  const genuine = await Promise.all(ours.map((signature) => isSigned(text, signature, publicKey)))
  return ours.length > 0 && genuine.every(Boolean) ? text : undefined
}

/** The public key as transparency tools take it: `name+hash+key`. */
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

/** By the platform's own Ed25519 (Web Cryptography), which Node has and browsers have. */
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
