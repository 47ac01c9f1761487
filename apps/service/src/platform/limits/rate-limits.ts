import type { Config } from '../../config.ts'

/** Changes by members in the dashboard. People do not make this many; a script with somebody's session would. */
export const writeRateLimits = {
  member: { requests: 300, seconds: 60 },
  tenant: { requests: 20_000, seconds: 86_400 },
  /** A tenant's test events: each is a request to an address of the member's choice. */
  test_event: { requests: 10, seconds: 60 },
}

type RateLimitName = 'ip' | 'session' | 'key' | keyof typeof writeRateLimits
export type RateLimits = Exclude<Config['RATE_LIMITS'], 'off'> & typeof writeRateLimits

/** Whose budget a request draws on. The holder is a hash or an address, never a secret: it is stored in Redis. */
export type RateLimitKey = { limit: RateLimitName; owner: string }

/** Where a budget stands after a request has drawn on it. `used` may exceed the budget: then the request is refused. */
export type RateLimitState = { limit: RateLimitName; used: number; reset_ms: number }

/**
 * Draws on each budget in turn and stops at the first that is spent, so that a refused request costs the later ones
 * nothing. A window opens with its first request: nobody can spend two budgets by waiting for a round minute.
 */
export type CountRequest = (keys: readonly RateLimitKey[]) => Promise<RateLimitState[]>
