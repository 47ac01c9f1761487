import type { Tick } from './evidence/tick.ts'
import type { TickRow } from './log-store.ts'

/** The tick that a row holds, as it is hashed. */
export function tickOf(row: Omit<TickRow, 'index'>): Tick {
  return {
    v: 1,
    at: row.at,
    heads: { count: row.heads_count, root: row.heads_root.toString('hex') },
    new_heads: { count: row.new_heads_count, root: row.new_heads_root.toString('hex') },
  }
}
