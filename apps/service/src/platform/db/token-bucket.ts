import type { Db } from './open.ts'
import { sql, type Sql } from './sql.ts'

/** Of an address: so many attempts at once, and so many an hour after that. */
type BucketLimit = { address: string; burst: number; an_hour: number }

/** Bounds attempts by address, in a table of `address`, `room` and `updated_at` that its slice owns: a process that is started anew forgets none. */
export function tokenBucket(table: Sql) {
  return {
    /** Takes room for one attempt, refilled by the time since the last. False when there is none left. */
    takeToken: async (tx: Db, { address, burst, an_hour }: BucketLimit): Promise<boolean> => {
      const taken = await tx.execute(sql`
        insert into ${table} as g (address, room, updated_at)
        values (${address}, ${burst}::double precision - 1, service_now())
        on conflict (address) do update set
          room = least(${burst}::double precision, g.room + extract(epoch from service_now() - g.updated_at) * ${an_hour}::double precision / 3600) - 1,
          updated_at = service_now()
        where least(${burst}::double precision, g.room + extract(epoch from service_now() - g.updated_at) * ${an_hour}::double precision / 3600) >= 1`)
      return taken === 1
    },

    /** Gives the room back: the attempt was a good one. */
    returnToken: async (tx: Db, address: string): Promise<void> => {
      await tx.execute(sql`update ${table} set room = room + 1 where address = ${address}`)
    },
  }
}
