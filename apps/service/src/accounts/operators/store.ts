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
  oidc_linked: boolean
}

const columns = sql`
  o.id, o.name, o.email, o.role, o.created_at, o.joined_at, o.last_seen_at, o.removed_at,
  case when o.invitation_hash is not null and o.invited_until > service_now() then o.invited_until end as invited_until,
  (select count(*) from operator_passkeys p where p.operator_id = o.id) as passkeys,
  o.oidc_subject is not null as oidc_linked`

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
    update operators set removed_at = service_now(), invitation_hash = null, oidc_issuer = null, oidc_subject = null where id = ${id} and removed_at is null`)
  await tx.execute(sql`delete from operator_sessions where operator_id = ${id}`)
  await tx.execute(sql`delete from operator_passkeys where operator_id = ${id}`)
  await tx.execute(sql`delete from operator_tokens where operator_id = ${id}`)
}

type Identity = { issuer: string; subject: string }

/** Locks the operator with an identity at the provider, who was not removed, until the transaction ends. Returns the id. */
export async function lockByIdentity(tx: Db, { issuer, subject }: Identity): Promise<string | undefined> {
  const [row] = await tx.query<{ id: string }>(sql`
    select id from operators
    where oidc_issuer = ${issuer} and oidc_subject = ${subject} and removed_at is null for update`)
  return row?.id
}

/**
 * False if it is another operator's, or this operator has another one at the same provider: a restored database would let that one in
 * again.
 */
export async function linkIdentity(
  tx: Db,
  { id, issuer, subject }: Identity & { id: string },
): Promise<boolean> {
  const linked = await tx.execute(sql`
    update operators set oidc_issuer = ${issuer}, oidc_subject = ${subject}
    where id = ${id} and (oidc_issuer is distinct from ${issuer} or oidc_subject = ${subject})
      and not exists (
        select from operators other
        where other.oidc_issuer = ${issuer} and other.oidc_subject = ${subject} and other.id <> ${id})`)
  return linked === 1
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
