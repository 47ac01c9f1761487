import type { Db } from '../../../engine/db/index.ts'
import { sql } from '../../../engine/db/sql.ts'
import type { InvitationRow } from '../invitations/store.ts'

type NewSignUp = {
  token_hash: Buffer
  id: string
  member_id: string
  email: string
  organisation: string
  lifetime_minutes: number
}

/** False, and nothing is stored, if a member of any tenant has the address. */
export async function insertSignUp(tx: Db, signUp: NewSignUp): Promise<boolean> {
  const inserted = await tx.execute(sql`
    insert into sign_ups (token_hash, id, member_id, email, organisation, created_at, expires_at)
    select ${signUp.token_hash}, ${signUp.id}, ${signUp.member_id}, ${signUp.email}, ${signUp.organisation}, at,
      at + make_interval(mins => ${signUp.lifetime_minutes}::integer)
    from service_now() as at
    where not exists (select from members m where m.email = ${signUp.email})`)
  return inserted === 1
}

/** The sign-up of a link, as the invitation of an owner to a tenant that does not exist yet. */
export async function findSignUp(db: Db, token_hash: Buffer): Promise<InvitationRow | undefined> {
  const [row] = await db.query<InvitationRow>(sql`
    select s.id as tenant_id, s.organisation as tenant_name, s.id, s.member_id, s.email, 'owner' as role, '' as invited_by,
      'service' as inviter, s.created_at, s.expires_at, false as expired, false as returning, true as signing_up
    from sign_ups s
    where s.token_hash = ${token_hash} and s.expires_at > service_now()`)
  return row
}

/** Uses the link, and with it every other one of its address. False if it was used before or has expired. */
export async function spendSignUp(tx: Db, token_hash: Buffer): Promise<boolean> {
  const rows = await tx.query<{ used: boolean }>(sql`
    delete from sign_ups
    where email = (select email from sign_ups where token_hash = ${token_hash} and expires_at > service_now())
    returning token_hash = ${token_hash} as used`)
  return rows.some(({ used }) => used)
}
