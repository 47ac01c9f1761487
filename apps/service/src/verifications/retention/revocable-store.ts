import type { Environment } from '@vidimus/contract'
import type { Db } from '../../engine/db/index.ts'
import { sql } from '../../engine/db/sql.ts'

export type ErasableSession = { id: string; tenant_id: string; environment: Environment }

type DayPage = { day: string; after: ErasableSession | undefined; limit: number }

/** The sessions of a day that follow one. */
export async function readSessionPage(db: Db, { day, after, limit }: DayPage): Promise<ErasableSession[]> {
  return db.query<ErasableSession>(sql`
    select id, tenant_id, environment from verification_sessions
    where day = ${day} and id > ${after?.id ?? ''}
    order by id
    limit ${limit}`)
}

/** The same of sessions with an answer. */
export async function readAnsweredSessionPage(
  db: Db,
  { day, after, limit }: DayPage,
): Promise<ErasableSession[]> {
  return db.query<ErasableSession>(sql`
    select id, tenant_id, environment from verification_sessions
    where day = ${day} and id > ${after?.id ?? ''} and purge_day is not null
    order by id
    limit ${limit}`)
}
