import type { TypeMetadata } from '@vidimus/protocol'
import type { Db } from '../../engine/db/index.ts'
import { sql } from '../../engine/db/sql.ts'

type TypeRow = { extends: string | null; extends_integrity: string | null }

/** What a type extends, if a process has read its metadata before, and marks the row as in use. */
export async function readStoredType(db: Db, key: Buffer): Promise<TypeMetadata | undefined> {
  const [row] = await db.query<TypeRow>(sql`
    update type_metadata set used_at = service_now() where key = ${key} returning extends, extends_integrity`)
  if (row === undefined) return undefined
  return {
    ...(row.extends !== null && { extends: row.extends }),
    ...(row.extends_integrity !== null && { extends_integrity: row.extends_integrity }),
  }
}

export async function storeType(db: Db, { key, ...metadata }: TypeMetadata & { key: Buffer }): Promise<void> {
  await db.execute(sql`
    insert into type_metadata (key, extends, extends_integrity)
    values (${key}, ${metadata.extends ?? null}, ${metadata.extends_integrity ?? null})
    on conflict (key) do nothing`)
}

/** Deletes what has not been used for a month. Returns how many there were. */
export async function deleteUnusedTypes(db: Db): Promise<number> {
  return db.execute(sql`
    delete from type_metadata
    where key in (
      select key from type_metadata where used_at <= service_now() - interval '30 days' limit 1000)`)
}
