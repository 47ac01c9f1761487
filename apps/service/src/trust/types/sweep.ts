import type { Context } from '../../engine/context.ts'
import { deleteUnusedTypes } from './store.ts'

/** Deletes descriptions of types that nobody has used for a month. */
export async function sweepTypes({ db }: Pick<Context, 'db'>): Promise<void> {
  await deleteUnusedTypes(db)
}
