import { isAboutNow } from '../platform/db/is-about-now.ts'
import type { Placed } from './store.ts'

/**
 * Reads many sessions and gives every caller its own row, or undefined. When all are of one day about now, as nearly always,
 * the plan knows its one partition; otherwise it finds the partitions as it runs.
 */
export async function readByDay<Asked extends { day: string }, Row>(
  asked: Asked[],
  read: (asked: Asked[], day: string | undefined) => Promise<Placed<Row>[]>,
): Promise<(Row | undefined)[]> {
  const [day = '', ...others] = new Set(asked.map((each) => each.day))
  const rows = await read(asked, others.length === 0 && isAboutNow(day) ? day : undefined)
  const placed = new Map(rows.map((row) => [row.place, row]))
  return asked.map((_, index) => placed.get(index + 1))
}
