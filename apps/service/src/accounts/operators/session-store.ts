import type { OperatorRole } from '@vidimus/contract'
import type { Db } from '../../engine/db/index.ts'
import { sql } from '../../engine/db/sql.ts'

/** A session ends after this idle time, and at the latest this long after the sign-in. */
export const operatorSessionIdle_minutes = 30
export const operatorSession_hours = 8
/** How long a confirmation lasts. */
export const operatorConfirmation_minutes = 10

const notEnded = sql`
  s.expires_at > service_now() and s.seen_at > service_now() - make_interval(mins => ${operatorSessionIdle_minutes})`
const confirmedUntil = sql`s.confirmed_at + make_interval(mins => ${operatorConfirmation_minutes})`

export type NewSession = {
  token_hash: Buffer
  operator_id: string
  method: 'passkey' | 'oidc'
  /** Whether they have just authenticated, and not by a session that they had at the provider. */
  confirmed: boolean
  max: number
}

/** Opens a session. Beyond the maximum, the oldest end. */
export async function insertSession(
  tx: Db,
  { token_hash, operator_id, method, confirmed, max }: NewSession,
): Promise<void> {
  await tx.execute(sql`
    insert into operator_sessions (token_hash, operator_id, created_at, seen_at, expires_at, method, confirmed_at)
    select ${token_hash}, ${operator_id}::uuid, at, at, at + make_interval(hours => ${operatorSession_hours}), ${method},
      case when ${confirmed}::boolean then at end
    from service_now() as at`)
  await tx.execute(sql`
    delete from operator_sessions where token_hash in (
      select token_hash from operator_sessions where operator_id = ${operator_id} order by created_at desc offset ${max})`)
  await tx.execute(sql`update operators set last_seen_at = service_now() where id = ${operator_id}`)
}

export type FoundOperator = {
  operator_id: string
  name: string
  role: OperatorRole
  confirmed: boolean
  /** It was marked as seen, or its token as used, more than a minute ago. */
  unmarked: boolean
}

export async function findSession(db: Db, token_hash: Buffer): Promise<FoundOperator | undefined> {
  const [row] = await db.query<FoundOperator>(sql`
    select s.operator_id, o.name, o.role, coalesce(${confirmedUntil} > service_now(), false) as confirmed,
      s.seen_at < service_now() - interval '1 minute' as unmarked
    from operator_sessions s join operators o on o.id = s.operator_id
    where s.token_hash = ${token_hash} and ${notEnded} and o.removed_at is null`)
  return row
}

export async function markSeen(db: Db, token_hash: Buffer): Promise<void> {
  await db.execute(sql`
    with seen as (
      update operator_sessions s set seen_at = service_now() where s.token_hash = ${token_hash} and ${notEnded}
      returning s.operator_id
    )
    update operators o set last_seen_at = service_now() from seen where o.id = seen.operator_id`)
}

export type SessionTimes = {
  created_at: string
  expires_at: string
  method: 'passkey' | 'oidc' | null
  confirmed_until: string | null
  now: string
  others: number
}

export async function readSession(db: Db, token_hash: Buffer): Promise<SessionTimes | undefined> {
  const [row] = await db.query<SessionTimes>(sql`
    select mine.created_at, mine.expires_at, mine.method, service_now() as now,
      (select case when ${confirmedUntil} > service_now() then ${confirmedUntil} end
        from operator_sessions s where s.token_hash = mine.token_hash) as confirmed_until,
      (select count(*) from operator_sessions s
        where s.operator_id = mine.operator_id and s.token_hash <> mine.token_hash and ${notEnded}) as others
    from operator_sessions mine where mine.token_hash = ${token_hash}`)
  return row
}

/** False if the session has ended. */
export async function markConfirmed(
  tx: Db,
  { operator_id, token_hash }: { operator_id: string; token_hash: Buffer },
): Promise<boolean> {
  const marked = await tx.execute(sql`
    update operator_sessions s set confirmed_at = service_now()
    where s.token_hash = ${token_hash} and s.operator_id = ${operator_id} and ${notEnded}`)
  return marked === 1
}

/** True if it existed. */
export async function deleteSession(tx: Db, token_hash: Buffer): Promise<boolean> {
  return (await tx.execute(sql`delete from operator_sessions where token_hash = ${token_hash}`)) > 0
}

/** Ends every session of an operator. Returns the hashes of their tokens. */
export async function deleteSessions(tx: Db, operator_id: string): Promise<Buffer[]> {
  const rows = await tx.query<{ token_hash: Buffer }>(
    sql`delete from operator_sessions where operator_id = ${operator_id} returning token_hash`,
  )
  return rows.map(({ token_hash }) => token_hash)
}

type Page<Row> = { after: Row | undefined; limit: number }
export type SessionKey = { token_hash: Buffer }

export async function readSessionPage(db: Db, { after, limit }: Page<SessionKey>): Promise<SessionKey[]> {
  return db.query<SessionKey>(sql`
    select token_hash from operator_sessions
    where token_hash > ${after?.token_hash ?? Buffer.alloc(0)} order by token_hash limit ${limit}`)
}
