import { expect, test } from 'vitest'
import { caller } from '../../../test/caller.ts'
import type { InjectedFault } from '../../../test/processes/inject-faults.ts'
import { startProcesses } from '../../../test/processes/processes.ts'
import { startRedisServer } from '../../../test/processes/redis-server.ts'
import { openRedis, waitForRedis } from '../redis/open.ts'
import { openSharedCounter } from '../redis/shared-counter.ts'
import { leaseBounds, openLeases } from './leases.ts'
import { writeRateLimits, type RateLimitKey, type RateLimitState } from './rate-limits.ts'

const key: RateLimitKey = { limit: 'key', owner: 'k' }
const ip: RateLimitKey = { limit: 'ip', owner: 'a' }

function limitsOf(requests: { key: number; ip: number }, seconds = 60) {
  return {
    ...writeRateLimits,
    key: { requests: requests.key, seconds },
    ip: { requests: requests.ip, seconds },
    session: { requests: 1000, seconds },
  }
}

/** Counters of several processes on one Redis, which also reports how many commands it has run. */
async function openCounters(count: number, limits: ReturnType<typeof limitsOf>) {
  const redis = await startRedisServer()
  const clients = Array.from({ length: count }, () => openRedis(redis.url))
  await Promise.all(clients.map((client) => waitForRedis(client, 20_000)))
  // On a busy machine a command can take longer than the service would wait.
  for (const client of clients) delete client.options.commandTimeout
  return {
    redis,
    counters: clients.map((client) => openSharedCounter(client, limits)),
    async commands() {
      const info = (await clients[0]?.info('commandstats')) ?? ''
      return Number(/cmdstat_evalsha:calls=(\d+)/.exec(info)?.[1] ?? 0)
    },
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.disconnect()
      await redis[Symbol.asyncDispose]()
    },
  }
}

function isAccepted(states: RateLimitState[], limits: ReturnType<typeof limitsOf>): boolean {
  return states.every(({ limit, used }) => used <= limits[limit].requests)
}

test('[LIMIT-6] processes that share a limit accept no more than it, and at most a sixteenth less for each process', async () => {
  const limits = limitsOf({ key: 2000, ip: 99_999 })
  await using open = await openCounters(3, limits)
  const accepted = [0, 0, 0]
  for (const [index, count] of open.counters.entries()) {
    // The first two stop while they have a lease; the last one sends until it is refused.
    const rounds = index === 2 ? 100 : 20
    for (let round = 0; round < rounds; round += 1) {
      const states = await Promise.all(Array.from({ length: 30 }, async () => count([ip, key])))
      accepted[index] = (accepted[index] ?? 0) + states.filter((state) => isAccepted(state, limits)).length
    }
  }
  const total = accepted.reduce((sum, each) => sum + each)

  expect(accepted.slice(0, 2)).toEqual([600, 600])
  expect(total).toBeLessThanOrEqual(2000)
  expect(total).toBeGreaterThanOrEqual(2000 - 3 * (2000 / leaseBounds.part))
  // 4,200 requests.
  expect(await open.commands()).toBeLessThan(150)
})

test('[LIMIT-6] with fewer than 256 requests left, each one is counted, so no caller is refused early', async () => {
  const limits = limitsOf({ key: 255, ip: 99_999 })
  await using open = await openCounters(2, limits)
  const [first, second] = open.counters
  let accepted = 0
  for (let round = 0; round < 300; round += 1) {
    const states = await (round % 7 === 0 ? first : second)?.([ip, key])
    if (isAccepted(states ?? [], limits)) accepted += 1
  }

  expect(accepted).toBe(255)
})

test('[LIMIT-6] an exceeded limit is refused without Redis until its window ends, and then served', async () => {
  const limits = limitsOf({ key: 2, ip: 99_999 }, 2)
  await using open = await openCounters(1, limits)
  const [count] = open.counters
  const states = []
  for (let round = 0; round < 50; round += 1) states.push((await count?.([ip, key])) ?? [])
  const refused = states.filter((state) => !isAccepted(state, limits))

  expect(refused).toHaveLength(48)
  const reset_ms = refused.map((state) => state[1]?.reset_ms ?? 0)
  expect(reset_ms).toEqual(reset_ms.toSorted((a, b) => b - a))
  expect(Math.max(...reset_ms)).toBeLessThanOrEqual(2000)
  expect(await open.commands()).toBeLessThan(30)
  // A timer drops the fraction of a millisecond.
  await new Promise((resolve) => setTimeout(resolve, Math.ceil(reset_ms.at(-1) ?? 0) + 1))
  expect(isAccepted((await count?.([ip, key])) ?? [], limits)).toBe(true)
})

test('[LIMIT-4] [LIMIT-6] the remaining requests that one process reports decrease by one with each request', async () => {
  const limits = limitsOf({ key: 5000, ip: 99_999 })
  await using open = await openCounters(1, limits)
  const [count] = open.counters
  const used: number[] = []
  for (let round = 0; round < 40; round += 1)
    for (const states of await Promise.all(Array.from({ length: 20 }, async () => count?.([ip, key]))))
      used.push(states?.[1]?.used ?? 0)

  expect(used).toEqual(Array.from({ length: 800 }, (_, index) => index + 1))
})

test('[LIMIT-6] a lease ends with its window', async () => {
  const limits = limitsOf({ key: 5000, ip: 99_999 }, 1)
  await using open = await openCounters(1, limits)
  const [count] = open.counters
  for (let round = 0; round < 20; round += 1) await count?.([ip, key])
  await new Promise((resolve) => setTimeout(resolve, 1010))

  expect((await count?.([ip, key]))?.map(({ used }) => used)).toEqual([1, 1])
})

test('[LIMIT-6] a request refused by an earlier limit returns what it took of the later ones', () => {
  const leases = openLeases()
  const grant = { used: 10, granted: 5, reset_ms: 1000, requests: 10 }
  leases.keep(key, grant, { max: 1000, asked_ms: 0, answered_ms: 1 })

  expect(leases.take(key, 10)?.used).toBe(11)
  leases.giveBack(key, 10)
  expect(leases.take(key, 20)?.used).toBe(11)
  // A later lease, perhaps of a later window, does not get what was taken from this one.
  leases.keep(key, { ...grant, used: 0, granted: 1 }, { max: 1000, asked_ms: 1500, answered_ms: 1501 })
  leases.giveBack(key, 20)
  expect([1600, 1601].map((now_ms) => leases.take(key, now_ms)?.used)).toEqual([1, undefined])
})

test('[LIMIT-6] a lease is sized by what its caller sends and is never larger than its bound', () => {
  const leases = openLeases()
  const sizeAfter = (requests: number, elapsed_ms: number) => {
    leases.keep(
      key,
      { used: 0, granted: 0, reset_ms: 60_000, requests },
      { max: 1e6, asked_ms: 0, answered_ms: 1 },
    )
    return leases.sizeFor(key, elapsed_ms)
  }

  expect(leases.sizeFor(key, 0)).toBe(0)
  expect(sizeAfter(1, 5000)).toBe(0)
  expect(sizeAfter(10, 500)).toBe(20)
  expect(sizeAfter(10, 4000)).toBe(5)
  expect(sizeAfter(1e6, 500)).toBe(leaseBounds.maxRequests)
})

test('[LIMIT-6] the number of leases is bounded', () => {
  const leases = openLeases()
  const grant = { used: 1, granted: 9, reset_ms: 60_000, requests: 1 }
  for (let index = 0; index < 3 * leaseBounds.maxLeases; index += 1)
    leases.keep({ limit: 'ip', owner: `${index}` }, grant, { max: 1e6, asked_ms: 0, answered_ms: 1 })
  const kept = Array.from({ length: 3 * leaseBounds.maxLeases }, (_, index) =>
    leases.take({ limit: 'ip', owner: `${index}` }, 10),
  ).filter((state) => state !== undefined)

  expect(kept.length).toBeLessThanOrEqual(leaseBounds.maxLeases)
  leases.clear()
  expect(leases.take({ limit: 'ip', owner: `${3 * leaseBounds.maxLeases - 1}` }, 10)).toBeUndefined()
})

const uncountedLeases: InjectedFault = {
  file: 'platform/redis/shared-counter.ts',
  find: "redis.call('INCRBY', name, added)",
  replacement: "redis.call('INCRBY', name, added - granted)",
}

/** Sends 1,400 requests with one key, whose limit is 1,000, to two processes in turn. */
async function acceptedByTwoProcesses(injectedFaults: InjectedFault[]): Promise<number> {
  await using redis = await startRedisServer()
  await using service = await startProcesses(2, {
    injectedFaults,
    environment: { REDIS_URL: redis.url, RATE_LIMITS: 'key=1000/600,ip=99999/600,session=99999/600' },
  })
  const merchant = await service.tenant()
  const callers = service.processes.map(({ address }) => caller(address, merchant.key))
  let accepted = 0
  for (let round = 0; round < 70; round += 1) {
    const responses = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => callers[(round + index) % 2]?.get('/v1/usage')),
    )
    accepted += responses.filter((response) => response?.status === 200).length
  }
  return accepted
}

test('[LIMIT-6] two processes accept no more than a limit, and little less', async () => {
  const accepted = await acceptedByTwoProcesses([])

  expect(accepted).toBeLessThanOrEqual(1000)
  expect(accepted).toBeGreaterThanOrEqual(1000 - 2 * Math.ceil(1000 / leaseBounds.part))
})

test('[LIMIT-6] leases that Redis does not count would exceed the limit', async () => {
  expect(await acceptedByTwoProcesses([uncountedLeases])).toBeGreaterThan(1000)
})
