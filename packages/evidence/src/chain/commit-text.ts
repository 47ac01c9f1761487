import { concatBytes, fromHex, toHex, toUtf8 } from '../bytes.ts'
import { textNames, type Entry, type TextName, type Texts } from './entry.ts'
import { hash_bytes, hmacSha256, sha256, type Hash } from '../sha256.ts'

/**
 * Commits to a text without revealing it. Anyone with the text and the salt can check the commitment; once the salt is deleted,
 * guesses at the text cannot be tested. Each part is preceded by its length, so that different parts never give the same bytes.
 */
export function commitText(name: TextName, { salt, text }: { salt: Hash; text: string }): Hash {
  const bytes = toUtf8(text)
  return sha256(prefixes[name], salt, encodeLength(bytes), bytes)
}

/**
 * The salt of one text: HMAC-SHA256 of its name, keyed with the secret of its entry. Revealing one text and its salt therefore
 * does not allow guessing the entry's other texts.
 */
export function deriveSalt(secret: Uint8Array, name: TextName): Hash {
  return hmacSha256(secret, name)
}

/** Whether the texts are exactly those that the entry commits to. */
export function textsMatch({ commitments = {} }: Entry, texts: Texts): boolean {
  return textNames.every((name) => {
    const [commitment, salted] = [commitments[name], texts[name]]
    if (salted === undefined || commitment === undefined) return salted === commitment
    return toHex(commitText(name, { salt: fromHex(salted.salt), text: salted.text })) === commitment
  })
}

/** The bytes that start every commitment to a text of that name: the name after its length, and the length of the salt. */
const prefixes: Record<TextName, Uint8Array> = {
  actor_name: buildPrefix('actor_name'),
  purpose: buildPrefix('purpose'),
  subject: buildPrefix('subject'),
}

function buildPrefix(name: TextName): Uint8Array {
  const bytes = toUtf8(name)
  return concatBytes(encodeLength(bytes), bytes, encodeLength({ length: hash_bytes }))
}

/** Four bytes, big-endian. */
function encodeLength({ length }: { length: number }): Uint8Array {
  return Uint8Array.of(length >>> 24, length >>> 16, length >>> 8, length)
}
