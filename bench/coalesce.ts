import { coalesce } from '../apps/service/src/engine/db/coalesce.ts'
import { openDatabase } from '../apps/service/src/engine/db/open.ts'
import { sql } from '../apps/service/src/engine/db/sql.ts'
import { databaseUrl } from '../apps/service/test/database/postgres.ts'
import { compare, type Bench } from './figure.ts'

const callers = 64
const rounds = 5
const round_ms = 1000

/** Single-row inserts by 64 callers, coalesced and as separate statements, in alternating rounds. */
const inserts: Bench = async () => {
  const db = openDatabase({ url: databaseUrl('postgres'), poolSize: 10 })
  await db.execute(sql`create table if not exists vidimus_bench_notes (note text)`)
  const alone = (note: string) => db.execute(sql`insert into vidimus_bench_notes values (${note})`)
  const together = coalesce<string, number>({
    maxBatch: callers,
    maxWaiting: 1000,
    async run(notes) {
      await db.execute(sql`insert into vidimus_bench_notes select unnest(${notes}::text[])`)
      return notes.map(() => 1)
    },
  })
  const rates = { alone: [] as number[], together: [] as number[] }
  for (let round = 0; round < rounds; round += 1) {
    rates.alone.push(await rate(alone))
    rates.together.push(await rate(together))
  }
  await db.execute(sql`drop table vidimus_bench_notes`)
  await db.close()
  return [compare('coalesce.inserts', '1/s', { values: rates.together, bare: rates.alone })]
}

export const benches: Record<string, Bench> = { 'coalesce.inserts': inserts }

async function rate(call: (note: string) => Promise<unknown>): Promise<number> {
  const end = performance.now() + round_ms
  let calls = 0
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (performance.now() < end) {
        await call('a note')
        calls += 1
      }
    }),
  )
  return (calls / round_ms) * 1000
}
