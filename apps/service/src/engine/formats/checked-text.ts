import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 32 characters of 62 are 190 bits. */
const randomCharacters = 32
const checksumCharacters = 6

/** A prefix, 190 random bits and a checksum, by which a secret scanner can tell a secret from a similar string offline. */
export function newCheckedText(prefix: string): string {
  const body = prefix + randomText(randomCharacters)
  return body + checksum(body)
}

/** Whether a string ends with the checksum of what precedes it. */
export function hasChecksum(text: string): boolean {
  return checksum(text.slice(0, -checksumCharacters)) === text.slice(-checksumCharacters)
}

function checksum(body: string): string {
  let rest = crc32(body)
  let digits = ''
  for (let place = 0; place < checksumCharacters; place += 1) {
    digits = base62.charAt(rest % 62) + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

/** Every character is equally likely: bytes above the last whole multiple of 62 are discarded. */
function randomText(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += base62.charAt(byte % 62)
    }
  }
  return text
}
