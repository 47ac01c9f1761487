import { randomInt } from 'node:crypto'
import type { Keyring } from '../../platform/keyring/open.ts'

/** Crockford's 32: no I, L, O or U beside 1, 0 and V. Eight of them are 40 bits. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const lookAlikes: Readonly<Record<string, string>> = { I: '1', L: '1', O: '0' }
const length = 8

/** A new code in the shape in which it is shown: `VD-XXXX-XXXX`. */
export function newPairingCode(): string {
  const characters = Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
  return `VD-${characters.slice(0, 4)}-${characters.slice(4)}`
}

/** What is kept of a code. 40 bits can be tried out, so the hash is keyed with a key that lies outside the database. */
export function hashPairingCode(keyring: Keyring, code: string): Buffer {
  return keyring.mac('pairing code', normalize(code))
}

/** Case, dashes, spaces and look-alikes are forgiven; so is a prefix that was left out. */
function normalize(code: string): string {
  const plain = code
    .toUpperCase()
    .replaceAll(/[\s-]/g, '')
    .replaceAll(/[ILO]/g, (letter) => lookAlikes[letter] ?? letter)
  return plain.length === length + 2 && plain.startsWith('VD') ? plain.slice(2) : plain
}
