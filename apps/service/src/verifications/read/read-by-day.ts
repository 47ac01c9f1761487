import { isAboutNow } from '../../platform/db/is-about-now.ts'
import type { BatchRow } from '../store.ts'

/**
 * Reads many sessions and gives every caller its own row, or undefined. If all are from one recent day, as is nearly always
 * the case, the plan knows its only partition; otherwise PostgreSQL finds the partitions at execution time.
 */
export async function readByDay<Row>(
  keys: { day: string }[],
  read: (day: string | undefined) => Promise<BatchRow<Row>[]>,
): Promise<(Row | undefined)[]> {
  const [day = '', ...others] = new Set(keys.map((key) => key.day))
  const rows = await read(others.length === 0 && isAboutNow(day) ? day : undefined)
  const rowByPlace = new Map(rows.map((row) => [row.place, row]))
  return keys.map((_, index) => rowByPlace.get(index + 1))
}
