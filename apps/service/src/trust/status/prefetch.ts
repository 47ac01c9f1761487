import type { Environment } from '@vidimus/contract'
import type { Db } from '../../engine/db/index.ts'
import type { Egress } from '../../engine/egress/index.ts'
import { fetchList, saveList } from './save-list.ts'
import { claimExpiring, deleteUnused } from './store.ts'

const maxConcurrent = 16

/**
 * Fetches lists that are in use again after three quarters of their lifetime, or of a day, so that no holder waits for an issuer and an
 * issuer may be unavailable for the last quarter. Returns how many were due. Any number of workers share the work.
 */
export async function prefetchLists({
  db,
  egress,
}: {
  db: Db
  egress: Record<Environment, Egress>
}): Promise<number> {
  const due = await claimExpiring(db, maxConcurrent)
  await Promise.all(
    due.map(async (list) => {
      const token = await fetchList(egress[list.environment], list)
      if (token !== undefined) await saveList(db, list, token)
    }),
  )
  return due.length
}

/** Deletes lists that were not used for a day. */
export async function sweepLists({ db }: { db: Db }): Promise<void> {
  await deleteUnused(db)
}
