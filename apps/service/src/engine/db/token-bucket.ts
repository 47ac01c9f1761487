import type { Db } from './open.ts'
import { sql, type Sql } from './sql.ts'

/** Per address: the size of the bucket, and how many tokens are refilled per hour. */
type BucketLimit = { address: string; burst: number; per_hour: number }

/** A token bucket per address, in a table with `address`, `room` (the tokens) and `updated_at` that the calling module owns, so that a restart resets nothing. */
export function tokenBucket(table: Sql) {
  // After a failover the clock may have gone back: then nothing is refilled, but nothing is taken away either.
  const hoursSince = sql`greatest(extract(epoch from service_now() - g.updated_at), 0) / 3600`
  return {
    /** Refills the bucket by the time since the last attempt and takes one token. False if it is empty. */
    takeToken: async (tx: Db, { address, burst, per_hour }: BucketLimit): Promise<boolean> => {
      const taken = await tx.execute(sql`
        insert into ${table} as g (address, room, updated_at)
        values (${address}, ${burst}::double precision - 1, service_now())
        on conflict (address) do update set
          room = least(${burst}::double precision, g.room + ${hoursSince} * ${per_hour}::double precision) - 1,
          updated_at = service_now()
        where least(${burst}::double precision, g.room + ${hoursSince} * ${per_hour}::double precision) >= 1`)
      return taken === 1
    },

    /** Returns the token after a legitimate attempt. */
    returnToken: async (tx: Db, address: string): Promise<void> => {
      await tx.execute(sql`update ${table} set room = room + 1 where address = ${address}`)
    },
  }
}
