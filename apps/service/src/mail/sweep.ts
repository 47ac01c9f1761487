import type { Context } from '../context.ts'
import { deleteExpiredMails } from './store.ts'

const batchSize = 1000

/** Deletes mails that were never sent. Those of invitations are deleted with them. */
export async function sweepMails({ db }: Pick<Context, 'db'>): Promise<void> {
  while ((await deleteExpiredMails(db, batchSize)) >= batchSize) {
    // Delete the next batch.
  }
}
