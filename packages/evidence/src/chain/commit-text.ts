import { concatBytes, fromHex, reusableUtf8Encoder, toHex, toUtf8 } from '../bytes.ts'
import { textNames, type Entry, type TextName, type Texts } from './entry.ts'
import { hmacSha256 } from '../hash.ts'
import { hash_bytes, sha256, type Hash } from '../sha256.ts'

/**
 * Commits to a text without showing it. Who has text and salt can check it; once the salt is gone, not even a guess at the
 * text can be tried. Each part is preceded by its length, so that no two texts run together into the same bytes.
 */
export function commitText(name: TextName, { salt, text }: { salt: Hash; text: string }): Hash {
  const bytes = encodeText(text)
  return sha256(prefixes[name], salt, encodeLength(bytes), bytes)
}

/**
 * The salt of one text, from the one secret of its entry: HMAC-SHA256 of the name. Whoever is shown a text with its salt can
 * then not try the other texts of the entry.
 */
export function deriveSalt(secret: Uint8Array, name: TextName): Hash {
  return hmacSha256(secret, name)
}

/** Whether the texts are exactly those that the entry commits to. */
export function textsMatch({ commitments = {} }: Entry, texts: Texts): boolean {
  return textNames.every((name) => {
    const [commitment, opened] = [commitments[name], texts[name]]
    if (opened === undefined || commitment === undefined) return opened === commitment
    return toHex(commitText(name, { salt: fromHex(opened.salt), text: opened.text })) === commitment
  })
}

const encodeText = reusableUtf8Encoder()

/** Of every commitment to a text of that name: the name after its length, and the length of a salt. */
const prefixes: Record<TextName, Uint8Array> = {
  actor_name: buildPrefix('actor_name'),
  purpose: buildPrefix('purpose'),
  subject: buildPrefix('subject'),
}

function buildPrefix(name: TextName): Uint8Array {
  const bytes = toUtf8(name)
  return concatBytes(encodeLength(bytes), bytes, encodeLength({ length: hash_bytes }))
}

/** As four bytes, the highest first. */
function encodeLength({ length }: { length: number }): Uint8Array {
  return Uint8Array.of(length >>> 24, length >>> 16, length >>> 8, length)
}
