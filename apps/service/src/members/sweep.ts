import type { Context } from '../context.ts'
import { sweep } from './store.ts'

const batch = 1000

/** Takes away sessions, challenges and invitations whose time is over. Nothing waits for it: none of them counts any more. */
export async function sweepMembers({ db }: Pick<Context, 'db'>): Promise<void> {
  while ((await sweep(db, batch)) >= batch) {
    // One more batch is due.
  }
}
