import type { Config } from '../../config.ts'

/** What people do in a browser. No person does this much; a script might. */
export const writeRateLimits = {
  member: { requests: 300, seconds: 60 },
  tenant: { requests: 20_000, seconds: 86_400 },
  /** Test events of a tenant. Each one is a request to a URL of the member's choice. */
  test_event: { requests: 10, seconds: 60 },
  /** Verifications that an address creates through OpenID Connect. Anyone may open such a link, and the tenant pays. */
  authorization: { requests: 30, seconds: 60 },
}

type RateLimitName = 'ip' | 'session' | 'key' | keyof typeof writeRateLimits
export type RateLimits = Exclude<Config['RATE_LIMITS'], 'off'> & typeof writeRateLimits

/** A counter that a request is counted against. The owner is a hash or an address, never a secret: it is stored in Redis. */
export type RateLimitKey = { limit: RateLimitName; owner: string }

/** The state of a counter after a request. If `used` exceeds the limit, the request is refused. */
export type RateLimitState = { limit: RateLimitName; used: number; reset_ms: number }

/**
 * Counts a request against each key in order and stops at the first exceeded limit, so that a refused request does not
 * count against the later ones. A window starts with its first request, so nobody gets two windows' worth by waiting for a full minute.
 * Returns a promise only if it has to wait.
 */
export type CountRequest = (keys: readonly RateLimitKey[]) => RateLimitState[] | Promise<RateLimitState[]>
