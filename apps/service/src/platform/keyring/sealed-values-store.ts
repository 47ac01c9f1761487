import type { Db } from '../db/open.ts'
import { sql } from '../db/sql.ts'

export type SealedValue = { place: string; sealed: Buffer }

/** Some values that other keys than the newest have sealed. */
export async function readOldValues(
  db: Db,
  { keys, limit }: { keys: readonly number[]; limit: number },
): Promise<SealedValue[]> {
  return db.query<SealedValue>(sql`
    select place, sealed from sealed_values where sealing_key_of(sealed) = any (${keys}::bigint[]) limit ${limit}`)
}

/** False if the value has changed since it was read. */
export async function replaceSealed(
  db: Db,
  { place, sealed, resealed }: SealedValue & { resealed: Buffer },
): Promise<boolean> {
  const [row] = await db.query<{ replaced: boolean }>(
    sql`select replace_sealed(${place}, ${sealed}, ${resealed}) as replaced`,
  )
  return row?.replaced === true
}

/** How many values each key seals. */
export async function countSealed(db: Db): Promise<Map<number, number>> {
  const rows = await db.query<{ key: number; values: number }>(sql`
    select sealing_key_of(sealed) as key, count(*) as values from sealed_values group by 1 limit 1000`)
  return new Map(rows.map(({ key, values }) => [key, values]))
}

export type RingKey = {
  id: number
  purpose: 'mac' | 'seal' | 'carried_mac'
  created_at: string
  retired_at: string | null
  /** Seconds since it was created. */
  age_seconds: number
}

export async function listRingKeys(db: Db): Promise<RingKey[]> {
  return db.query<RingKey>(sql`
    select id, purpose, created_at, retired_at, extract(epoch from service_now() - created_at)::float8 as age_seconds
    from keyring order by id limit 1000`)
}

/** Waits for transactions that seal with this key. From then on, sealing with it fails. */
export async function markRetired(tx: Db, id: number): Promise<void> {
  await tx.execute(sql`update keyring set retired_at = service_now(), wrapped = '' where id = ${id}`)
}
