import { type DayGroup, groupByDay } from '../../engine/db/index.ts'
import type { BatchRow } from '../store.ts'

/**
 * Reads many sessions and gives every caller its own row, or undefined. `read` is called one after the other, because it may use
 * a transaction, and nearly always once: see `groupByDay`.
 */
export async function readByDay<Key extends { day: string }, Row>(
  keys: readonly Key[],
  read: (keys: Key[], onDay: DayGroup<Key>['onDay']) => Promise<BatchRow<Row>[]>,
): Promise<(Row | undefined)[]> {
  const rowByKey = new Map<Key, Row>()
  for (const group of groupByDay(keys)) {
    for (const row of await read(group.keys, group.onDay)) {
      const key = group.keys[row.place - 1]
      if (key !== undefined) rowByKey.set(key, row)
    }
  }
  return keys.map((key) => rowByKey.get(key))
}
