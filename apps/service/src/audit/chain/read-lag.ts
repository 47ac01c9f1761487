import type { Context } from '../../engine/context.ts'
import { readLag } from './store.ts'

/** How long the oldest entry in the inbox has waited, in seconds. */
export async function readAuditLag({ db }: Pick<Context, 'db'>): Promise<number> {
  return readLag(db)
}
