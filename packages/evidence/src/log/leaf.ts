import { z } from 'zod'
import { canonicalize } from '../canonicalize.ts'
import { hexHash, isoTime } from '../chain/entry-schema.ts'
import { leafHash } from '../hash.ts'
import type { Hash } from '../sha256.ts'

const Tree = z.strictObject({ count: z.int().min(1), root: hexHash })

/** One leaf of the cell's log: commits to the heads that are new since the previous leaf, and to all heads. */
export const LogLeaf = z.strictObject({ at: isoTime, heads: Tree, new_heads: Tree, v: z.literal(1) })
export type LogLeaf = z.infer<typeof LogLeaf>

export function hashLogLeaf(leaf: LogLeaf): Hash {
  return leafHash(canonicalize(leaf))
}
