import { boundedMap } from '@vidimus/protocol'
import type { RateLimits, RateLimitKey, RateLimitState } from './rate-limits.ts'

/** Beyond this number the older half is dropped: with that many callers, limits per process mean little. */
const maxWindows = 200_000

type Window = { used: number; ends: number }

/** Counts in this process's memory, for when Redis is unavailable. */
export function openLocalCounter(
  limits: RateLimits,
): (keys: readonly RateLimitKey[], now?: number) => RateLimitState[] {
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
