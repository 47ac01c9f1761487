import { hash, randomBytes } from 'node:crypto'
import type { Environment } from '@vidimus/contract'
import { hasChecksum, newCheckedText } from '../../../engine/formats/index.ts'

const idBytes = 16
const secretShape = /^vcs_(?:test|live)_[0-9A-Za-z]{38}$/

/** `oc_` and 22 characters. It is no secret: it is part of every authorization request. */
export function newClientId(): string {
  return `oc_${randomBytes(idBytes).toString('base64url')}`
}

/** `vcs_test_` or `vcs_live_`, 190 random bits and a checksum. */
export function newClientSecret(environment: Environment): string {
  return newCheckedText(`vcs_${environment}_`)
}

/** Whether a string has the form of a client's secret. It need not have been issued. */
export function isClientSecret(text: string): boolean {
  return secretShape.test(text) && hasChecksum(text)
}

/** What is stored of a secret. With 190 random bits, a plain hash cannot be reversed. */
export function hashClientSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}
