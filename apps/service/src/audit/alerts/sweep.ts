import type { Context } from '../../engine/context.ts'
import { deleteResolved } from './store.ts'

const batchSize = 1000

/** Deletes old alerts. Open ones stay until they are resolved. */
export async function sweepAlerts({ db }: Pick<Context, 'db'>): Promise<void> {
  while ((await deleteResolved(db, batchSize)) >= batchSize) {
    // Delete the next batch.
  }
}
