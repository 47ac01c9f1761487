import type { Context } from '../../context.ts'
import { readLag } from './store.ts'

/** For how many seconds the oldest entry that is in no chain yet has waited. */
export async function readAuditLag({ db }: Pick<Context, 'db'>): Promise<number> {
  return readLag(db)
}
