import type { Key } from '@vidimus/contract'
import type { KeyRow } from './store.ts'

/** A key without its secret. */
export function viewKey(row: KeyRow): Key {
  const { id, name, environment, prefix, scopes, created_at, expired } = row
  return {
    id,
    name,
    environment,
    prefix,
    scopes,
    ...(row.created_by !== null && { created_by: row.created_by }),
    created_at,
    ...(row.expires_at !== null && { expires_at: row.expires_at }),
    expired,
    ...(row.revoked_at !== null && { revoked_at: row.revoked_at }),
    ...(row.last_used_at !== null && { last_used_at: row.last_used_at }),
    ...(row.replaced_by !== null && { replaced_by: row.replaced_by }),
  }
}
