import { openStatusList, type StatusListToken } from '@vidimus/protocol'

export type Copy = {
  /** Undefined: the list could not be had. */
  token: StatusListToken | undefined
  /** When it was fetched, as the database says, for a copy that lies there too. */
  fetched_at: string | null
  /** Seconds since 1970. Until then it may be used without asking anybody. */
  good_until: number
}

export type Copies = {
  get(key: string): Copy | undefined
  set(key: string, copy: Copy): void
}

const limits = { bytes: 128 * 1024 * 1024, copies: 2000 }
const overheadBytes = 1024

/** Keeps copies in memory, with the lists they open to. When there are too many, the one unused for longest goes. */
export function keepCopies({ bytes, copies }: typeof limits = limits): Copies {
  const kept = new Map<string, { copy: Copy; size: number }>()
  let total = 0

  function drop(key: string): void {
    total -= kept.get(key)?.size ?? 0
    kept.delete(key)
  }

  return {
    get(key) {
      const found = kept.get(key)
      if (found === undefined) return undefined
      kept.delete(key)
      kept.set(key, found)
      return found.copy
    },
    set(key, copy) {
      drop(key)
      const size = sizeOf(copy)
      if (size > bytes) return
      kept.set(key, { copy, size })
      total += size
      for (const oldest of kept.keys()) {
        if (total <= bytes && kept.size <= copies) break
        drop(oldest)
      }
    },
  }
}

function sizeOf({ token }: Copy): number {
  if (token === undefined) return overheadBytes
  const opened = openStatusList(token)
  return overheadBytes + token.token.length + ('value' in opened ? opened.value.bytes.length : 0)
}
