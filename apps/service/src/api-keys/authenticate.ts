import type { Context } from '../context.ts'
import { coalesce } from '../platform/coalesce.ts'
import type { KeyPrincipal } from '../platform/principal.ts'
import { Refusal } from '../platform/refusal.ts'
import { hashKey, isKey } from './format.ts'
import { findKeys, type FoundKey } from './store.ts'

const bounds = { maxBatch: 200, maxWaiting: 10_000 }

/**
 * Creates the lookup of keys. Requests that arrive together share one statement, and no result is cached: a key that was
 * revoked a moment ago on any node is refused (AUTH-12).
 */
export function keyAuthenticator({
  db,
}: Pick<Context, 'db'>): (key: string | undefined) => Promise<KeyPrincipal> {
  const find = coalesce<string, FoundKey | undefined>({
    ...bounds,
    async run(hashes) {
      const found = await findKeys(db, hashes)
      const byHash = new Map(found.map((key) => [key.hash, key]))
      return hashes.map((hash) => byHash.get(hash))
    },
  })
  return async (key) => {
    const found = key !== undefined && isKey(key) ? await find(hashKey(key).toString('hex')) : undefined
    // Missing, malformed, unknown and revoked keys get the same response (AUTH-3); revoked takes precedence over expired (AUTH-4).
    if (found === undefined) throw new Refusal('invalid_api_key', 'The API key is not valid.')
    if (found.expired) throw new Refusal('api_key_expired', 'The API key has expired.')
    const { id, tenant_id, environment, scopes } = found
    return { kind: 'key', key_id: id, tenant_id, environment, scopes }
  }
}
