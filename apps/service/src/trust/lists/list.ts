import type { Context } from '../../engine/context.ts'
import { readLists, type ListState } from './store.ts'

/** The state of every trust list. */
export async function listTrustLists({ db }: Pick<Context, 'db'>): Promise<ListState[]> {
  return readLists(db)
}
