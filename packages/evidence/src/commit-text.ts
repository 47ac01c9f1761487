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
  return sha256(framed([toUtf8(name), salt, toUtf8(text)]))
}

/**
 * The salt of one text, from the one secret of its entry: HMAC-SHA256 of the name. Whoever is shown a text with its salt can
 * then not try the other texts of the entry.
 */
export function deriveSalt(secret: Uint8Array, name: TextName): Hash {
  return hmac(digest, secret, toUtf8(name))
}

const lengthBytes = 4

/** Whether the texts are exactly those that the entry commits to. */
export function textsMatch({ commitments = {} }: Entry, texts: Texts): boolean {
  return textNames.every((name) => {
    const [commitment, opened] = [commitments[name], texts[name]]
    if (opened === undefined || commitment === undefined) return opened === commitment
    return toHex(commitText(name, { salt: fromHex(opened.salt), text: opened.text })) === commitment
  })
}

/** The parts, each after its length as four bytes. */
function framed(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + lengthBytes + length, 0))
  const view = new DataView(all.buffer)
  let at = 0
  for (const part of parts) {
    view.setUint32(at, part.length)
    all.set(part, at + lengthBytes)
    at += lengthBytes + part.length
  }
  return all
}
