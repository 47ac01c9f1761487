import { openStatusList, type StatusListToken } from '@vidimus/protocol'
import type { Db } from '../../platform/db/open.ts'
import { saveCopy, hasNewerList, type CopyRow, type StatusListKey } from './store.ts'

export type SaveResult =
  | { saved: CopyRow }
  /** Not stored, because it is invalid or has expired. Verifying a credential with it will show why. */
  | { saved: 'rejected' }
  /** A later list is known, so this one must not be used. */
  | { saved: 'outdated' }

/** The issuer's `ttl` counts up to a day. A list without one is fetched hourly. */
const lifetime_seconds = { default: 3600, max: 86_400 }
const maxTime_seconds = 253_402_300_799

/**
 * Shares a fetched list with the other processes until it expires: at its `exp`, or `ttl` seconds from now (Token Status List
 * §5.1).
 */
export async function saveStatusList(
  db: Db,
  key: StatusListKey,
  token: StatusListToken,
): Promise<SaveResult> {
  const opened = openStatusList(token)
  if ('error' in opened || URL.parse(opened.value.uri)?.href !== key.uri) return { saved: 'rejected' }

  const { issued_at, expires_at, ttl_seconds = lifetime_seconds.default } = opened.value
  const row = await saveCopy(db, {
    ...key,
    token: Buffer.from(token.token),
    media: token.media,
    issued_at: clampTime(issued_at),
    expires_at: expires_at === undefined ? null : clampTime(expires_at),
    keep_seconds: Math.min(clampTime(ttl_seconds), lifetime_seconds.max),
  })
  if (row !== undefined) return { saved: row }
  return { saved: (await hasNewerList(db, key, clampTime(issued_at))) ? 'outdated' : 'rejected' }
}

/** An issuer may send any number, in CBOR even NaN. Limits it to the years from 1970 to 9999, which PostgreSQL accepts. */
function clampTime(seconds: number): number {
  return Number.isNaN(seconds) ? 0 : Math.min(Math.max(seconds, 0), maxTime_seconds)
}
