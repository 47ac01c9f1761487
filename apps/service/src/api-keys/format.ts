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
 * `vk_test_` or `vk_live_`, the cell, 190 random bits and a checksum, by which a secret scanner can tell a key from a
 * similar string offline.
 */
export function newKey(environment: Environment, cell: string): string {
  const body = `vk_${environment}_${cell}${randomText(randomCharacters)}`
  return body + checksum(body)
}

/** Whether a string has the form of a key. It need not have been issued. */
export function isKey(text: string): boolean {
  return shape.test(text) && checksum(text.slice(0, -checksumCharacters)) === text.slice(-checksumCharacters)
}

/** What is stored of a key. With 190 random bits, a plain hash cannot be reversed. */
export function hashKey(key: string): Buffer {
  return hash('sha256', key, 'buffer')
}

/** The part of a key that lists show. */
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
