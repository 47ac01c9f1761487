/** A map that evicts its oldest entry when full. For values that can be computed again. */
export type BoundedMap<K, V> = { get: (key: K) => V | undefined; set: (key: K, value: V) => void }

export function boundedMap<K, V>(limit: number): BoundedMap<K, V> {
  const entries = new Map<K, V>()
  return {
    get: (key) => entries.get(key),
    set(key, value) {
      if (entries.size >= limit)
        for (const oldest of entries.keys()) {
          entries.delete(oldest)
          break
        }
      entries.set(key, value)
    },
  }
}
