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
local most, length = {}, {}
for requests, ms in string.gmatch(ARGV[1], '(%d+) (%d+)') do
  most[#most + 1] = tonumber(requests)
  length[#length + 1] = ms
end
local before, used = {}, {}
for place, name in ipairs(KEYS) do
  before[place] = tonumber(redis.call('GET', name) or 0)
  used[place] = before[place]
end
local standings = {}
for request in string.gmatch(ARGV[2], '[^;]+') do
  local spent = false
  for digits in string.gmatch(request, '%d+') do
    local place = tonumber(digits)
    if spent then
      standings[#standings + 1] = -1
    else
      used[place] = used[place] + 1
      standings[#standings + 1] = used[place]
      spent = used[place] > most[place]
    end
  end
end
local answer = {}
for place, name in ipairs(KEYS) do
  if used[place] > before[place] then redis.call('INCRBY', name, used[place] - before[place]) end
  if before[place] == 0 and used[place] > 0 then redis.call('PEXPIRE', name, length[place]) end
  answer[place] = redis.call('PTTL', name)
end
for draw = 1, #standings do answer[#KEYS + draw] = standings[draw] end
return answer`

export const sharedCounterBounds = { maxBatch: 200, maxWaiting: 20_000 }
/** Requests that already waited for a Redis that does not respond must not wait again. */
const failFastWindow_ms = 100

/** Counters that all nodes share. All requests that arrive together take one round trip. */
export function openSharedCounter(redis: Redis, rateLimits: RateLimits): CountRequest {
  redis.defineCommand('spendBudgets', { lua: script })
  const spendBudgets = findCommand(redis)
  let failedAt = Number.NEGATIVE_INFINITY

  return coalesce<readonly RateLimitKey[], RateLimitState[]>({
    ...sharedCounterBounds,
    async run(requests) {
      if (performance.now() - failedAt < failFastWindow_ms) throw new Error('Redis did not respond')
      const { names, limits, draws: keys } = combineRequests(requests, rateLimits)
      try {
        const numbers = await spendBudgets(names.size, ...names.keys(), limits, keys)
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
  let keys = ''
  for (const request of requests) {
    for (const draw of request) {
      const name = redisKey(draw)
      let position = names.get(name)
      if (position === undefined) {
        position = names.size + 1
        names.set(name, position)
        limits += `${rateLimits[draw.limit].requests} ${rateLimits[draw.limit].seconds * 1000} `
      }
      keys += `${position} `
    }
    keys += ';'
  }
  return { names, limits, draws: keys }
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
    for (const draw of request) {
      const used = numbers[next] ?? -1
      next += 1
      if (used < 0) continue
      const position = names.get(redisKey(draw)) ?? 0
      states.push({ limit: draw.limit, used, reset_ms: numbers[position - 1] ?? 0 })
    }
    return states
  })
}

type CountCommand = (count: number, ...rest: string[]) => Promise<number[]>

/** ioredis adds the command to the client at run time, so its types do not include it. The script returns numbers only. */
function findCommand(redis: Redis): CountCommand {
  const { spendBudgets } = redis as Redis & { spendBudgets?: CountCommand }
  if (spendBudgets === undefined) throw new Error('ioredis did not define the command')
  return spendBudgets.bind(redis)
}
