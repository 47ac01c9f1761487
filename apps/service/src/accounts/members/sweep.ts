import type { Context } from '../../engine/context.ts'
import { deleteExpired } from './store.ts'

const batchSize = 1000

/** Deletes expired sessions, challenges and invitations. Nothing depends on it: expired ones are ignored anyway. */
export async function sweepMembers({ db }: Pick<Context, 'db'>): Promise<void> {
  while ((await deleteExpired(db, batchSize)) >= batchSize) {
    // Delete the next batch.
  }
}
