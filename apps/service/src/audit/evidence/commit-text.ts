import { createHmac } from 'node:crypto'
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
 * The salt of one text, from the one secret of its entry. Whoever is shown a text with its salt can then not try the
 * other texts of the entry.
 */
export function deriveSalt(secret: Uint8Array, name: TextName): Hash {
  return createHmac('sha256', secret).update(name).digest()
}

/** Whether the texts are exactly those that the entry commits to. */
export function textsMatch({ commitments = {} }: Entry, texts: Texts): boolean {
  return textNames.every((name) => {
    const [commitment, opened] = [commitments[name], texts[name]]
    if (opened === undefined || commitment === undefined) return opened === commitment
    const salt = Buffer.from(opened.salt, 'hex')
    return commitText(name, { salt, text: opened.text }).toString('hex') === commitment
  })
}

function framed(part: string | Uint8Array): [Buffer, Buffer] {
  const bytes = Buffer.from(part)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return [length, bytes]
}
