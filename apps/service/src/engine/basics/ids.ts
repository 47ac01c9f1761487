import { hash, randomBytes } from 'node:crypto'

/** Days are counted from here, so that three base64url characters reach past the year 2700. */
const epoch_ms = Date.UTC(2026, 0, 1)
const day_ms = 86_400_000
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
export const verificationRandom_bytes = 20
const verificationIdPattern = /^vs_([0-9A-Za-z])([A-Za-z0-9_-]{3})[A-Za-z0-9_-]{27}$/

/**
 * `vs_`, the cell, the UTC day, and 160 random bits. The cell is for routing and the day names the partition, so a lookup by
 * id touches only one partition. Neither reveals more than the day of creation.
 */
export function newVerificationId(
  cell: string,
  day: string,
  random: Buffer = randomBytes(verificationRandom_bytes),
): string {
  return `vs_${cell}${encodeDay(day)}${random.toString('base64url')}`
}

/** The random bits of a verification id, or undefined if the id is malformed. */
export function randomPartOfVerificationId(id: string): Buffer | undefined {
  return verificationIdPattern.test(id) ? Buffer.from(id.slice(-27), 'base64url') : undefined
}

const confirmation_characters = 6
const unambiguous = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/**
 * A short code that a visitor and the merchant can compare: a hash of the id, which it does not reveal. 30 bits tell apart the few
 * verifications that two people talk about, and prove nothing to anybody else.
 */
export function confirmationCode(id: string): string {
  const bytes = hash('sha256', `confirmation ${id}`, 'buffer')
  const digits = Array.from(
    { length: confirmation_characters },
    (_, place) => unambiguous[(bytes[place] ?? 0) & 31],
  )
  return `${digits.slice(0, 3).join('')}-${digits.slice(3).join('')}`
}

/** The cell that issued a verification id, or undefined if the id is malformed. */
export function cellOfVerificationId(id: string): string | undefined {
  return verificationIdPattern.exec(id)?.[1]
}

/** The day in a verification id, or undefined if the id is malformed. */
export function dayOfVerificationId(id: string): string | undefined {
  const encoded = verificationIdPattern.exec(id)?.[2]
  return encoded === undefined ? undefined : decodeDay(encoded)
}

/** The day in the first characters of a verification id; undefined if they are not the start of one or do not include the day. */
export function dayOfVerificationIdStart(start: string): string | undefined {
  const encoded = /^vs_[0-9A-Za-z]([A-Za-z0-9_-]{3})[A-Za-z0-9_-]{0,27}$/.exec(start)?.[1]
  return encoded === undefined ? undefined : decodeDay(encoded)
}

function decodeDay(encoded: string): string {
  const days = Array.from(encoded, (digit) => alphabet.indexOf(digit)).reduce(
    (sum, digit) => sum * 64 + digit,
    0,
  )
  return new Date(epoch_ms + days * day_ms).toISOString().slice(0, 10)
}

function encodeDay(day: string): string {
  const days = Math.floor((Date.parse(`${day}T00:00:00Z`) - epoch_ms) / day_ms)
  if (!(days >= 0 && days < 64 ** 3))
    throw new RangeError(`${day} is outside the range of days that an id can encode`)
  return [days >> 12, days >> 6, days].map((part) => alphabet[part & 63]).join('')
}
