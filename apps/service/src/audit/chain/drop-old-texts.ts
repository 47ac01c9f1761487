import { textRetention_days } from '@vidimus/evidence'
import type { Context } from '../../engine/context.ts'
import { dropPartition, makePartitionsAhead, partitionDays } from '../../engine/db/index.ts'
import { readOldestTextsDay } from './history-store.ts'

/**
 * Drops the texts of expired days, one partition at a time. A partition in use is left for the next round. Checks of the chain
 * account for the missing texts by the age of their entries.
 */
export async function dropOldTexts({ db }: Pick<Context, 'db'>): Promise<number> {
  await makePartitionsAhead(db)
  const end = await readOldestTextsDay(db, textRetention_days)
  const old = (await partitionDays(db, 'audit_texts')).filter((day) => day < end)
  const dropped = await Promise.all(old.map((day) => dropPartition(db, 'audit_texts', day)))
  return dropped.filter(Boolean).length
}
