import { z } from 'zod'
import { canonicalize } from '../canonicalize.ts'
import { hexHash, isoTime } from '../chain/entry-schema.ts'
import { leafHash } from '../hash.ts'
import type { Hash } from '../sha256.ts'

const Tree = z.strictObject({ count: z.int().min(1), root: hexHash })

/** One leaf of the cell's log: which heads are new since the tick before, and how all heads stand. */
export const Tick = z.strictObject({ at: isoTime, heads: Tree, new_heads: Tree, v: z.literal(1) })
export type Tick = z.infer<typeof Tick>

export function hashTick(tick: Tick): Hash {
  return leafHash(canonicalize(tick))
}
