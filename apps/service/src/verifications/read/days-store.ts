import { type Db, walkDays } from '../../engine/db/index.ts'
import { sql } from '../../engine/db/sql.ts'
import type { VerificationOwner } from '../store.ts'

type TenantVerifications = Omit<VerificationOwner, 'device_id'>

/** The days on which a tenant has verifications in an environment, up to a given time, newest first. */
export function daysWithVerifications(
  db: Db,
  { tenant_id, environment }: TenantVerifications,
  before: string | null,
): AsyncGenerator<string, void> {
  return walkDays(
    async ({ last_day, max_days }) => {
      const rows = await db.query<{ day: string }>(sql`
      select day from days_with_verifications(${tenant_id}, ${environment}, ${last_day}::date, ${max_days}) as day`)
      return rows.map(({ day }) => day)
    },
    before?.slice(0, 10) ?? null,
  )
}

/**
 * The same for a list, except that the newest day may have none in that environment: to look takes longer than to read a page of it,
 * which it nearly always fills.
 */
export async function* daysToList(
  db: Db,
  owner: TenantVerifications,
  before: string | null,
): AsyncGenerator<string, void> {
  const until = before?.slice(0, 10) ?? 'infinity'
  const [newest] = await db.query<{ day: string; previous: string }>(sql`
    select day, day - 1 as previous from last_used_day(${owner.tenant_id}, ${until}::date) as day where day is not null`)
  if (newest === undefined) return
  yield newest.day
  yield* daysWithVerifications(db, owner, newest.previous)
}

/** The days with verifications that may have a value in their metadata. */
export function daysWithMetadata(
  db: Db,
  { tenant_id, environment }: TenantVerifications,
  { value, before }: { value: string; before: string | null },
): AsyncGenerator<string, void> {
  return walkDays(
    async ({ last_day, max_days }) => {
      const rows = await db.query<{ day: string }>(sql`
      select day from days_with_metadata(
        ${tenant_id}, ${environment}, metadata_hash(${environment}, ${value}), ${last_day}::date, ${max_days}) as day`)
      return rows.map(({ day }) => day)
    },
    before?.slice(0, 10) ?? null,
  )
}
