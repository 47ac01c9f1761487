import { expect, test } from 'vitest'
import { startRedisServer } from '../../../test/processes/redis-server.ts'
import { defaultRateLimits } from '../config/config-values.ts'
import { addressKey } from '../http/guard/client-address.ts'
import { writeRateLimits, type RateLimitKey } from '../limits/limiter.ts'
import { openRedis, waitForRedis } from './open.ts'
import { openSharedCounter } from './shared-counter.ts'

const key: RateLimitKey = { limit: 'key', owner: 'k' }
const ip: RateLimitKey = { limit: 'ip', owner: addressKey('203.0.113.1') }

/** Counters of several processes on one Redis, which also reports how many batches it has counted. */
async function openCounters(count: number, requests: { key: number; ip: number }, seconds = 60) {
  const limits = {
    ...defaultRateLimits,
    ...writeRateLimits,
    key: { requests: requests.key, seconds },
    ip: { requests: requests.ip, seconds },
    session: { requests: 1000, seconds },
  }
  const redis = await startRedisServer()
  const clients = Array.from({ length: count }, () => openRedis(redis.url))
  await Promise.all(clients.map((client) => waitForRedis(client, 20_000)))
  // On a busy machine a command can take longer than the service would wait.
  for (const client of clients) delete client.options.commandTimeout
  const counters = clients.map((client) => openSharedCounter(client, limits))
  return {
    /** What each request used, sent together and spread over the processes. */
    count: (sent: number, keys = [ip, key]) =>
      Promise.all(
        Array.from({ length: sent }, async (_, index) => {
          const states = await counters[index % count]?.(keys)
          return states?.map(({ used }) => used)
        }),
      ),
    async batches() {
      const info = (await clients[0]?.info('commandstats')) ?? ''
      return Number(/cmdstat_evalsha:calls=(\d+)/.exec(info)?.[1] ?? 0)
    },
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.disconnect()
      await redis[Symbol.asyncDispose]()
    },
  }
}

test('[LIMIT-2] processes count each request once, and what is left decreases by one with each', async () => {
  await using open = await openCounters(3, { key: 5000, ip: 9999 })
  const used: (number[] | undefined)[] = []
  for (let round = 0; round < 20; round += 1) used.push(...(await open.count(30)))

  expect(used.toSorted((a, b) => (a?.[0] ?? 0) - (b?.[0] ?? 0))).toEqual(
    Array.from({ length: 600 }, (_, index) => [index + 1, index + 1]),
  )
  // One for the requests that a process got together.
  expect(await open.batches()).toBeLessThanOrEqual(3 * 20)
})

test('[LIMIT-1] a request that exceeds a limit does not count against the later ones', async () => {
  await using open = await openCounters(1, { key: 9, ip: 2 })

  expect(await open.count(4)).toEqual([[1, 1], [2, 2], [3], [4]])
  expect(await open.count(1, [key])).toEqual([[3]])
})

test('[LIMIT-1] a counter starts again when its window has ended', async () => {
  await using open = await openCounters(1, { key: 5, ip: 9999 }, 1)
  await open.count(20)
  await new Promise((resolve) => setTimeout(resolve, 1010))

  expect(await open.count(1)).toEqual([[1, 1]])
})
