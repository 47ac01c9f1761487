import type { Db } from '../db/open.ts'
import { sql } from '../db/sql.ts'

export type KeyRow = {
  id: number
  purpose: 'mac' | 'seal' | 'carried_mac'
  wrapped: Buffer
  /** The cell whose hashing key it is, if it was carried here with a tenant. */
  cell?: string | null
}

/** Reads all keys of the ring but the retired ones. With `lock`, other writers of the ring wait until this transaction ends. */
export async function readKeys(db: Db, { lock }: { lock: boolean }): Promise<KeyRow[]> {
  if (lock) await db.execute(sql`lock table keyring in share row exclusive mode`)
  return db.query<KeyRow>(
    sql`select id, purpose, wrapped, cell from keyring where retired_at is null order by id limit 1000`,
  )
}

export async function insertKey(db: Db, { id, purpose, wrapped, cell = null }: KeyRow): Promise<void> {
  await db.execute(sql`
    insert into keyring (id, purpose, wrapped, cell) values (${id}, ${purpose}, ${wrapped}, ${cell})
    on conflict (id) do update set wrapped = excluded.wrapped`)
}
