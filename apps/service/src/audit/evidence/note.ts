import { createPublicKey, sign, verify, type KeyObject } from 'node:crypto'
import { sha256 } from './hash.ts'

/** Ed25519, by the number that C2SP signed-note gives it. */
const signatureType = Buffer.of(1)
const keyIdBytes = 4
const rawKeyBytes = 32
/** A note with every signature it may carry; ours has one, witnesses may add theirs. */
const mostNoteCharacters = 64 * 1024

export type SigningKey = { name: string; privateKey: KeyObject }

/** Signs a text in the form that transparency logs use (C2SP signed-note). The text ends with a line feed. */
export function signNote(text: string, { name, privateKey }: SigningKey): string {
  const id = keyIdOf(name, createPublicKey(privateKey))
  const signature = sign(null, Buffer.from(text), privateKey)
  return `${text}\n— ${name} ${Buffer.concat([id, signature]).toString('base64')}\n`
}

/** The text of a note that the key has signed under this name; undefined of any other. Other keys' signatures are passed over. */
export function openNote(note: string, name: string, publicKey: KeyObject): string | undefined {
  const cut = note.lastIndexOf('\n\n')
  if (cut < 0 || note.length > mostNoteCharacters || !note.endsWith('\n')) return undefined
  const text = note.slice(0, cut + 1)
  const id = keyIdOf(name, publicKey)
  const ours = note
    .slice(cut + 2, -1)
    .split('\n')
    .map((line) => readSignature(line, name))
    .filter((signature) => signature?.subarray(0, keyIdBytes).equals(id) === true)
  const genuine = ours.every(
    (signature) =>
      signature !== undefined && verify(null, Buffer.from(text), publicKey, signature.subarray(keyIdBytes)),
  )
  return ours.length > 0 && genuine ? text : undefined
}

/** The public key as transparency tools take it: `name+hash+key`. */
export function verifierKeyOf(name: string, publicKey: KeyObject): string {
  const id = keyIdOf(name, publicKey).toString('hex')
  return `${name}+${id}+${Buffer.concat([signatureType, rawKeyOf(publicKey)]).toString('base64')}`
}

function keyIdOf(name: string, publicKey: KeyObject): Buffer {
  return sha256(`${name}\n`, signatureType, rawKeyOf(publicKey)).subarray(0, keyIdBytes)
}

/** An Ed25519 key in its DER form ends with its 32 bytes (RFC 8410 §4). */
function rawKeyOf(publicKey: KeyObject): Buffer {
  return publicKey.export({ format: 'der', type: 'spki' }).subarray(-rawKeyBytes)
}

function readSignature(line: string, name: string): Buffer | undefined {
  const prefix = `— ${name} `
  if (!line.startsWith(prefix)) return undefined
  const encoded = line.slice(prefix.length)
  const bytes = Buffer.from(encoded, 'base64')
  return bytes.toString('base64') === encoded ? bytes : undefined
}
