import type { Redis } from 'ioredis'
import { coalesce } from '../db/coalesce.ts'
import type { RateLimits, RateLimitKey, CountRequest, RateLimitState } from '../limits/limiter.ts'
import { SpanKind, endWith } from '../observability/spans.ts'
import { tracing } from '../observability/tracing.ts'
import { replaceConnection } from './open.ts'

/**
 * KEYS: the counters of a batch of requests, each once. ARGV[1]: limit and window in milliseconds of each counter. ARGV[2]: the
 * positions of the counters of each request, in order. Returns the remaining time of each counter, then for each request the new
 * counts of its counters up to the first exceeded limit.
 */
const script = `
local limits, requests = cjson.decode(ARGV[1]), cjson.decode(ARGV[2])
local counts = {}
for index, positions in ipairs(requests) do
  counts[index] = {}
  for _, position in ipairs(positions) do
    local max, window_ms = unpack(limits[position])
    local used = redis.call('INCR', KEYS[position])
    if used == 1 then redis.call('PEXPIRE', KEYS[position], window_ms) end
    table.insert(counts[index], used)
    if used > max then break end
  end
end
local resets = {}
for position, name in ipairs(KEYS) do resets[position] = redis.call('PTTL', name) end
return { resets, counts }`

export const sharedCounterBounds = { maxBatch: 200, maxWaiting: 20_000 }
const redisSpan = { kind: SpanKind.CLIENT, attributes: { 'db.system.name': 'redis' } }
/** Requests that already waited for a Redis that does not respond must not wait again. */
const failFastWindow_ms = 100

/** Counters that all nodes share. Requests that arrive together take one round trip. */
export function openSharedCounter(redis: Redis, rateLimits: RateLimits): CountRequest {
  redis.defineCommand('countRequests', { lua: script })
  const countRequests = findCommand(redis)
  let failedAt = Number.NEGATIVE_INFINITY

  return coalesce<readonly RateLimitKey[], RateLimitState[]>({
    ...sharedCounterBounds,
    async run(requests) {
      if (performance.now() - failedAt < failFastWindow_ms) throw new Error('Redis did not respond')
      const { names, limits, positions } = listCounters(requests, rateLimits)
      try {
        const [resets, counts] = await endWith(
          tracing.tracer?.startSpan('redis countRequests', redisSpan),
          countRequests(names.length, ...names, JSON.stringify(limits), JSON.stringify(positions)),
        )
        return requests.map((keys, request) =>
          keys.slice(0, counts[request]?.length).map(({ limit }, index) => ({
            limit,
            used: counts[request]?.[index] ?? 0,
            reset_ms: resets[(positions[request]?.[index] ?? 0) - 1] ?? 0,
          })),
        )
      } catch (error) {
        failedAt = performance.now()
        replaceConnection(redis)
        throw error
      }
    },
  })
}

/** The arguments of the script. Positions count from 1, as in Lua. */
function listCounters(requests: readonly (readonly RateLimitKey[])[], rateLimits: RateLimits) {
  const positionOf = new Map<string, number>()
  const limits: [max: number, window_ms: number][] = []
  const positions = requests.map((keys) =>
    keys.map(({ limit, owner }) => {
      const name = `vidimus:${limit}:${owner}`
      const known = positionOf.get(name)
      if (known !== undefined) return known
      const { requests: max, seconds } = rateLimits[limit]
      const position = limits.push([max, seconds * 1000])
      positionOf.set(name, position)
      return position
    }),
  )
  return { names: [...positionOf.keys()], limits, positions }
}

type CountCommand = (count: number, ...rest: string[]) => Promise<[resets: number[], counts: number[][]]>

/** ioredis adds the command to the client at run time, so its types do not include it. The script returns numbers only. */
function findCommand(redis: Redis): CountCommand {
  const { countRequests } = redis as Redis & { countRequests?: CountCommand }
  if (countRequests === undefined) throw new Error('ioredis did not define the command')
  return countRequests.bind(redis)
}
