import { openLocalCounter } from '../limits/limiter.ts'
import { Refusal } from '../basics/refusal.ts'
import { addressKey } from './guard/client-address.ts'

/** The database is checked at most once in this time, however many health checks arrive. */
export const readinessTtl_ms = 1000
/** Health checks per address. */
export const healthLimit = { requests: 1200, seconds: 60 }

/** Callers within this time, or while a check is running, share one check. */
export function shareCheck<Result>(check: () => Promise<Result>): () => Promise<Result> {
  let shared: { began_ms: number; result: Promise<Result>; ended: boolean } | undefined
  return () => {
    const now_ms = performance.now()
    if (shared !== undefined && (!shared.ended || now_ms - shared.began_ms < readinessTtl_ms))
      return shared.result
    const current = { began_ms: now_ms, result: check(), ended: false }
    const end = () => void (current.ended = true)
    current.result.then(end, end)
    shared = current
    return current.result
  }
}

/** Counted in this process only: a health check must not depend on Redis or share a counter with API calls. */
export function openHealthLimiter(): (ip: string) => void {
  const count = openLocalCounter({ ip: healthLimit })
  return (ip) => {
    const [state] = count([{ limit: 'ip', owner: addressKey(ip) }])
    if (state === undefined || state.used <= healthLimit.requests) return
    throw new Refusal('rate_limit_exceeded', 'Too many health checks from this address.', 1)
  }
}
