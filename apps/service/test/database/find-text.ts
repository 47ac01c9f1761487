import type { Db } from '../../src/engine/db/open.ts'
import { declaredTables } from '../../src/engine/db/schema/tables.ts'
import { identifier, sql } from '../../src/engine/db/sql.ts'

/** The tables with a row that contains one of these texts. */
export async function findTables(db: Db, ...texts: string[]): Promise<string[]> {
  const patterns = texts.map((text) => `%${text}%`)
  const found: string[] = []
  for (const { name } of declaredTables) {
    const rows = await db.query(sql`
      select 1 as found from ${identifier(name)} t where to_jsonb(t)::text like any (${patterns}::text[]) limit 1`)
    if (rows.length > 0) found.push(name)
  }
  return found
}
