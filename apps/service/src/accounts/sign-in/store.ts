import { type Db, tokenBucket } from '../../engine/db/index.ts'
import { sql } from '../../engine/db/sql.ts'

export async function readNow(db: Db): Promise<{ now: string; seconds: number }> {
  const [row] = await db.query<{ now: string; seconds: number }>(sql`
    select at as now, floor(extract(epoch from at))::bigint as seconds from service_now() as at`)
  if (row === undefined) throw new Error('a select of one row returned none')
  return row
}

export const { takeToken: takeAttempt, returnToken: returnAttempt } = tokenBucket(sql`sign_in_room`)

/** False if the challenge was used before or has expired. */
export async function spendChallenge(
  tx: Db,
  { hash, expires_seconds }: { hash: Buffer; expires_seconds: number },
): Promise<boolean> {
  const spent = await tx.execute(sql`
    insert into spent_challenges (hash, expires_at)
    select ${hash}, to_timestamp(${expires_seconds}::bigint)
    where to_timestamp(${expires_seconds}::bigint) > service_now()
    on conflict do nothing`)
  return spent === 1
}
