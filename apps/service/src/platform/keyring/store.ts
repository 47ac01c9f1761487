import type { Db } from '../db/open.ts'
import { sql } from '../db/sql.ts'

export type KeyRow = { id: number; purpose: 'mac' | 'seal'; wrapped: Buffer }

/** Reads all keys of the ring. With `lock`, other writers of the ring wait until this transaction ends. */
export async function readKeys(db: Db, { lock }: { lock: boolean }): Promise<KeyRow[]> {
  if (lock) await db.execute(sql`lock table keyring in share row exclusive mode`)
  return db.query<KeyRow>(sql`select id, purpose, wrapped from keyring order by id limit 1000`)
}

export async function insertKey(db: Db, { id, purpose, wrapped }: KeyRow): Promise<void> {
  await db.execute(sql`
    insert into keyring (id, purpose, wrapped) values (${id}, ${purpose}, ${wrapped})
    on conflict (id) do update set wrapped = excluded.wrapped`)
}
