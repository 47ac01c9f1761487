import type { Redis } from 'ioredis'
import { coalesce } from '../coalesce.ts'
import { leaseBounds, openLeases } from '../limits/leases.ts'
import type { RateLimits, RateLimitKey, CountRequest, RateLimitState } from '../limits/rate-limits.ts'
import { endWith, tracing, type SpanOptions } from '../tracing/tracing.ts'
import { replaceConnection } from './open.ts'

/**
 * KEYS: the counters of a batch of requests, each once. ARGV[1]: limit, window in milliseconds and wanted lease of each counter.
 * ARGV[2]: the positions of the counters of each request in order, requests separated by semicolons. Returns for each counter
 * its remaining time, its count and the lease granted beyond that count, then the new count for each counter of each request,
 * or -1 after an exceeded limit. However many requests arrive together, each counter is read once and written once.
 */
const script = `
local max, window_ms, wanted = {}, {}, {}
for requests, ms, lease in string.gmatch(ARGV[1], '(%d+) (%d+) (%d+)') do
  max[#max + 1] = tonumber(requests)
  window_ms[#window_ms + 1] = ms
  wanted[#wanted + 1] = tonumber(lease)
end
local before, used = {}, {}
for position, name in ipairs(KEYS) do
  before[position] = tonumber(redis.call('GET', name) or 0)
  used[position] = before[position]
end
local counts = {}
for request in string.gmatch(ARGV[2], '[^;]+') do
  local exceeded = false
  for text in string.gmatch(request, '%d+') do
    local position = tonumber(text)
    if exceeded then
      counts[#counts + 1] = -1
    else
      used[position] = used[position] + 1
      counts[#counts + 1] = used[position]
      exceeded = used[position] > max[position]
    end
  end
end
local result = {}
for position, name in ipairs(KEYS) do
  local left, granted = max[position] - used[position], 0
  if left >= ${leaseBounds.minLeft} and used[position] > 0 then
    granted = math.min(wanted[position], math.floor(left / ${leaseBounds.part}))
  end
  local added = used[position] - before[position] + granted
  if added > 0 then redis.call('INCRBY', name, added) end
  if before[position] == 0 and added > 0 then redis.call('PEXPIRE', name, window_ms[position]) end
  result[#result + 1] = redis.call('PTTL', name)
  result[#result + 1] = used[position]
  result[#result + 1] = granted
end
for index = 1, #counts do result[#result + 1] = counts[index] end
return result`

export const sharedCounterBounds = { maxBatch: 200, maxWaiting: 20_000 }
const redisSpan: SpanOptions = { kind: 'client', attributes: { 'db.system.name': 'redis' } }
/** Requests that already waited for a Redis that does not respond must not wait again. */
const failFastWindow_ms = 100

/** A request with the state of each of its counters, as far as it is known. */
type PendingRequest = {
  keys: readonly RateLimitKey[]
  states: (RateLimitState | undefined)[]
  received_ms: number
}

/**
 * Counters that all nodes share. A request is counted in this process if it has leases of all of its limits. All other requests
 * that arrive together take one round trip.
 */
export function openSharedCounter(redis: Redis, rateLimits: RateLimits): CountRequest {
  redis.defineCommand('countRequests', { lua: script })
  const countRequests = findCommand(redis)
  const leases = openLeases()
  // Redis may come back without its counters.
  redis.on('close', () => leases.clear())
  let failedAt = Number.NEGATIVE_INFINITY

  const countInRedis = coalesce<PendingRequest, RateLimitState[]>({
    ...sharedCounterBounds,
    async run(requests) {
      const asked_ms = performance.now()
      if (asked_ms - failedAt < failFastWindow_ms) throw new Error('Redis did not respond')
      // The batch before this one may have brought leases.
      const incomplete = requests.filter((request) => !takeLeases(request, asked_ms))
      if (incomplete.length > 0) await complete(incomplete, asked_ms)
      return requests.map(toStates)
    },
  })

  return (keys) => {
    const request: PendingRequest = { keys, states: [], received_ms: performance.now() }
    return takeLeases(request, request.received_ms) ? toStates(request) : countInRedis(request)
  }

  /** Counts a request against the limits of which this process has a lease. Returns whether no other has to be counted. */
  function takeLeases(request: PendingRequest, now_ms: number): boolean {
    const { keys, states } = request
    let isComplete = true
    for (const [index, key] of keys.entries()) {
      const state = (states[index] ??= leases.take(key, now_ms))
      if (state === undefined) isComplete = false
      else if (exceeds(state)) request.keys = keys.slice(0, index + 1)
      if (index === request.keys.length - 1) break
    }
    return isComplete
  }

  /** Counts requests in Redis against the other limits. */
  async function complete(requests: PendingRequest[], asked_ms: number): Promise<void> {
    const counters = new Map<string, Counter>()
    const requestList = requests.map((request) => listPositions(request, counters)).join(';')
    const limits = Array.from(counters.values(), ({ key }) => {
      const { requests: max, seconds } = rateLimits[key.limit]
      return `${max} ${seconds * 1000} ${leases.sizeFor(key, asked_ms)}`
    }).join(' ')
    try {
      const numbers = await endWith(
        tracing.tracer?.startSpan('redis countRequests', redisSpan),
        countRequests(counters.size, ...counters.keys(), limits, requestList),
      )
      const next = numbers.values()
      const answered_ms = performance.now()
      for (const counter of counters.values()) {
        const [reset_ms, used, granted] = [read(next), read(next), read(next)]
        counter.reset_ms = reset_ms
        const { key, requests: counted } = counter
        const max = rateLimits[key.limit].requests
        leases.keep(key, { used, granted, reset_ms, requests: counted }, { max, asked_ms, answered_ms })
      }
      for (const request of requests) fillStates(request, counters, next)
    } catch (error) {
      failedAt = performance.now()
      leases.clear()
      replaceConnection(redis)
      throw error
    }
  }

  /** The states up to the first exceeded limit. Leased requests of later limits are returned. */
  function toStates({ keys, states, received_ms }: PendingRequest): RateLimitState[] {
    const counted: RateLimitState[] = []
    let isExceeded = false
    for (const [index, state] of states.entries()) {
      const key = keys[index]
      if (state === undefined || key === undefined) continue
      if (isExceeded) leases.giveBack(key, received_ms)
      else counted.push(state)
      isExceeded ||= exceeds(state)
    }
    return counted
  }

  function exceeds({ limit, used }: RateLimitState): boolean {
    return used > rateLimits[limit].requests
  }
}

/** A counter in Redis: its position in the script's arguments, and how many requests of the batch it counts. */
type Counter = { key: RateLimitKey; position: number; requests: number; reset_ms: number }

/** The positions of the counters that Redis has to count for this request. */
function listPositions({ keys, states }: PendingRequest, counters: Map<string, Counter>): string {
  let positions = ''
  for (const [index, key] of keys.entries()) {
    if (states[index] !== undefined) continue
    const name = redisKey(key)
    let counter = counters.get(name)
    if (counter === undefined) {
      counter = { key, position: counters.size + 1, requests: 0, reset_ms: 0 }
      counters.set(name, counter)
    }
    counter.requests += 1
    positions += `${counter.position} `
  }
  return positions
}

function redisKey({ limit, owner }: RateLimitKey): string {
  return `vidimus:${limit}:${owner}`
}

/** Adds the states that Redis returned. A counter behind an exceeded limit has none. */
function fillStates(
  { keys, states }: PendingRequest,
  counters: Map<string, Counter>,
  numbers: ArrayIterator<number>,
): void {
  for (const [index, key] of keys.entries()) {
    if (states[index] !== undefined) continue
    const used = read(numbers)
    const reset_ms = counters.get(redisKey(key))?.reset_ms ?? 0
    if (used >= 0) states[index] = { limit: key.limit, used, reset_ms }
  }
}

function read(numbers: ArrayIterator<number>): number {
  const { value } = numbers.next()
  if (value === undefined) throw new Error('Redis returned too few numbers')
  return value
}

type CountCommand = (count: number, ...rest: string[]) => Promise<number[]>

/** ioredis adds the command to the client at run time, so its types do not include it. The script returns numbers only. */
function findCommand(redis: Redis): CountCommand {
  const { countRequests } = redis as Redis & { countRequests?: CountCommand }
  if (countRequests === undefined) throw new Error('ioredis did not define the command')
  return countRequests.bind(redis)
}
