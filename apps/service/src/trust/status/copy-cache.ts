import { describeList, type StatusListToken } from '@vidimus/protocol'

export type StatusListCopy = {
  /** Undefined: the list was unavailable. */
  token: StatusListToken | undefined
  /** The authority of a certificate revocation list or an OCSP response. */
  crl_issuer?: Uint8Array | undefined
  /** When it was fetched, by the database's clock; null if the copy is not in the database. */
  fetched_at: string | null
  /** Seconds since 1970. Until then it may be used without a query. */
  good_until: number
}

export type CopyCache = {
  get(key: string): StatusListCopy | undefined
  set(key: string, copy: StatusListCopy): void
}

const cacheLimits = { bytes: 128 * 1024 * 1024, copies: 2000 }
const overhead_bytes = 1024

/** Caches copies in memory, together with the lists they inflate to. The least recently used one is evicted first. */
export function openCopyCache({ bytes, copies }: typeof cacheLimits = cacheLimits): CopyCache {
  const entries = new Map<string, { copy: StatusListCopy; size: number }>()
  let total = 0

  function drop(key: string): void {
    total -= entries.get(key)?.size ?? 0
    entries.delete(key)
  }

  return {
    get(key) {
      const found = entries.get(key)
      if (found === undefined) return undefined
      entries.delete(key)
      entries.set(key, found)
      return found.copy
    },
    set(key, copy) {
      drop(key)
      const size = sizeInBytes(copy)
      if (size > bytes) return
      entries.set(key, { copy, size })
      total += size
      for (const oldest of entries.keys()) {
        if (total <= bytes && entries.size <= copies) break
        drop(oldest)
      }
    },
  }
}

function sizeInBytes({ token, crl_issuer }: StatusListCopy): number {
  if (token === undefined) return overhead_bytes
  const described = describeList(token, crl_issuer)
  return overhead_bytes + ('value' in described ? described.value.size_bytes : token.token.length)
}
