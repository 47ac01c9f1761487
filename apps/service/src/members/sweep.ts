import type { Context } from '../context.ts'
import { deleteExpired } from './store.ts'

const batchSize = 1000

/** Takes away sessions, challenges and invitations whose time is over. Nothing waits for it: none of them counts any more. */
export async function sweepMembers({ db }: Pick<Context, 'db'>): Promise<void> {
  while ((await deleteExpired(db, batchSize)) >= batchSize) {
    // One more batch is due.
  }
}
