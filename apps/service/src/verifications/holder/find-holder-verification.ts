import type { Context } from '../../engine/context.ts'
import { type Database, coalescePerTarget } from '../../engine/db/index.ts'
import { isAbout } from '../../engine/scheduling/index.ts'
import { dayOfVerificationId } from '../../engine/basics/index.ts'
import { readByDay } from '../read/list-verifications.ts'
import { type VerificationQuery, loadQuery } from '../wallet/load-query.ts'
import {
  readHolderPhases,
  readHolderVerifications,
  type HolderPhaseRow,
  type HolderVerificationRow,
} from './store.ts'

export type { HolderPhaseRow }
export type HolderVerificationRecord = Omit<HolderVerificationRow, 'query' | 'template_version'> &
  VerificationQuery

/** A verification and its query, for the person who was given its id. Undefined if it is unknown or erased, or the id is malformed. */
export async function findHolderVerification(
  ctx: Context,
  id: string,
): Promise<HolderVerificationRecord | undefined> {
  const day = dayOfVerificationId(id)
  const row = day === undefined ? undefined : await readVerification(ctx.db, { day, id })
  if (row === undefined) return undefined
  isAbout(row)
  return { ...row, ...(await loadQuery(ctx, row)) }
}

/** Only what decides the phase: streams read this once a second. */
export async function findHolderPhase({ db }: Context, id: string): Promise<HolderPhaseRow | undefined> {
  const day = dayOfVerificationId(id)
  return day === undefined ? undefined : readPhase(db, { day, id })
}

/** The streams of all verifications read at the same time, so at most this many can be open. */
export const maxWaitingPhases = 10_000

const readPhase = coalescePerTarget<Database, { day: string; id: string }, HolderPhaseRow | undefined>({
  maxBatch: 256,
  maxWaiting: maxWaitingPhases,
  run: (db, keys) => readByDay(keys, (group, onDay) => readHolderPhases(db, group, onDay)),
})

const readVerification = coalescePerTarget<
  Database,
  { day: string; id: string },
  HolderVerificationRow | undefined
>({
  maxBatch: 64,
  maxWaiting: 2000,
  run: (db, keys) => readByDay(keys, (group, onDay) => readHolderVerifications(db, group, onDay)),
})
