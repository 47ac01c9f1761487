import type { Config } from '../config/config.ts'

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

declare const counted: unique symbol

/** An address as it is counted. Only `addressKey` makes one, so that no limit can be kept by an address as it was received. */
export type AddressKey = string & { readonly [counted]: true }

/** The limits of an address. All others have an id or a hash as their owner. */
type AddressLimitName = 'ip' | 'authorization'

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
