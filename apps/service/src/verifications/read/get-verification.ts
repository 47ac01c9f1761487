import type { StatusName, Verification, VerificationStatus } from '@vidimus/contract'
import { type Principal, dayOfVerificationId, notFound } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import { type Database, coalescePerTarget, groupByDay } from '../../engine/db/index.ts'
import {
  type VerificationKey,
  type VerificationOwner,
  type VerificationRow,
  readVerifications,
  readStatuses,
} from '../store.ts'
import { toVerificationOwner, viewVerification } from '../view-verification.ts'
import { readByDay } from './list-verifications.ts'

/** One of the caller's verifications. An unknown id, another tenant's and an erased one give the same error. */
export async function getVerification(ctx: Context, principal: Principal, id: string): Promise<Verification> {
  return getOwnedVerification(ctx, toVerificationOwner(principal), id)
}

/** The same for who acts for the owner of verifications. */
export async function getOwnedVerification(
  ctx: Context,
  owner: VerificationOwner,
  id: string,
): Promise<Verification> {
  const row = await findVerification(ctx, owner, id)
  if (row === undefined) throw notFound('session_not_found')
  return viewVerification(ctx, row)
}

export async function findVerification(
  { db }: Pick<Context, 'db'>,
  owner: VerificationOwner,
  id: string,
): Promise<VerificationRow | undefined> {
  const day = dayOfVerificationId(id)
  return day === undefined ? undefined : readVerification(db, { day, id, ...owner })
}

/** One statement at a time: reads wait for no lock, and the more verifications a statement reads, the less each costs. */
const readVerification = coalescePerTarget<Database, VerificationKey, VerificationRow | undefined>({
  maxBatch: 64,
  maxWaiting: 2000,
  run: (db, keys) => readByDay(keys, (group, onDay) => readVerifications(db, group, onDay)),
})

type VerificationId = { day: string; id: string }

const readStatus = coalescePerTarget<Database, VerificationId, StatusName | undefined>({
  maxBatch: 256,
  maxWaiting: 5000,
  run: readEach,
})

/** The status and nothing else, for anyone who knows the id. */
export async function getVerificationStatus(ctx: Context, id: string): Promise<VerificationStatus> {
  const day = dayOfVerificationId(id)
  const status = day === undefined ? undefined : await readStatus(ctx.db, { day, id })
  if (status === undefined) throw notFound('session_not_found')
  return { id, status }
}

async function readEach(db: Database, keys: VerificationId[]): Promise<(StatusName | undefined)[]> {
  const found = new Map<string, StatusName>()
  // Several pages may poll one verification.
  const distinct = new Map(keys.map((key) => [key.id, key]))
  for (const group of groupByDay([...distinct.values()]))
    for (const { id, status } of await readStatuses(db, group.keys, group.onDay)) found.set(id, status)
  return keys.map(({ id }) => found.get(id))
}
