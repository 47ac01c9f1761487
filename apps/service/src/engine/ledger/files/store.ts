import type { Db } from '../../db/open.ts'
import { sql } from '../../db/sql.ts'

/** What the database knows of a file of the ledger. */
export type LedgerMarks = {
  confirmed: number
  confirmed_bytes: number
  last_at?: string
  positions: Set<number>
}

export type AllMarks = { now: string; of: Map<string, LedgerMarks> }

/** Inserts marks, and returns the time. */
export async function insertMarks(
  tx: Db,
  marks: readonly { ledger: string; position: number }[],
): Promise<string> {
  const [row] = await tx.query<{ now: string }>(sql`
    with inserted as (
      insert into erasure_marks (ledger, position)
      select * from unnest(${marks.map(({ ledger }) => ledger)}::text[], ${marks.map(({ position }) => position)}::bigint[])
      on conflict do nothing
    )
    select service_now() as now`)
  return row?.now ?? ''
}

type MarksRow = {
  now: string
  ledger: string | null
  confirmed: number
  confirmed_bytes: number
  last_at: string | null
  positions: string | null
}

/** All marks, in one statement: a file is confirmed and its marks are deleted in one transaction. */
export async function readMarks(db: Db): Promise<AllMarks> {
  const rows = await db.query<MarksRow>(sql`
    select service_now() as now, found.*
    from (select) always
    left join (
      select ledger, coalesce(l.confirmed, 0) as confirmed, coalesce(l.confirmed_bytes, 0) as confirmed_bytes, l.last_at, m.positions
      from erasure_ledgers l
      full join (select ledger, string_agg(position::text, ' ') as positions from erasure_marks group by ledger) m using (ledger)
    ) found on true`)
  const of = new Map<string, LedgerMarks>()
  for (const { ledger, confirmed, confirmed_bytes, last_at, positions } of rows) {
    if (ledger === null) continue
    const known = new Set((positions ?? '').split(' ').filter(Boolean).map(Number))
    of.set(ledger, { confirmed, confirmed_bytes, ...(last_at !== null && { last_at }), positions: known })
  }
  return { now: rows[0]?.now ?? '', of }
}

export type MoveConfirmed = {
  ledger: string
  confirmed: number
  confirmed_bytes: number
  last_at: string
  /** Positions that must have marks. */
  required: readonly number[]
}

/** Moves the confirmed position up and deletes the marks below it, unless a required mark is missing. */
export async function moveConfirmed(db: Db, { ledger, required, ...move }: MoveConfirmed): Promise<void> {
  await db.execute(sql`
    with present as (
      select count(*) as marks from erasure_marks where ledger = ${ledger} and position = any(${required}::bigint[])
    ), moved as (
      insert into erasure_ledgers (ledger, confirmed, confirmed_bytes, last_at)
      select ${ledger}, ${move.confirmed}::bigint, ${move.confirmed_bytes}::bigint, ${move.last_at}::timestamptz
      from present where marks = ${required.length}::bigint
      on conflict (ledger) do update
        set confirmed = excluded.confirmed, confirmed_bytes = excluded.confirmed_bytes, last_at = excluded.last_at
        where erasure_ledgers.confirmed <= excluded.confirmed and erasure_ledgers.confirmed_bytes < excluded.confirmed_bytes
      returning ledger
    )
    delete from erasure_marks m using moved where m.ledger = moved.ledger and m.position < ${move.confirmed}::bigint`)
}

/** Remembers that a file of notes has grown. */
export async function noteSize(db: Db, { ledger, bytes }: { ledger: string; bytes: number }): Promise<void> {
  await db.execute(sql`
    insert into erasure_ledgers (ledger, confirmed, confirmed_bytes, last_at) values (${ledger}, 0, ${bytes}, service_now())
    on conflict (ledger) do update set confirmed_bytes = excluded.confirmed_bytes, last_at = excluded.last_at`)
}

export async function deleteLedger(db: Db, ledger: string): Promise<void> {
  await db.execute(sql`delete from erasure_ledgers where ledger = ${ledger}`)
}
