import type { Context } from '../../context.ts'
import { readForwards, type ReadForwards, type SentForward } from './store.ts'

/** A forward as the log shows it beside the attempts: marked, because it is none of them. */
type ListedForward = SentForward & { forwarded: true }

/** What was forwarded to whoever listened, newest first. */
export async function listForwards(
  { db }: Pick<Context, 'db'>,
  wanted: ReadForwards,
): Promise<ListedForward[]> {
  return (await readForwards(db, wanted)).map((forward) => ({ ...forward, forwarded: true }))
}
