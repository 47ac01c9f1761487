import type { Db } from '../../engine/db/index.ts'
import { sql } from '../../engine/db/sql.ts'

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

type Page<Row> = { after: Row | undefined; limit: number }
export type PasskeyKey = { operator_id: string; credential_id: string }

export async function readPasskeyPage(db: Db, { after, limit }: Page<PasskeyKey>): Promise<PasskeyKey[]> {
  return db.query<PasskeyKey>(sql`
    select operator_id, credential_id from operator_passkeys
    where credential_id > ${after?.credential_id ?? ''} order by credential_id limit ${limit}`)
}
