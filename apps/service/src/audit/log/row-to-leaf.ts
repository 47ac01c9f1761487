import { toHex, type LogLeaf } from '@vidimus/evidence'
import type { LeafRow } from './log-store.ts'

/** The leaf in the form that is hashed. */
export function rowToLeaf(row: Omit<LeafRow, 'index'>): LogLeaf {
  return {
    v: 1,
    at: row.at,
    heads: { count: row.heads_count, root: toHex(row.heads_root) },
    new_heads: { count: row.new_heads_count, root: toHex(row.new_heads_root) },
  }
}
