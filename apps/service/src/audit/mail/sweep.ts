import type { Context } from '../../engine/context.ts'
import { deleteOldMailRoom } from './store.ts'

const batchSize = 1000

/** Deletes counts of mails that no longer matter. The mails of invitations are deleted with them, the others once they ended. */
export async function sweepMailRoom({ db }: Pick<Context, 'db'>): Promise<void> {
  while ((await deleteOldMailRoom(db, batchSize)) >= batchSize) {
    // Delete the next batch.
  }
}
