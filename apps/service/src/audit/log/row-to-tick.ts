import { toHex, type Tick } from '@vidimus/evidence'
import type { TickRow } from './log-store.ts'

/** The tick in the form that is hashed. */
export function rowToTick(row: Omit<TickRow, 'index'>): Tick {
  return {
    v: 1,
    at: row.at,
    heads: { count: row.heads_count, root: toHex(row.heads_root) },
    new_heads: { count: row.new_heads_count, root: toHex(row.new_heads_root) },
  }
}
