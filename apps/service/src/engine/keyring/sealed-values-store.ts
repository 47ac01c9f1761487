import type { Db } from '../db/open.ts'
import { declaredTables } from '../db/schema/tables.ts'
import { identifier, sql } from '../db/sql.ts'

/** A sealed value, where it is stored, and what it is sealed for. */
export type SealedValue = { table: string; column: string; use: string; sealed: Buffer }

const sealedColumns = declaredTables.flatMap(({ name, sealed = {} }) =>
  Object.entries(sealed).map(([column, use]) => ({ table: name, column, use })),
)

/** Every sealed value of the database. */
const sealedValues = sealedColumns
  .map(
    ({ table, column, use }) => sql`
      select ${use} as use, ${table} as table, ${column} as column, ${identifier(column)} as sealed
      from ${identifier(table)} where ${identifier(column)} is not null`,
  )
  .reduce((all, each) => sql`${all} union all ${each}`)

/** Some values that other keys than the newest have sealed. */
export async function readOldValues(
  db: Db,
  { keys, limit }: { keys: readonly number[]; limit: number },
): Promise<SealedValue[]> {
  return db.query<SealedValue>(sql`
    select * from (${sealedValues}) as v where sealing_key_of(v.sealed) = any (${keys}::bigint[]) limit ${limit}`)
}

/** False if the value has changed since it was read. */
export async function replaceSealed(
  db: Db,
  { table, column, sealed, resealed }: SealedValue & { resealed: Buffer },
): Promise<boolean> {
  const name = identifier(column)
  // The second condition finds the row by its index.
  const rows = await db.query(sql`
    update ${identifier(table)} set ${name} = ${resealed}
    where ${name} = ${sealed} and sealing_key_of(${name}) = sealing_key_of(${sealed})
    returning true as replaced`)
  return rows.length > 0
}

/** How many values each key seals. */
export async function countSealed(db: Db): Promise<Map<number, number>> {
  const rows = await db.query<{ key: number; values: number }>(sql`
    select sealing_key_of(v.sealed) as key, count(*) as values from (${sealedValues}) as v group by 1 limit 1000`)
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
