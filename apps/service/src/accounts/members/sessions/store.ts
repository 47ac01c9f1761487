import type { Role } from '@vidimus/contract'
import type { Db } from '../../../engine/db/index.ts'
import { sql } from '../../../engine/db/sql.ts'

/** A session ends after this idle time, and at the latest this long after the sign-in. */
const idleTimeout = sql`interval '2 hours'`
const maxLifetime = sql`interval '12 hours'`
/** How long a confirmation lasts. */
export const confirmationTtl_seconds = 600
const notEnded = sql`s.expires_at > service_now() and s.seen_at > service_now() - ${idleTimeout}`

type MemberRef = { tenant_id: string; member_id: string }

/** Opens a session. Beyond the maximum, the oldest sessions end. */
export async function insertSession(
  tx: Db,
  {
    token_hash,
    tenant_id,
    member_id,
    method,
    confirmed,
    browser,
    max,
  }: MemberRef & {
    token_hash: Buffer
    method: SessionRow['method']
    confirmed: boolean
    browser: string | undefined
    max: number
  },
): Promise<void> {
  await tx.execute(sql`
    insert into member_sessions (token_hash, tenant_id, member_id, method, created_at, seen_at, expires_at, confirmed_at, browser)
    select ${token_hash}, ${tenant_id}, ${member_id}, ${method}, at, at, at + ${maxLifetime},
      case when ${confirmed}::boolean then at end, ${browser ?? null}
    from service_now() as at`)
  await tx.execute(sql`
    delete from member_sessions where token_hash in (
      select token_hash from member_sessions
      where tenant_id = ${tenant_id} and member_id = ${member_id}
      order by created_at desc
      offset ${max})`)
  await tx.execute(
    sql`update members set last_seen_at = service_now() where tenant_id = ${tenant_id} and id = ${member_id}`,
  )
}

export type FoundSession = MemberRef & {
  token_hash: Buffer
  name: string
  role: Role
  /** `seen_at` is more than a minute old. */
  unmarked: boolean
  /** Its member authenticated a short time ago, by signing in or again since. */
  confirmed: boolean
}

/** The active sessions with these hashes, each with its member's current name and role. */
export async function findSessions(db: Db, hashes: Buffer[]): Promise<FoundSession[]> {
  return db.query<FoundSession>(sql`
    select s.token_hash, s.tenant_id, s.member_id, m.name, m.role,
      s.seen_at < service_now() - interval '1 minute' as unmarked,
      coalesce(s.confirmed_at > service_now() - make_interval(secs => ${confirmationTtl_seconds}::integer), false) as confirmed
    from member_sessions s
    join members m on m.tenant_id = s.tenant_id and m.id = s.member_id
    where s.token_hash = any (${hashes}) and ${notEnded}
    limit 1000`)
}

export async function markSeen(db: Db, token_hash: Buffer): Promise<void> {
  await db.execute(sql`
    with seen as (
      update member_sessions s set seen_at = service_now() where s.token_hash = ${token_hash} and ${notEnded}
      returning s.tenant_id, s.member_id
    )
    update members m set last_seen_at = service_now()
    from seen
    where m.tenant_id = seen.tenant_id and m.id = seen.member_id`)
}

export type SessionTimes = { created_at: string; expires_at: string; now: string; others: number }

export async function readSession(db: Db, token_hash: Buffer): Promise<SessionTimes | undefined> {
  const [row] = await db.query<SessionTimes>(sql`
    select mine.created_at, mine.expires_at, service_now() as now,
      (select count(*) from member_sessions s
        where s.tenant_id = mine.tenant_id and s.member_id = mine.member_id and s.token_hash <> mine.token_hash
          and ${notEnded}) as others
    from member_sessions mine
    where mine.token_hash = ${token_hash}`)
  return row
}

export type SessionRow = {
  id: string
  created_at: string
  seen_at: string
  method: 'passkey' | 'oidc' | 'link' | null
  browser: string | null
  /** Whether it is the session of this request. */
  current: boolean
}

/** The first half of the token's hash: enough to tell a session apart, and nothing that a token could be found by. */
const sessionId = sql`encode(substring(s.token_hash from 1 for 16), 'hex')`

/** A member's active sessions, newest first. */
export async function readSessions(
  db: Db,
  { tenant_id, member_id, token_hash }: MemberRef & { token_hash: Buffer },
): Promise<SessionRow[]> {
  return db.query<SessionRow>(sql`
    select ${sessionId} as id, s.created_at, s.seen_at, s.method, s.browser, s.token_hash = ${token_hash} as current
    from member_sessions s
    where s.tenant_id = ${tenant_id} and s.member_id = ${member_id} and ${notEnded}
    order by s.created_at desc
    limit 100`)
}

/** False if the session has ended. */
export async function markConfirmed(
  tx: Db,
  { tenant_id, member_id, token_hash }: MemberRef & { token_hash: Buffer },
): Promise<boolean> {
  const marked = await tx.execute(sql`
    update member_sessions s set confirmed_at = service_now()
    where s.token_hash = ${token_hash} and s.tenant_id = ${tenant_id} and s.member_id = ${member_id} and ${notEnded}`)
  return marked === 1
}

/** True if it existed. */
export async function deleteSession(tx: Db, token_hash: Buffer): Promise<boolean> {
  return (await tx.execute(sql`delete from member_sessions where token_hash = ${token_hash}`)) > 0
}

/** Ends one session of a member. Returns the hash of its token, or undefined if there is no such session. */
export async function deleteSessionById(
  tx: Db,
  { tenant_id, member_id, id }: MemberRef & { id: string },
): Promise<Buffer | undefined> {
  const [row] = await tx.query<{ token_hash: Buffer }>(sql`
    delete from member_sessions s
    where s.tenant_id = ${tenant_id} and s.member_id = ${member_id} and ${sessionId} = ${id} and ${notEnded}
    returning s.token_hash`)
  return row?.token_hash
}

/** Ends every session of a member. Returns the hashes of their tokens. */
export async function deleteSessions(tx: Db, { tenant_id, member_id }: MemberRef): Promise<Buffer[]> {
  const rows = await tx.query<{ token_hash: Buffer }>(sql`
    delete from member_sessions where tenant_id = ${tenant_id} and member_id = ${member_id} returning token_hash`)
  return rows.map(({ token_hash }) => token_hash)
}
