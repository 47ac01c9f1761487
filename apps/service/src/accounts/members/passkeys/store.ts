import type { Db } from '../../../engine/db/index.ts'
import { sql } from '../../../engine/db/sql.ts'

type MemberRef = { tenant_id: string; member_id: string }

export type PasskeyRow = MemberRef & {
  credential_id: string
  name: string
  public_key: Buffer
  counter: number
  transports: string[]
  backed_up: boolean
  created_at: string
  last_used_at: string | null
}

const columns = sql`
  credential_id, tenant_id, member_id, name, public_key, counter, transports, backed_up, created_at, last_used_at`

export async function findPasskey(db: Db, credential_id: string): Promise<PasskeyRow | undefined> {
  const [row] = await db.query<PasskeyRow>(
    sql`select ${columns} from member_passkeys where credential_id = ${credential_id}`,
  )
  return row
}

export async function readPasskeys(db: Db, { tenant_id, member_id }: MemberRef): Promise<PasskeyRow[]> {
  return db.query<PasskeyRow>(sql`
    select ${columns} from member_passkeys
    where tenant_id = ${tenant_id} and member_id = ${member_id}
    order by created_at, credential_id
    limit 100`)
}

export type NewPasskey = Omit<PasskeyRow, 'created_at' | 'last_used_at'>

/** False if the credential already exists, or the member has reached the maximum. */
export async function insertPasskey(tx: Db, passkey: NewPasskey, max: number): Promise<boolean> {
  const { tenant_id, member_id } = passkey
  const inserted = await tx.execute(sql`
    insert into member_passkeys
      (credential_id, tenant_id, member_id, name, public_key, counter, transports, backed_up)
    select ${passkey.credential_id}, ${tenant_id}, ${member_id}, ${passkey.name}, ${passkey.public_key},
      ${passkey.counter}::bigint, ${passkey.transports}::text[], ${passkey.backed_up}::boolean
    where (select count(*) from member_passkeys where tenant_id = ${tenant_id} and member_id = ${member_id}) < ${max}
    on conflict (credential_id) do nothing`)
  return inserted === 1
}

/**
 * Records the use of a passkey. False if its counter did not advance, which indicates a cloned authenticator (WebAuthn
 * §6.1.1), or if it was removed meanwhile. Authenticators without a counter always send 0.
 */
export async function recordPasskeyUse(
  tx: Db,
  { credential_id, counter, backed_up }: Pick<PasskeyRow, 'credential_id' | 'counter' | 'backed_up'>,
): Promise<boolean> {
  const used = await tx.execute(sql`
    update member_passkeys
    set counter = ${counter}::bigint, backed_up = ${backed_up}::boolean, last_used_at = service_now()
    where credential_id = ${credential_id} and (counter < ${counter}::bigint or (counter = 0 and ${counter}::bigint = 0))`)
  return used === 1
}

export async function deletePasskey(
  tx: Db,
  { tenant_id, member_id, credential_id }: MemberRef & { credential_id: string },
): Promise<boolean> {
  const deleted = await tx.execute(sql`
    delete from member_passkeys
    where tenant_id = ${tenant_id} and member_id = ${member_id} and credential_id = ${credential_id}`)
  return deleted === 1
}
