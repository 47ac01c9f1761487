import type { Config } from '../config/config.ts'
import type { Log } from '../observability/log.ts'
import type { Metrics } from '../observability/metrics.ts'
import {
  writeRateLimits,
  type RateLimits,
  type RateLimitKey,
  type CountRequest,
  type RateLimitState,
} from './rate-limits.ts'
import { openLocalCounter } from './local-counter.ts'

export type Limiter = {
  /** Counts a request. Returns nothing when limits are off. Never fails: without Redis this process counts alone. */
  count: CountRequest
  limits: RateLimits | undefined
}

export type LimiterOptions = {
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
  let away = countShared === undefined
  let retryAt_ms = countShared === undefined ? Number.POSITIVE_INFINITY : 0
  metrics.limiterShared.set(away ? 0 : 1)

  return {
    limits,
    async count(keys) {
      if (countShared === undefined || (away && performance.now() < retryAt_ms)) return countAlone(keys)
      // While Redis is down, only this request checks whether it is back.
      if (away) retryAt_ms = performance.now() + retryInterval_ms
      try {
        const states = await countShared(keys)
        if (away) turn(false)
        return states
      } catch (error) {
        // Any Redis error, including a time-out: the limiter must not cause a request to fail (LIMIT-3).
        retryAt_ms = performance.now() + retryInterval_ms
        if (!away) turn(true, error)
        return countAlone(keys)
      }
    },
  }

  function countAlone(keys: readonly RateLimitKey[]): RateLimitState[] {
    metrics.limiterLocal.inc()
    return countLocally(keys)
  }

  function turn(nowAway: boolean, error?: unknown): void {
    away = nowAway
    metrics.limiterShared.set(away ? 0 : 1)
    if (away) log.warn({ err: error }, 'Redis is unavailable: this process counts rate limits alone')
    else log.info('Redis is available again: rate limits are shared')
  }
}
