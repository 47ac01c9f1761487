import { type Db, tokenBucket } from '../../engine/db/index.ts'
import { sql } from '../../engine/db/sql.ts'

export const { takeToken: takeAttempt, returnToken: returnAttempt } = tokenBucket(sql`pairing_guesses`)

/** Whether one of these counters has counted a wrong code since it was last full. A valid code is uncounted. */
export async function hasGuessed(tx: Db, counters: { address: string; burst: number }[]): Promise<boolean> {
  const addresses = counters.map(({ address }) => address)
  const bursts = counters.map(({ burst }) => burst)
  const rows = await tx.query(sql`
    select 1 as guessed from unnest(${addresses}::text[], ${bursts}::double precision[]) as counter (address, burst)
    join pairing_guesses g using (address)
    where g.room < counter.burst
    limit 1`)
  return rows.length > 0
}

export async function deleteOldGuesses(
  db: Db,
  { older_than_hours, limit }: { older_than_hours: number; limit: number },
): Promise<number> {
  return db.execute(sql`
    delete from pairing_guesses where address in (
      select address from pairing_guesses
      where updated_at < service_now() - make_interval(hours => ${older_than_hours}::integer)
      limit ${limit})`)
}
