import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RateLimits, RateLimitKey, RateLimitState } from '../../limits/limiter.ts'
import { Refusal } from '../../basics/refusal.ts'
import type { ServerContext } from '../endpoint.ts'
import { waitPaused } from '../../scheduling/work.ts'
import { addressKey } from './client-address.ts'

/**
 * A caller that does not heed its refusals gets them late, from this many times its limit on: a refusal at once costs the event loop as much
 * as a small request, and a caller that waits for each sends thousands a second. Bounded, because each that waits needs memory.
 */
export const lateRefusals = { from_times: 2, wait_ms: 1000, waiting: 2048 }
let waiting = 0

/**
 * The counters of a caller: its address, the verification in the URL as a keyed hash with that address, and the SHA-256 of its token, which is an API
 * key, an access token or a session cookie.
 */
export function callerKeys(
  { ip }: FastifyRequest,
  { verification, tokenHash }: { verification?: string | undefined; tokenHash?: string | undefined } = {},
): RateLimitKey[] {
  const address = addressKey(ip)
  const keys: RateLimitKey[] = [{ limit: 'ip', owner: address }]
  // Anyone who has seen the QR code can send requests for its verification. They must not use up what is left for the wallet.
  if (verification !== undefined) keys.push({ limit: 'session', owner: `${verification} ${address}` })
  // 128 bits of it are enough to tell callers apart.
  if (tokenHash !== undefined) keys.push({ limit: 'key', owner: tokenHash.slice(0, 32) })
  return keys
}

/** Counts the request, sets the headers, and refuses it if any limit is exceeded. */
export async function limitRequest(
  http: ServerContext,
  reply: FastifyReply,
  keys: RateLimitKey[],
): Promise<void> {
  await refuseExceeded(http, await countRequest(http, reply, keys))
}

/** Counts the request and sets the rate-limit headers. */
export async function countRequest(
  { limiter }: ServerContext,
  reply: FastifyReply,
  keys: RateLimitKey[],
): Promise<readonly RateLimitState[]> {
  if (limiter.limits === undefined) return []
  const states = await waitPaused(limiter.count(keys))
  setRateLimitHeaders(reply, states, limiter.limits)
  return states
}

export async function refuseExceeded(
  { limiter, metrics }: ServerContext,
  states: readonly RateLimitState[],
  applies: (state: RateLimitState) => boolean = () => true,
): Promise<void> {
  for (const state of states) {
    if (remaining(state, limiter.limits) >= 0 || !applies(state)) continue
    metrics.rateLimited.inc({ budget: state.limit })
    if (isUnheeded(state, limiter.limits)) await waitLate()
    throw new Refusal(
      'rate_limit_exceeded',
      'Too many requests. Try again in a moment.',
      secondsToReset(state),
    )
  }
}

function isUnheeded({ limit, used }: RateLimitState, limits: RateLimits | undefined): boolean {
  return limits !== undefined && used > lateRefusals.from_times * limits[limit].requests
}

async function waitLate(): Promise<void> {
  if (waiting >= lateRefusals.waiting) return
  waiting += 1
  try {
    await waitPaused(sleep(lateRefusals.wait_ms))
  } finally {
    waiting -= 1
  }
}

function setRateLimitHeaders(
  reply: FastifyReply,
  states: readonly RateLimitState[],
  limits: RateLimits,
): void {
  let remainder = ''
  let policy = ''
  for (const state of states) {
    const { requests, seconds } = limits[state.limit]
    const comma = remainder === '' ? '' : ', '
    remainder += `${comma}"${state.limit}";r=${Math.max(0, remaining(state, limits))};t=${secondsToReset(state)}`
    policy += `${comma}"${state.limit}";q=${requests};w=${seconds}`
  }
  reply.header('ratelimit', remainder).header('ratelimit-policy', policy)
}

function remaining({ limit, used }: RateLimitState, limits: RateLimits | undefined): number {
  return limits === undefined ? 0 : limits[limit].requests - used
}

function secondsToReset({ reset_ms }: RateLimitState): number {
  return Math.max(1, Math.ceil(reset_ms / 1000))
}
