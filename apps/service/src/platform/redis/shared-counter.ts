import type { Redis } from 'ioredis'
import { coalesce } from '../coalesce.ts'
import type { RateLimits, RateLimitKey, CountRequest, RateLimitState } from '../limits/rate-limits.ts'
import { replaceConnection } from './open.ts'

/**
 * KEYS: the counters of a batch of requests, each once. ARGV[1]: limit and window in milliseconds of each counter. ARGV[2]: the
 * positions of the counters of each request in order, requests separated by semicolons. Returns the remaining time of each
 * counter, then the new count for each counter of each request, or -1 after an exceeded limit. However many requests
 * arrive together, each counter is read once and written once.
 */
const script = `
local max, window_ms = {}, {}
for requests, ms in string.gmatch(ARGV[1], '(%d+) (%d+)') do
  max[#max + 1] = tonumber(requests)
  window_ms[#window_ms + 1] = ms
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
  if used[position] > before[position] then redis.call('INCRBY', name, used[position] - before[position]) end
  if before[position] == 0 and used[position] > 0 then redis.call('PEXPIRE', name, window_ms[position]) end
  result[position] = redis.call('PTTL', name)
end
for index = 1, #counts do result[#KEYS + index] = counts[index] end
return result`

export const sharedCounterBounds = { maxBatch: 200, maxWaiting: 20_000 }
/** Requests that already waited for a Redis that does not respond must not wait again. */
const failFastWindow_ms = 100

/** Counters that all nodes share. All requests that arrive together take one round trip. */
export function openSharedCounter(redis: Redis, rateLimits: RateLimits): CountRequest {
  redis.defineCommand('countRequests', { lua: script })
  const countRequests = findCommand(redis)
  let failedAt = Number.NEGATIVE_INFINITY

  return coalesce<readonly RateLimitKey[], RateLimitState[]>({
    ...sharedCounterBounds,
    async run(requests) {
      if (performance.now() - failedAt < failFastWindow_ms) throw new Error('Redis did not respond')
      const { names, limits, requestList } = combineRequests(requests, rateLimits)
      try {
        const numbers = await countRequests(names.size, ...names.keys(), limits, requestList)
        return toStates(requests, { numbers, names })
      } catch (error) {
        failedAt = performance.now()
        replaceConnection(redis)
        throw error
      }
    },
  })
}

/** The position of each counter, and the arguments of the script. */
function combineRequests(requests: (readonly RateLimitKey[])[], rateLimits: RateLimits) {
  const names = new Map<string, number>()
  let limits = ''
  let requestList = ''
  for (const request of requests) {
    for (const key of request) {
      const name = redisKey(key)
      let position = names.get(name)
      if (position === undefined) {
        position = names.size + 1
        names.set(name, position)
        limits += `${rateLimits[key.limit].requests} ${rateLimits[key.limit].seconds * 1000} `
      }
      requestList += `${position} `
    }
    requestList += ';'
  }
  return { names, limits, requestList }
}

function redisKey({ limit, owner }: RateLimitKey): string {
  return `vidimus:${limit}:${owner}`
}

function toStates(
  requests: (readonly RateLimitKey[])[],
  { numbers, names }: { numbers: number[]; names: Map<string, number> },
): RateLimitState[][] {
  let next = names.size
  return requests.map((request) => {
    const states: RateLimitState[] = []
    for (const key of request) {
      const used = numbers[next] ?? -1
      next += 1
      if (used < 0) continue
      const position = names.get(redisKey(key)) ?? 0
      states.push({ limit: key.limit, used, reset_ms: numbers[position - 1] ?? 0 })
    }
    return states
  })
}

type CountCommand = (count: number, ...rest: string[]) => Promise<number[]>

/** ioredis adds the command to the client at run time, so its types do not include it. The script returns numbers only. */
function findCommand(redis: Redis): CountCommand {
  const { countRequests } = redis as Redis & { countRequests?: CountCommand }
  if (countRequests === undefined) throw new Error('ioredis did not define the command')
  return countRequests.bind(redis)
}
