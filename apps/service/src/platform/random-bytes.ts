import { randomFillSync } from 'node:crypto'

const pool = Buffer.alloc(8192)
let used = pool.length

/**
 * Random bytes from a pool that is filled at once: a call of the generator costs ten times as much as the bytes of one id. Bytes are
 * removed from the pool when they are handed out, so none is used twice or stays in memory.
 */
export function takeRandomBytes(count: number): Buffer {
  if (count > pool.length) throw new RangeError(`the pool has only ${pool.length} bytes`)
  if (used + count > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const taken = Buffer.from(pool.subarray(used, used + count))
  pool.fill(0, used, used + count)
  used += count
  return taken
}
