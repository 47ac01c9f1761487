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
 * The salt of one text, from the one secret of its entry: HMAC-SHA256 (RFC 2104) of the name. Whoever is shown a text with
 * its salt can then not try the other texts of the entry. Spelled out, because Node makes a key object of every secret,
 * which takes ten times as long as the hashing.
 */
export function deriveSalt(secret: Uint8Array, name: TextName): Hash {
  return sha256(padded(secret, 0x5c), sha256(padded(secret, 0x36), name))
}

const blockBytes = 64

/** A key that is no longer than a block, filled up with zeros, and each byte changed by the pad. */
function padded(key: Uint8Array, pad: number): Uint8Array {
  const block = new Uint8Array(blockBytes).fill(pad)
  for (const [place, byte] of key.entries()) block[place] = byte ^ pad
  return block
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
