import { hash as digest } from 'node:crypto'
import { errorCodes, type Environment } from '@vidimus/contract'
import { type KeyPrincipal, Refusal } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import { validatedCache } from '../../engine/db/index.ts'
import { hasChecksum, newCheckedText } from '../../engine/formats/index.ts'
import { type LastUseRecorder, recordLastUse } from '../../engine/scheduling/index.ts'
import { type FoundKey, findKeys, markUsed } from './store.ts'

/**
 * Keys by their hexadecimal hash. Requests that arrive together share one statement: it reads the version of the copies or, for
 * keys without a copy, the rows. A key that any node has just revoked is refused (AUTH-12). Unknown and revoked
 * keys have no copy, so they take the same path (AUTH-10).
 */
const keys = validatedCache<string, FoundKey>({
  maxBatch: 200,
  maxWaiting: 10_000,
  nameOf: (hash) => hash,
  async read(db, hashes) {
    const { asOf, rows } = await findKeys(db, hashes)
    const byHash = new Map(rows.map((key) => [key.hash, key]))
    return { asOf, values: hashes.map((hash) => byHash.get(hash)) }
  },
})

/** Creates the lookup of keys. A caller that has hashed the key already passes the hash, as hexadecimal digits. */
export function keyAuthenticator({
  db,
}: Pick<Context, 'db'>): (key: string | undefined, hash?: string) => Promise<KeyPrincipal> {
  return async (key, hash) => {
    // Missing, malformed, unknown and revoked keys get the same response (AUTH-3); revoked takes precedence over expired (AUTH-4).
    if (key === undefined || !isKey(key)) throw invalidKey()
    const { asOf, value: found } = await keys.current(db, hash ?? hashKey(key).toString('hex'))
    if (found === undefined) throw invalidKey()
    // Times of equal length in UTC sort as text. A key that expires exactly now has expired (AUTH-4).
    if (found.expires_at !== null && found.expires_at <= asOf.now)
      throw new Refusal('api_key_expired', 'The API key has expired.')
    const { id, tenant_id, environment, scopes } = found
    return {
      kind: 'key',
      key_id: id,
      tenant_id,
      environment,
      scopes,
      change_version: asOf.change_version,
    }
  }
}

/** The same for every reason, so that it tells nothing about keys that exist. */
export function invalidKey(): Refusal {
  return new Refusal('invalid_api_key', errorCodes.invalid_api_key.example)
}

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
  return digest('sha256', key, 'buffer')
}

/** The part of a key that lists show. */
export function displayPrefix(key: string): string {
  return key.slice(0, prefixCharacters)
}

/** Keeps `last_used_at` accurate to about a minute. */
export function recordKeyUse({
  db,
  log,
}: Pick<Context, 'db' | 'log'>): LastUseRecorder<{ tenant_id: string; id: string }> {
  return recordLastUse({ log, what: 'API keys', write: (used) => markUsed(db, used) })
}
