import type { OperatorRole } from '@vidimus/contract'
import { type Db, nilUuid } from '../../engine/db/index.ts'
import { sql } from '../../engine/db/sql.ts'

export type OperatorRow = {
  id: string
  name: string
  email: string
  role: OperatorRole
  created_at: string
  joined_at: string | null
  last_seen_at: string | null
  removed_at: string | null
  /** Null if no invitation is open. */
  invited_until: string | null
  passkeys: number
}

const columns = sql`
  o.id, o.name, o.email, o.role, o.created_at, o.joined_at, o.last_seen_at, o.removed_at,
  case when o.invitation_hash is not null and o.invited_until > service_now() then o.invited_until end as invited_until,
  (select count(*) from operator_passkeys p where p.operator_id = o.id) as passkeys`

/** Serialises changes of operators, so that two owners cannot remove each other at the same time. */
export async function lockOperators(tx: Db): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('operators', 0))`)
}

export async function readOperators(db: Db, limit: number): Promise<OperatorRow[]> {
  return db.query<OperatorRow>(sql`
    select ${columns} from operators o order by o.removed_at nulls first, o.created_at, o.id limit ${limit}`)
}

/** One that was not removed. */
export async function findOperator(db: Db, id: string): Promise<OperatorRow | undefined> {
  const [row] = await db.query<OperatorRow>(
    sql`select ${columns} from operators o where o.id = ${id} and o.removed_at is null`,
  )
  return row
}

export async function findOperatorByEmail(db: Db, email: string): Promise<OperatorRow | undefined> {
  const [row] = await db.query<OperatorRow>(
    sql`select ${columns} from operators o where o.email = ${email} and o.removed_at is null`,
  )
  return row
}

/** Locks an operator who was not removed until the transaction ends. False if there is none. */
export async function lockOperator(tx: Db, id: string): Promise<boolean> {
  const rows = await tx.query(
    sql`select id from operators where id = ${id} and removed_at is null for update`,
  )
  return rows.length > 0
}

/** Returns the id. */
export async function insertOperator(
  tx: Db,
  { name, email, role }: Pick<OperatorRow, 'name' | 'email' | 'role'>,
): Promise<string> {
  const [row] = await tx.query<{ id: string }>(
    sql`insert into operators (name, email, role) values (${name}, ${email}, ${role}) returning id`,
  )
  if (row === undefined) throw new Error('an insert returned nothing')
  return row.id
}

export async function updateRole(tx: Db, { id, role }: Pick<OperatorRow, 'id' | 'role'>): Promise<void> {
  await tx.execute(sql`update operators set role = ${role} where id = ${id}`)
}

/** Their sessions, passkeys and tokens are deleted. The row stays, because the log names them. */
export async function markRemoved(tx: Db, id: string): Promise<void> {
  await tx.execute(sql`
    update operators set removed_at = service_now(), invitation_hash = null where id = ${id} and removed_at is null`)
  await tx.execute(sql`delete from operator_sessions where operator_id = ${id}`)
  await tx.execute(sql`delete from operator_passkeys where operator_id = ${id}`)
  await tx.execute(sql`delete from operator_tokens where operator_id = ${id}`)
}

/** Replaces the operator's invitation, whose hash is returned; null if there was none. */
export async function putInvitation(
  tx: Db,
  { id, hash, lifetime_hours }: { id: string; hash: Buffer | null; lifetime_hours: number },
): Promise<Buffer | null> {
  const [row] = await tx.query<{ previous: Buffer | null }>(sql`
    update operators o
    set invitation_hash = ${hash}, invited_until = service_now() + make_interval(hours => ${lifetime_hours}::integer)
    from (select invitation_hash as previous from operators where id = ${id}) before
    where o.id = ${id}
    returning before.previous`)
  return row?.previous ?? null
}

export async function findInvitation(db: Db, hash: Buffer): Promise<OperatorRow | undefined> {
  const [row] = await db.query<OperatorRow>(sql`
    select ${columns} from operators o
    where o.invitation_hash = ${hash} and o.invited_until > service_now() and o.removed_at is null`)
  return row
}

/** False if it was used or replaced, or has expired. Its operator has joined by now. */
export async function spendInvitation(tx: Db, hash: Buffer): Promise<boolean> {
  const spent = await tx.execute(sql`
    update operators set invitation_hash = null, joined_at = coalesce(joined_at, service_now())
    where invitation_hash = ${hash} and invited_until > service_now() and removed_at is null`)
  return spent === 1
}

export type PasskeyRow = {
  credential_id: string
  operator_id: string
  name: string
  public_key: Buffer
  counter: number
  transports: string[]
  backed_up: boolean
  created_at: string
  last_used_at: string | null
}

const passkeyColumns = sql`
  credential_id, operator_id, name, public_key, counter, transports, backed_up, created_at, last_used_at`

export async function findPasskey(db: Db, credential_id: string): Promise<PasskeyRow | undefined> {
  const [row] = await db.query<PasskeyRow>(
    sql`select ${passkeyColumns} from operator_passkeys where credential_id = ${credential_id}`,
  )
  return row
}

export async function readPasskeys(db: Db, operator_id: string): Promise<PasskeyRow[]> {
  return db.query<PasskeyRow>(sql`
    select ${passkeyColumns} from operator_passkeys where operator_id = ${operator_id}
    order by created_at, credential_id limit 100`)
}

/** False if the credential already exists, or the operator has reached the maximum. */
export async function insertPasskey(
  tx: Db,
  passkey: Omit<PasskeyRow, 'created_at' | 'last_used_at'>,
  max: number,
): Promise<boolean> {
  const inserted = await tx.execute(sql`
    insert into operator_passkeys (credential_id, operator_id, name, public_key, counter, transports, backed_up)
    select ${passkey.credential_id}, ${passkey.operator_id}::uuid, ${passkey.name}, ${passkey.public_key},
      ${passkey.counter}::bigint, ${passkey.transports}::text[], ${passkey.backed_up}::boolean
    where (select count(*) from operator_passkeys where operator_id = ${passkey.operator_id}) < ${max}
    on conflict (credential_id) do nothing`)
  return inserted === 1
}

/** As for members: false if its counter did not advance (WebAuthn §6.1.1), or if it was removed meanwhile. */
export async function recordPasskeyUse(
  tx: Db,
  { credential_id, counter, backed_up }: Pick<PasskeyRow, 'credential_id' | 'counter' | 'backed_up'>,
): Promise<boolean> {
  const used = await tx.execute(sql`
    update operator_passkeys
    set counter = ${counter}::bigint, backed_up = ${backed_up}::boolean, last_used_at = service_now()
    where credential_id = ${credential_id} and (counter < ${counter}::bigint or (counter = 0 and ${counter}::bigint = 0))`)
  return used === 1
}

export async function deletePasskey(
  tx: Db,
  { operator_id, credential_id }: Pick<PasskeyRow, 'operator_id' | 'credential_id'>,
): Promise<boolean> {
  const deleted = await tx.execute(
    sql`delete from operator_passkeys where operator_id = ${operator_id} and credential_id = ${credential_id}`,
  )
  return deleted === 1
}

/** A session ends after this idle time, and at the latest this long after the sign-in. */
export const operatorSessionIdle_minutes = 30
export const operatorSession_hours = 8
/** How long a confirmation lasts. */
export const operatorConfirmation_minutes = 10

const notEnded = sql`
  s.expires_at > service_now() and s.seen_at > service_now() - make_interval(mins => ${operatorSessionIdle_minutes})`
const confirmedUntil = sql`s.confirmed_at + make_interval(mins => ${operatorConfirmation_minutes})`

/** Opens a session of an operator who has just authenticated. Beyond the maximum, the oldest end. */
export async function insertSession(
  tx: Db,
  { token_hash, operator_id, max }: { token_hash: Buffer; operator_id: string; max: number },
): Promise<void> {
  await tx.execute(sql`
    insert into operator_sessions (token_hash, operator_id, created_at, seen_at, expires_at, confirmed_at)
    select ${token_hash}, ${operator_id}::uuid, at, at, at + make_interval(hours => ${operatorSession_hours}), at
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
    select s.operator_id, o.name, o.role, ${confirmedUntil} > service_now() as confirmed,
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
  confirmed_until: string | null
  now: string
  others: number
}

export async function readSession(db: Db, token_hash: Buffer): Promise<SessionTimes | undefined> {
  const [row] = await db.query<SessionTimes>(sql`
    select mine.created_at, mine.expires_at, service_now() as now,
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

export type TokenRow = {
  id: string
  operator_id: string
  operator_name: string
  name: string
  prefix: string
  role: OperatorRole
  created_at: string
  expires_at: string
  last_used_at: string | null
  state: 'active' | 'expired' | 'revoked'
}

const tokenColumns = sql`
  t.id, t.operator_id, (select o.name from operators o where o.id = t.operator_id) as operator_name, t.name, t.prefix, t.role,
  t.created_at, t.expires_at, t.last_used_at,
  case when t.revoked_at is not null then 'revoked' when t.expires_at <= service_now() then 'expired' else 'active' end as state`

/** The newest tokens of an operator, or of all. */
export async function readTokens(
  db: Db,
  { operator_id, limit }: { operator_id: string | undefined; limit: number },
): Promise<TokenRow[]> {
  return db.query<TokenRow>(sql`
    select ${tokenColumns} from operator_tokens t
    where ${operator_id ?? null}::uuid is null or t.operator_id = ${operator_id ?? null}::uuid
    order by t.created_at desc, t.id limit ${limit}`)
}

export type NewToken = Pick<TokenRow, 'operator_id' | 'name' | 'prefix' | 'role'> & {
  hash: Buffer
  lifetime_days: number
}

/** Undefined if the operator has reached the maximum of tokens that work. */
export async function insertToken(tx: Db, token: NewToken, max: number): Promise<TokenRow | undefined> {
  const [row] = await tx.query<TokenRow>(sql`
    insert into operator_tokens as t (operator_id, hash, prefix, name, role, created_at, expires_at)
    select ${token.operator_id}::uuid, ${token.hash}, ${token.prefix}, ${token.name}, ${token.role}, at,
      at + make_interval(days => ${token.lifetime_days}::integer)
    from service_now() as at
    where (select count(*) from operator_tokens
      where operator_id = ${token.operator_id} and revoked_at is null and expires_at > service_now()) < ${max}
    returning ${tokenColumns}`)
  return row
}

/** Of this operator, or of any. Undefined if there is none; one that was revoked before stays as it is. */
export async function revokeToken(
  tx: Db,
  { id, operator_id }: { id: string; operator_id: string | undefined },
): Promise<TokenRow | undefined> {
  const [row] = await tx.query<TokenRow>(sql`
    update operator_tokens t set revoked_at = coalesce(t.revoked_at, service_now())
    where t.id = ${id} and (${operator_id ?? null}::uuid is null or t.operator_id = ${operator_id ?? null}::uuid)
    returning ${tokenColumns}`)
  return row
}

/** Revokes those tokens of an operator that another role than theirs would need. Returns their ids. */
export async function revokeTokensBeyond(
  tx: Db,
  { operator_id, roles }: { operator_id: string; roles: readonly OperatorRole[] },
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(sql`
    update operator_tokens set revoked_at = service_now()
    where operator_id = ${operator_id} and revoked_at is null and role <> all (${roles}::text[])
    returning id`)
  return rows.map(({ id }) => id)
}

export type FoundToken = FoundOperator & { id: string; token_name: string; operator_role: OperatorRole }

/** A token that works, with its own role and that of its operator. */
export async function findToken(db: Db, hash: Buffer): Promise<FoundToken | undefined> {
  const [row] = await db.query<FoundToken>(sql`
    select t.id, t.operator_id, o.name, t.role, o.role as operator_role, t.name as token_name, false as confirmed,
      coalesce(t.last_used_at < service_now() - interval '1 minute', true) as unmarked
    from operator_tokens t join operators o on o.id = t.operator_id
    where t.hash = ${hash} and t.revoked_at is null and t.expires_at > service_now() and o.removed_at is null`)
  return row
}

export async function markTokenUsed(db: Db, id: string): Promise<void> {
  await db.execute(sql`update operator_tokens set last_used_at = service_now() where id = ${id}`)
}

/** For how many days the rows of removed operators and ended tokens are kept: as long as the log has their names. */
const kept_days = 400

/** Deletes what has ended, up to `limit` rows of each kind. */
export async function deleteEnded(db: Db, limit: number): Promise<number> {
  const counts = await Promise.all([
    db.execute(sql`
      delete from operator_sessions where token_hash in (
        select token_hash from operator_sessions where expires_at <= service_now() limit ${limit})`),
    db.execute(sql`
      delete from operator_tokens where id in (
        select id from operator_tokens where expires_at <= service_now() - make_interval(days => ${kept_days}) limit ${limit})`),
    db.execute(sql`
      delete from operators where id in (
        select id from operators where removed_at <= service_now() - make_interval(days => ${kept_days}) limit ${limit})`),
  ])
  return counts.reduce((sum, count) => sum + count, 0)
}

type Page<Row> = { after: Row | undefined; limit: number }
export type OperatorKey = { id: string; role: OperatorRole }
export type InvitationKey = { id: string; invitation_hash: Buffer }
export type PasskeyKey = { operator_id: string; credential_id: string }
export type SessionKey = { token_hash: Buffer }
export type TokenKey = { id: string }

export async function readOperatorPage(db: Db, { after, limit }: Page<OperatorKey>): Promise<OperatorKey[]> {
  return db.query<OperatorKey>(sql`
    select id, role from operators where id > ${after?.id ?? nilUuid}::uuid and removed_at is null order by id limit ${limit}`)
}

export async function readInvitationPage(
  db: Db,
  { after, limit }: Page<InvitationKey>,
): Promise<InvitationKey[]> {
  return db.query<InvitationKey>(sql`
    select id, invitation_hash from operators
    where id > ${after?.id ?? nilUuid}::uuid and invitation_hash is not null order by id limit ${limit}`)
}

export async function readPasskeyPage(db: Db, { after, limit }: Page<PasskeyKey>): Promise<PasskeyKey[]> {
  return db.query<PasskeyKey>(sql`
    select operator_id, credential_id from operator_passkeys
    where credential_id > ${after?.credential_id ?? ''} order by credential_id limit ${limit}`)
}

export async function readSessionPage(db: Db, { after, limit }: Page<SessionKey>): Promise<SessionKey[]> {
  return db.query<SessionKey>(sql`
    select token_hash from operator_sessions
    where token_hash > ${after?.token_hash ?? Buffer.alloc(0)} order by token_hash limit ${limit}`)
}

export async function readTokenPage(db: Db, { after, limit }: Page<TokenKey>): Promise<TokenKey[]> {
  return db.query<TokenKey>(sql`
    select id from operator_tokens
    where id > ${after?.id ?? nilUuid}::uuid and revoked_at is null order by id limit ${limit}`)
}
