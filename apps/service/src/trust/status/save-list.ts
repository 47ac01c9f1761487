import { describeList, type ListDescription, type StatusListToken } from '@vidimus/protocol'
import type { Db } from '../../engine/db/index.ts'
import { saveCopy, hasNewerList, type CopyRow, type ListKey } from './store.ts'

export type SaveResult =
  | { saved: CopyRow }
  /** Not stored, because it is invalid or has expired. Verifying a credential with it will show why. */
  | { saved: 'rejected' }
  /** A later list is known, so this one must not be used. */
  | { saved: 'outdated' }

/** The issuer's `ttl` counts up to a day. A list without one is fetched hourly. */
const lifetime_seconds = { default: 3600, max: 86_400 }
/**
 * A certificate revocation list has no `ttl`, and may say that the next one is due in months. It is fetched again within a day; while
 * its authority cannot be reached, a copy serves for a week at most.
 */
export const crlLifetime_seconds = { refresh: 86_400, max: 7 * 86_400 }
const maxTime_seconds = 253_402_300_799

/**
 * Shares a fetched list with the other processes until it expires: at its `exp` or nextUpdate, or `ttl` seconds from now (Token Status
 * List §5.1). A certificate revocation list is stored only if the authority signed it: over http anybody on the way could have
 * replaced it.
 */
export async function saveList(db: Db, key: ListKey, token: StatusListToken): Promise<SaveResult> {
  const described = describeList(token, key.crl_issuer)
  if ('error' in described) return { saved: 'rejected' }
  const { uri, issued_at, expires_at } = described.value
  if (uri !== undefined && URL.parse(uri)?.href !== key.uri) return { saved: 'rejected' }

  const row = await saveCopy(db, {
    ...key,
    token: Buffer.from(token.token),
    media: token.media,
    issued_at: clampTime(issued_at),
    expires_at: expires_at === undefined ? null : clampTime(expires_at),
    ...findLifetime(key, described.value),
  })
  if (row !== undefined) return { saved: row }
  return { saved: (await hasNewerList(db, key, clampTime(issued_at))) ? 'outdated' : 'rejected' }
}

function findLifetime(
  { crl_issuer }: ListKey,
  { ttl_seconds = lifetime_seconds.default }: ListDescription,
): { keep_seconds: number; refresh_seconds: number } {
  if (crl_issuer !== undefined)
    return { keep_seconds: crlLifetime_seconds.max, refresh_seconds: crlLifetime_seconds.refresh }
  const keep_seconds = Math.min(clampTime(ttl_seconds), lifetime_seconds.max)
  return { keep_seconds, refresh_seconds: keep_seconds }
}

/** An issuer may send any number, in CBOR even NaN. Limits it to the years from 1970 to 9999, which PostgreSQL accepts. */
function clampTime(seconds: number): number {
  return Number.isNaN(seconds) ? 0 : Math.min(Math.max(seconds, 0), maxTime_seconds)
}
