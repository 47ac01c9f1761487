import { hmac } from '@noble/hashes/hmac.js'
import { sha256 as digest } from '@noble/hashes/sha2.js'
import { fromHex, toHex, toUtf8 } from './bytes.ts'
import { textNames, type Entry, type TextName, type Texts } from './entry.ts'
import { sha256, type Hash } from './hash.ts'

/**
 * Commits to a text without showing it. Who has text and salt can check it; once the salt is gone, not even a guess at the
 * text can be tried. Each part is preceded by its length, so that no two texts run together into the same bytes.
 */
export function commitText(name: TextName, { salt, text }: { salt: Hash; text: string }): Hash {
  return sha256(...[name, salt, text].flatMap(framed))
}

/**
 * The salt of one text, from the one secret of its entry: HMAC-SHA256 of the name. Whoever is shown a text with its salt can
 * then not try the other texts of the entry.
 */
export function deriveSalt(secret: Uint8Array, name: TextName): Hash {
  return hmac(digest, secret, toUtf8(name))
}

/** Whether the texts are exactly those that the entry commits to. */
export function textsMatch({ commitments = {} }: Entry, texts: Texts): boolean {
  return textNames.every((name) => {
    const [commitment, opened] = [commitments[name], texts[name]]
    if (opened === undefined || commitment === undefined) return opened === commitment
    return toHex(commitText(name, { salt: fromHex(opened.salt), text: opened.text })) === commitment
  })
}

function framed(part: string | Uint8Array): [Uint8Array, Uint8Array] {
  const bytes = typeof part === 'string' ? toUtf8(part) : part
  const length = new Uint8Array(4)
  new DataView(length.buffer).setUint32(0, bytes.length)
  return [length, bytes]
}
