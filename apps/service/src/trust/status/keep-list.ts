import { openStatusList, type StatusListToken } from '@vidimus/protocol'
import type { Db } from '../../platform/db/open.ts'
import { keepCopy, knowsLater, type CopyRow, type StatusListKey } from './store.ts'

export type Kept =
  | { kept: CopyRow }
  /** Not to be kept, because it is wrong or ends now. Whoever checks a credential with it will see. */
  | { kept: 'not' }
  /** A later list is known, so this one must not be believed. */
  | { kept: 'outdated' }

/** The issuer's `ttl` counts up to a day. A list without one is asked for hourly. */
const keep_seconds = { unsaid: 3600, most: 86_400 }
const endOfTime = 253_402_300_799

/** Shares a fetched list with the other processes until it lapses: at its `exp`, or its `ttl` after now (Token Status List §5.1). */
export async function keepList(db: Db, key: StatusListKey, token: StatusListToken): Promise<Kept> {
  const opened = openStatusList(token)
  if ('fault' in opened || URL.parse(opened.value.uri)?.href !== key.uri) return { kept: 'not' }

  const { issued_at, expires_at, ttl_seconds = keep_seconds.unsaid } = opened.value
  const row = await keepCopy(db, {
    ...key,
    token: Buffer.from(token.token),
    media: token.media,
    issued_at: withinTime(issued_at),
    expires_at: expires_at === undefined ? null : withinTime(expires_at),
    keep_seconds: Math.min(withinTime(ttl_seconds), keep_seconds.most),
  })
  if (row !== undefined) return { kept: row }
  return { kept: (await knowsLater(db, key, withinTime(issued_at))) ? 'outdated' : 'not' }
}

/** An issuer may say any number, in CBOR even none at all. PostgreSQL takes the years from 1970 to 9999. */
function withinTime(seconds: number): number {
  return Number.isNaN(seconds) ? 0 : Math.min(Math.max(seconds, 0), endOfTime)
}
