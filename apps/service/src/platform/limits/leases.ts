import { boundedMap, type BoundedMap } from '@vidimus/protocol'
import type { RateLimitKey, RateLimitState } from './rate-limits.ts'

export const leaseBounds = {
  /** Callers of one limit whose leases are kept. Beyond this number the older half is dropped, and with it what it had left. */
  maxLeases: 20_000,
  maxRequests: 1024,
  /** One process leases at most this part of what is left of a limit: a sixteenth. */
  part: 16,
  /** With fewer requests left, each one is counted in Redis. */
  minLeft: 256,
}
/** A lease is sized to last this long, so a caller that stops leaves little unused. */
const duration_ms = 2000

/** Requests that Redis has already counted and this process has not used yet. */
type Lease = {
  /** The count in Redis when the lease was granted, with the leased requests. */
  counted: number
  left: number
  /** The end of the window, never after the real one. */
  ends_ms: number
  /** Until then the limit is known to be exceeded. Never before the real end, so that a caller that waits is served. */
  exceededUntil_ms: number
  grantedAt_ms: number
  /** Requests counted since then, including those that were granted with the lease. */
  requests: number
}

/** What Redis returned for a counter: the count without the granted lease, and the time to the end of the window. */
type LeaseGrant = { used: number; granted: number; reset_ms: number; requests: number }

export type Leases = {
  /** Counts a request if its caller has a lease, or if its limit is known to be exceeded. Otherwise Redis must count it. */
  take(key: RateLimitKey, now_ms: number): RateLimitState | undefined
  /** Returns a request that was taken at this time and must not be counted, because an earlier limit was exceeded. */
  giveBack(key: RateLimitKey, taken_ms: number): void
  /** How many requests to lease for a caller: twice as many as since the last time, or what it sends in `duration_ms`. */
  sizeFor(key: RateLimitKey, now_ms: number): number
  /** Keeps what Redis granted. The times are those before the command was sent and after its response. */
  keep(
    key: RateLimitKey,
    grant: LeaseGrant,
    times: { max: number; asked_ms: number; answered_ms: number },
  ): void
  clear(): void
}

/**
 * Leases of rate limits: most requests are counted here, without a round trip to Redis. Redis counts a lease when it is granted,
 * so all processes together never exceed a limit. What a process leases and does not use is lost to the caller until the window
 * ends: at most a sixteenth of the limit for each process (LIMIT-6).
 */
export function openLeases(): Leases {
  let byLimit = new Map<RateLimitKey['limit'], BoundedMap<string, Lease>>()
  const find = ({ limit, owner }: RateLimitKey) => byLimit.get(limit)?.get(owner)

  return {
    take(key, now_ms) {
      const lease = find(key)
      if (lease === undefined) return undefined
      if (lease.exceededUntil_ms > now_ms)
        return { limit: key.limit, used: lease.counted, reset_ms: lease.exceededUntil_ms - now_ms }
      if (lease.left === 0 || lease.ends_ms <= now_ms) return undefined
      lease.left -= 1
      lease.requests += 1
      return { limit: key.limit, used: lease.counted - lease.left, reset_ms: lease.ends_ms - now_ms }
    },
    giveBack(key, taken_ms) {
      const lease = find(key)
      // A later lease may belong to a later window, which would then get one request too many.
      if (lease === undefined || lease.grantedAt_ms >= taken_ms || lease.exceededUntil_ms > 0) return
      lease.left += 1
      lease.requests -= 1
    },
    sizeFor(key, now_ms) {
      const lease = find(key)
      if (lease === undefined) return 0
      const growth = Math.min(2, duration_ms / (now_ms - lease.grantedAt_ms))
      return Math.min(leaseBounds.maxRequests, Math.floor(lease.requests * growth))
    },
    keep(key, { used, granted, reset_ms, requests }, { max, asked_ms, answered_ms }) {
      let leases = byLimit.get(key.limit)
      if (leases === undefined) byLimit.set(key.limit, (leases = boundedMap(leaseBounds.maxLeases)))
      leases.set(key.owner, {
        counted: used + granted,
        left: granted,
        ends_ms: asked_ms + reset_ms,
        exceededUntil_ms: used > max ? answered_ms + reset_ms : 0,
        grantedAt_ms: asked_ms,
        requests,
      })
    },
    clear() {
      byLimit = new Map()
    },
  }
}
