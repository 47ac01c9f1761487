import type { OperatorRole } from '@vidimus/contract'
import { type Db, nilUuid } from '../../engine/db/index.ts'
import { sql } from '../../engine/db/sql.ts'
import type { FoundOperator } from './session-store.ts'

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

type Page<Row> = { after: Row | undefined; limit: number }
export type TokenKey = { id: string }

export async function readTokenPage(db: Db, { after, limit }: Page<TokenKey>): Promise<TokenKey[]> {
  return db.query<TokenKey>(sql`
    select id from operator_tokens
    where id > ${after?.id ?? nilUuid}::uuid and revoked_at is null order by id limit ${limit}`)
}
