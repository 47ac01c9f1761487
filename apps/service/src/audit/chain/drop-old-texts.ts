import { textRetention_days } from '@vidimus/evidence'
import type { Context } from '../../context.ts'
import { dropPartition, makePartitionsAhead, partitionDays } from '../../platform/db/schema/partitions.ts'
import { readOldestTextsDay } from './history-store.ts'

/**
 * Drops the texts of days that are past their time, a whole day at once. A day that is being read is left for the next
 * round. The chain accounts for it by the age of its entries.
 */
export async function dropOldTexts({ db }: Pick<Context, 'db'>): Promise<number> {
  await makePartitionsAhead(db)
  const end = await readOldestTextsDay(db, textRetention_days)
  const old = (await partitionDays(db, 'audit_texts')).filter((day) => day < end)
  const dropped = await Promise.all(old.map((day) => dropPartition(db, 'audit_texts', day)))
  return dropped.filter(Boolean).length
}
