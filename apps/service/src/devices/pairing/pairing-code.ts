import { randomInt } from 'node:crypto'
import type { Config } from '../../engine/config/index.ts'
import type { Keyring } from '../../engine/keyring/index.ts'

/** Crockford's base 32, without I, L, O and U. Eight characters have 40 bits. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const lookAlikes: Readonly<Record<string, string>> = { I: '1', L: '1', O: '0' }
const length = 8

/**
 * A new code as it is displayed: `VD-XXXX-XXXX`. Among several cells its first character is the cell, so that a router can find it;
 * 35 bits remain.
 */
export function newPairingCode({ CELL, CELLS }: Pick<Config, 'CELL' | 'CELLS'>): string {
  const random = Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
  const characters = CELLS === undefined ? random : CELL.toUpperCase() + random.slice(1)
  return `VD-${characters.slice(0, 4)}-${characters.slice(4)}`
}

/** What is stored of a code. 40 bits can be brute-forced, so the hash is keyed with a key from outside the database. */
export function hashPairingCode(keyring: Keyring, code: string): Buffer {
  return keyring.mac('pairing code', normalize(code))
}

/** Ignores case, dashes, spaces, similar characters and a missing prefix. */
function normalize(code: string): string {
  const plain = code
    .toUpperCase()
    .replaceAll(/[\s-]/g, '')
    .replaceAll(/[ILO]/g, (letter) => lookAlikes[letter] ?? letter)
  return plain.length === length + 2 && plain.startsWith('VD') ? plain.slice(2) : plain
}
