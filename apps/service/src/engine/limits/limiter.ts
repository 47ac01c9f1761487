import { boundedMap } from '@vidimus/protocol'
import type { Config } from '../config/config.ts'
import type { Log } from '../observability/log.ts'
import type { Metrics } from '../observability/metrics.ts'

export type Limiter = {
  /** Counts a request. Returns nothing when limits are off. Never fails: without Redis this process counts alone. */
  count: CountRequest
  limits: RateLimits | undefined
}

type LimiterOptions = {
  config: Pick<Config, 'RATE_LIMITS'>
  /** Counters shared by all nodes, if Redis is configured. */
  shared: ((limits: RateLimits) => CountRequest) | undefined
  log: Log
  metrics: Metrics
}

/** How long to wait after a Redis failure. Then one request tries Redis while the others keep counting locally. */
const retryInterval_ms = 500

export function openLimiter({ config, shared, log, metrics }: LimiterOptions): Limiter {
  if (config.RATE_LIMITS === 'off') return { limits: undefined, count: async () => [] }
  const limits: RateLimits = { ...config.RATE_LIMITS, ...writeRateLimits }
  const countLocally = openLocalCounter(limits)
  const countShared = shared?.(limits)
  let isUnavailable = countShared === undefined
  let retryAt_ms = countShared === undefined ? Number.POSITIVE_INFINITY : 0
  metrics.limiterShared.set(isUnavailable ? 0 : 1)

  return {
    limits,
    async count(keys) {
      if (countShared === undefined || (isUnavailable && performance.now() < retryAt_ms))
        return countAlone(keys)
      // While Redis is down, only this request checks whether it is back.
      if (isUnavailable) retryAt_ms = performance.now() + retryInterval_ms
      try {
        const states = await countShared(keys)
        if (isUnavailable) setUnavailable(false)
        return states
      } catch (error) {
        // Any Redis error, including a time-out: the limiter must not cause a request to fail (LIMIT-3).
        retryAt_ms = performance.now() + retryInterval_ms
        if (!isUnavailable) setUnavailable(true, error)
        return countAlone(keys)
      }
    },
  }

  function countAlone(keys: readonly RateLimitKey[]): RateLimitState[] {
    metrics.limiterLocal.inc()
    return countLocally(keys)
  }

  function setUnavailable(unavailable: boolean, error?: unknown): void {
    isUnavailable = unavailable
    metrics.limiterShared.set(isUnavailable ? 0 : 1)
    if (isUnavailable) log.warn({ err: error }, 'Redis is unavailable: this process counts rate limits alone')
    else log.info('Redis is available again: rate limits are shared')
  }
}

type Window = { used: number; ends: number }

/** Beyond this number the older half is dropped: with that many callers, limits per process mean little. */
const maxWindows = 200_000

/** Counts in this process's memory, for when Redis is unavailable. */
export function openLocalCounter<Name extends RateLimitName>(
  limits: Pick<RateLimits, Name>,
): (keys: readonly (RateLimitKey & { limit: Name })[], now?: number) => RateLimitState[] {
  const windows = boundedMap<string, Window>(maxWindows)

  return (keys, now = performance.now()) => {
    const states: RateLimitState[] = []
    for (const { limit, owner } of keys) {
      const { requests, seconds } = limits[limit]
      const window = openWindow(`${limit}:${owner}`, now, seconds * 1000)
      window.used += 1
      states.push({ limit, used: window.used, reset_ms: window.ends - now })
      if (window.used > requests) break
    }
    return states
  }

  function openWindow(name: string, now: number, length_ms: number): Window {
    const current = windows.get(name)
    if (current !== undefined && current.ends > now) return current
    const fresh = { used: 0, ends: now + length_ms }
    windows.set(name, fresh)
    return fresh
  }
}

type RateLimitName = keyof RateLimits
export type RateLimits = Exclude<Config['RATE_LIMITS'], 'off'> & typeof writeRateLimits

/** An address as it is counted. Only `addressKey` makes one, so that no limit can be kept by an address as it was received. */
export type AddressKey = string & { readonly [counted]: true }

/** The limit of an address. All others have an id or a hash as their owner, some with an address. */
type AddressLimitName = 'ip'

/** A counter that a request is counted against. The owner is never a secret: it is stored in Redis. */
export type RateLimitKey =
  | { limit: AddressLimitName; owner: AddressKey }
  | { limit: Exclude<RateLimitName, AddressLimitName>; owner: string }

/** The state of a counter after a request. If `used` exceeds the limit, the request is refused. */
export type RateLimitState = { limit: RateLimitName; used: number; reset_ms: number }

/**
 * Counts a request against each key in order and stops at the first exceeded limit, so that a refused request does not
 * count against the later ones. A window starts with its first request, so nobody gets two windows' worth by waiting for a full minute.
 */
export type CountRequest = (keys: readonly RateLimitKey[]) => Promise<RateLimitState[]>

/** What people do in a browser. No person does this much; a script might. */
export const writeRateLimits = {
  member: { requests: 300, seconds: 60 },
  tenant: { requests: 20_000, seconds: 86_400 },
  /** Verifications that one address creates with one link. The daily limit of the link allows an address a part of them. */
  link: { requests: 10, seconds: 60 },
  link_day: { requests: 100_000, seconds: 86_400 },
  /** Codes that one address enters on a tenant's page for erasures, and all addresses together. */
  erasure: { requests: 10, seconds: 60 },
  erasure_tenant: { requests: 600, seconds: 60 },
  /** Verifications that one address creates there, which count against the tenant's quota. */
  erasure_day: { requests: 20, seconds: 86_400 },
  /** Test events of a tenant. Each one is a request to a URL of the member's choice. */
  test_event: { requests: 10, seconds: 60 },
}

declare const counted: unique symbol
