import { openLocalCounter } from '../limits/local-counter.ts'
import { Refusal } from '../refusal.ts'
import { addressKey } from './guard/client-address.ts'

/** The database is asked whether it is ready once in this time, however many ask us. */
export const readinessTtl_ms = 1000
/** Health checks of one address. */
export const healthLimit = { requests: 1200, seconds: 60 }

/** Callers within a second, or while a look is under way, share one. */
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

/** Counted in the process alone: whoever checks the health of a service must not depend on Redis, nor share a count with its callers. */
export function openHealthLimiter(): (ip: string) => void {
  const count = openLocalCounter({
    ip: healthLimit,
    key: healthLimit,
    session: healthLimit,
    member: healthLimit,
    tenant: healthLimit,
    test_event: healthLimit,
  })
  return (ip) => {
    const [state] = count([{ limit: 'ip', owner: addressKey(ip) }])
    if (state === undefined || state.used <= healthLimit.requests) return
    throw new Refusal('rate_limit_exceeded', 'Too many health checks from this address.', 1)
  }
}
