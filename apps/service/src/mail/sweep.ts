import type { Context } from '../context.ts'
import { deleteExpiredMails, deleteOldMailRoom } from './store.ts'

const batchSize = 1000

/** Deletes mails that were never sent, and counts that no longer matter. The mails of invitations are deleted with them. */
export async function sweepMails({ db }: Pick<Context, 'db'>): Promise<void> {
  while ((await deleteExpiredMails(db, batchSize)) >= batchSize) {
    // Delete the next batch.
  }
  while ((await deleteOldMailRoom(db, batchSize)) >= batchSize) {
    // Delete the next batch.
  }
}
