import type { Db } from '../../engine/db/index.ts'
import { readTicks, type TickRow } from '../log/log-store.ts'

/** Ticks read at a time. */
const pageSize = 1000

/** The first `size` ticks of the log in order, one page at a time. */
export async function* readTickPages(db: Db, size: number): AsyncGenerator<TickRow[]> {
  for (let from = 0; from < size; from += pageSize) {
    const ticks = await readTicks(db, [{ from, to: from + pageSize }])
    yield ticks.toSorted((a, b) => a.index - b.index)
  }
}
