import { hash } from 'node:crypto'
import type { Environment } from '@vidimus/contract'
import { hasChecksum, newCheckedText } from '../../engine/formats/index.ts'

const prefixCharacters = 12
const shape = /^vk_(?:test|live)_[0-9A-Za-z]{39}$/

/** `vk_test_` or `vk_live_`, the cell, 190 random bits and a checksum. */
export function newKey(environment: Environment, cell: string): string {
  return newCheckedText(`vk_${environment}_${cell}`)
}

/** Whether a string has the form of a key. It need not have been issued. */
export function isKey(text: string): boolean {
  return shape.test(text) && hasChecksum(text)
}

/** What is stored of a key. With 190 random bits, a plain hash cannot be reversed. */
export function hashKey(key: string): Buffer {
  return hash('sha256', key, 'buffer')
}

/** The part of a key that lists show. */
export function displayPrefix(key: string): string {
  return key.slice(0, prefixCharacters)
}
