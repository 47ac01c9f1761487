import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Environment } from '@vidimus/contract'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 32 characters of 62 are 190 bits. */
const randomCharacters = 32
const checksumCharacters = 6
const prefixCharacters = 12
const shape = /^vk_(?:test|live)_[0-9A-Za-z]{39}$/

/**
 * `vk_test_` or `vk_live_`, the cell, 190 random bits, and a checksum: a scanner of leaked secrets can tell a key from
 * a look-alike without asking anyone.
 */
export function newKey(environment: Environment, cell: string): string {
  const body = `vk_${environment}_${cell}${randomText(randomCharacters)}`
  return body + checksum(body)
}

/** Whether a text can be a key at all. Says nothing about whether it was ever given out. */
export function isKey(text: string): boolean {
  return shape.test(text) && checksum(text.slice(0, -checksumCharacters)) === text.slice(-checksumCharacters)
}

/** What is kept of a key. It has 190 random bits, so a plain hash cannot be turned back. */
export function hashKey(key: string): Buffer {
  return hash('sha256', key, 'buffer')
}

/** What a list shows of a key. */
export function displayPrefix(key: string): string {
  return key.slice(0, prefixCharacters)
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

/** Every character equally likely: bytes past the last whole multiple of 62 are thrown away. */
function randomText(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += base62.charAt(byte % 62)
    }
  }
  return text
}
