import type { AnyQuery, TemplateRules } from '@vidimus/protocol'
import type { Context } from '../../engine/context.ts'
import { type Database, coalescePerTarget } from '../../engine/db/index.ts'
import { dayOfSessionId } from '../../engine/basics/index.ts'
import { readByDay } from '../read/list-verifications.ts'
import { loadQuery } from '../wallet/load-query.ts'
import { readHolderPhases, readHolderSessions, type HolderPhaseRow, type HolderSessionRow } from './store.ts'

export type { HolderPhaseRow }
export type HolderSessionRecord = Omit<HolderSessionRow, 'query' | 'template_version'> & {
  query: AnyQuery
  rules: TemplateRules
}

/** A session and its query, for the person who was given its id. Undefined if it is unknown or erased, or the id is malformed. */
export async function findHolderSession(ctx: Context, id: string): Promise<HolderSessionRecord | undefined> {
  const day = dayOfSessionId(id)
  const row = day === undefined ? undefined : await readSession(ctx.db, { day, id })
  return row && { ...row, ...(await loadQuery(ctx, row)) }
}

/** Only what decides the phase: streams read this once a second. */
export async function findHolderPhase({ db }: Context, id: string): Promise<HolderPhaseRow | undefined> {
  const day = dayOfSessionId(id)
  return day === undefined ? undefined : readPhase(db, { day, id })
}

/** The streams of all verifications read at the same time, so at most this many can be open. */
export const maxWaitingPhases = 4000

const readPhase = coalescePerTarget<Database, { day: string; id: string }, HolderPhaseRow | undefined>({
  maxBatch: 256,
  maxWaiting: maxWaitingPhases,
  run: (db, keys) => readByDay(keys, (group, onDay) => readHolderPhases(db, group, onDay)),
})

const readSession = coalescePerTarget<Database, { day: string; id: string }, HolderSessionRow | undefined>({
  maxBatch: 64,
  maxWaiting: 2000,
  run: (db, keys) => readByDay(keys, (group, onDay) => readHolderSessions(db, group, onDay)),
})
