import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { caller } from '../../../test/caller.ts'
import { startProcesses } from '../../../test/processes/processes.ts'
import { probes } from '../../../test/probes.ts'
import { startRedisServer } from '../../../test/processes/redis-server.ts'
import { startService } from '../../../test/service.ts'
import { defaultRateLimits } from '../config/config-values.ts'
import { openLocalCounter, writeRateLimits } from './limiter.ts'
import { addressKey } from '../http/guard/client-address.ts'
import { lateRefusals } from '../http/guard/rate-limit.ts'

const withProbes = fileURLToPath(new URL('../../../test/serve-probes.ts', import.meta.url))

function repeat<Result>(count: number, send: (index: number) => Promise<Result>): Promise<Result[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => send(index)))
}

function countByStatus(responses: { status: number }[]): Record<number, number> {
  return Object.fromEntries(
    [...Map.groupBy(responses, ({ status }) => status)].map(([status, of]) => [status, of.length]),
  )
}

test('[LIMIT-1] a key, an address and a verification each have a limit, and beyond it comes 429 with Retry-After', async () => {
  await using redis = await startRedisServer()
  await using service = await startService({
    extra: probes,
    environment: { REDIS_URL: redis.url, RATE_LIMITS: 'key=5/600,ip=40/600,session=3/600' },
  })
  const [merchant, other] = [await service.tenant(), await service.tenant()]

  const ofKey = await repeat(8, () => merchant.get('/v1/probe'))
  expect(countByStatus(ofKey)).toEqual({ 200: 5, 429: 3 })
  const refused = ofKey.find(({ status }) => status === 429)
  expect(refused).toMatchObject({ body: { error: { code: 'rate_limit_exceeded' } } })
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  expect(Number(refused?.headers.get('retry-after'))).toBeLessThanOrEqual(600)
  expect(await other.get('/v1/probe')).toMatchObject({ status: 200 })

  expect(countByStatus(await repeat(5, () => service.anonymous.get('/v1/probe/a/status')))).toEqual({
    200: 3,
    429: 2,
  })
  expect(await service.anonymous.get('/v1/probe/b/status')).toMatchObject({ status: 200 })

  const rest = await repeat(60, () => service.anonymous.get('/v1/probe/surplus'))
  // This address has already sent 8 + 1 + 5 + 1 requests.
  expect(countByStatus(rest)).toEqual({ 200: 40 - 15, 429: 60 - 25 })
  // The address is checked before the key: even a caller without a key has to wait.
  expect(await service.anonymous.get('/v1/probe')).toMatchObject({ status: 429 })
  expect(await service.anonymous.get('/healthz')).toMatchObject({ status: 200 })
})

test('a caller that goes on at twice its limit gets its refusals a second late, and others are served meanwhile', async () => {
  await using service = await startService({
    extra: probes,
    environment: { RATE_LIMITS: 'key=2/600,ip=9999/600,session=9999/600' },
  })
  const [merchant, other] = [await service.tenant(), await service.tenant()]
  const time = async (sender: typeof merchant) => {
    const began = performance.now()
    const { status } = await sender.get('/v1/probe')
    return { status, took_ms: performance.now() - began }
  }
  const sent = await repeat(8, () => time(merchant))
  const late = time(merchant)
  const meanwhile = await time(other)

  const isLate = ({ took_ms }: { took_ms: number }) => took_ms >= lateRefusals.wait_ms
  expect(countByStatus(sent)).toEqual({ 200: 2, 429: 6 })
  expect(countByStatus(sent.filter(isLate))).toEqual({ 429: 4 })
  expect(await late).toSatisfy(isLate)
  expect([meanwhile.status, isLate(meanwhile)]).toEqual([200, false])
})

test('[LIMIT-1] a bystander who uses up the limit of a verification does not use up that of the wallet at another address', async () => {
  await using redis = await startRedisServer()
  await using service = await startService({
    extra: probes,
    environment: {
      REDIS_URL: redis.url,
      RATE_LIMITS: 'key=99/600,ip=99/600,session=3/600',
      TRUSTED_PROXIES: '127.0.0.1/32',
    },
  })
  const from = (address: string) =>
    service.anonymous.get('/v1/probe/a/status', { headers: { 'x-forwarded-for': address } })

  expect(countByStatus(await repeat(5, () => from('192.0.2.1')))).toEqual({ 200: 3, 429: 2 })
  expect(countByStatus(await repeat(5, () => from('192.0.2.2')))).toEqual({ 200: 3, 429: 2 })
  // One /64 is one caller.
  expect(countByStatus(await repeat(5, (n) => from(`2001:db8::${n}`)))).toEqual({ 200: 3, 429: 2 })
})

test('[LIMIT-1] a caller that waits for the time in Retry-After is served again', async () => {
  await using redis = await startRedisServer()
  await using service = await startService({
    extra: probes,
    environment: { REDIS_URL: redis.url, RATE_LIMITS: 'key=1/2,ip=1000/60,session=1000/60' },
  })
  const merchant = await service.tenant()
  const responses = await repeat(10, () => merchant.get('/v1/probe'))
  const refused = responses.findLast(({ status }) => status === 429)

  await sleep(Number(refused?.headers.get('retry-after')) * 1000)
  expect(await merchant.get('/v1/probe')).toMatchObject({ status: 200 })
})

test("the key's limit is enforced after authentication, so that it does not hide an invalid key or a missing scope", async () => {
  await using redis = await startRedisServer()
  await using service = await startService({
    extra: probes,
    environment: { REDIS_URL: redis.url, RATE_LIMITS: 'key=1/60,ip=1000/60,session=1000/60' },
  })
  const merchant = await service.tenant()
  const reader = await merchant.as({ scopes: ['verifications:read'] })
  const nobody = caller(service.address, `${merchant.key.slice(0, -1)}!`)

  expect((await repeat(3, () => nobody.get('/v1/probe'))).map(({ status }) => status)).toEqual([
    401, 401, 401,
  ])
  expect((await repeat(3, () => reader.post('/v1/probe', {}))).map(({ status }) => status)).toEqual([
    403, 403, 403,
  ])
})

test('[LIMIT-2] a limit is exact over all nodes', async () => {
  await using redis = await startRedisServer()
  await using service = await startProcesses(3, {
    run: withProbes,
    environment: { REDIS_URL: redis.url, RATE_LIMITS: 'key=100/60,ip=9999/60,session=9999/60' },
  })
  const merchant = await service.tenant()

  expect(countByStatus(await repeat(250, () => merchant.get('/v1/probe')))).toEqual({ 200: 100, 429: 150 })
})

test('[LIMIT-3] without Redis a process counts alone and reports it, and shares again within three seconds of its return', async () => {
  await using redis = await startRedisServer()
  await using service = await startService({
    extra: probes,
    environment: { REDIS_URL: redis.url, RATE_LIMITS: 'key=9999/60,ip=9999/60,session=9999/60' },
  })
  const shared = async () => {
    const text = await (await fetch(`${service.metrics_address}/metrics`)).text()
    return Number(/^vidimus_limiter_shared (\d)/m.exec(text)?.[1])
  }
  const remaining = async () =>
    Number(
      /"ip";r=(\d+)/.exec(
        (await service.anonymous.get('/v1/probe/surplus')).headers.get('ratelimit') ?? '',
      )?.[1],
    )

  expect(await remaining()).toBe(9998)
  expect(await remaining()).toBe(9997)
  expect(await shared()).toBe(1)
  await redis.kill()
  expect(await remaining()).toBe(9998)
  expect(await shared()).toBe(0)
  await redis.start()
  const returned = performance.now()
  while ((await shared()) !== 1) {
    await remaining()
    await sleep(50)
  }
  expect(performance.now() - returned).toBeLessThan(3000)
})

test('[LIMIT-3] a Redis that hangs delays no request for longer than its time-out', async () => {
  await using redis = await startRedisServer()
  await using service = await startService({
    extra: probes,
    environment: { REDIS_URL: redis.url, RATE_LIMITS: 'key=9999/60,ip=9999/60,session=9999/60' },
  })
  await service.anonymous.get('/v1/probe/surplus')
  redis.freeze()
  const took: number[] = []
  for (let round = 0; round < 20; round += 1) {
    await repeat(10, async () => {
      const started = performance.now()
      expect(await service.anonymous.get('/v1/probe/surplus')).toMatchObject({ status: 200 })
      took.push(performance.now() - started)
    })
  }
  redis.thaw()

  expect(took).toHaveLength(200)
  // The first request waits for the time-out, and so does the one that retries every half second.
  expect(took.filter((ms) => ms > 150).length).toBeLessThanOrEqual(30)
  expect(Math.max(...took)).toBeLessThan(1000)
})

test('the headers state limit, remaining requests and reset time', async () => {
  await using redis = await startRedisServer()
  await using service = await startService({
    extra: probes,
    environment: { REDIS_URL: redis.url, RATE_LIMITS: 'key=3/60,ip=100/30,session=9/10' },
  })
  const merchant = await service.tenant()
  const headersOf = async (path: string) => {
    const { headers } = await merchant.get(path)
    return { policy: headers.get('ratelimit-policy'), state: headers.get('ratelimit') }
  }

  expect(await headersOf('/v1/probe')).toEqual({
    policy: '"ip";q=100;w=30, "key";q=3;w=60',
    state: '"ip";r=99;t=30, "key";r=2;t=60',
  })
  for (let again = 0; again < 3; again += 1) await merchant.get('/v1/probe')
  expect((await headersOf('/v1/probe')).state).toMatch(/"key";r=0;t=\d+$/)
  expect((await headersOf('/v1/probe/x/status')).policy).toBe('"ip";q=100;w=30, "session";q=9;w=10')
})

test('limits can be turned off, and then there are no rate-limit headers', async () => {
  await using service = await startService({ extra: probes, environment: { RATE_LIMITS: 'off' } })
  const { status, headers } = await service.anonymous.get('/v1/probe/surplus')

  expect([status, headers.get('ratelimit'), headers.get('ratelimit-policy')]).toEqual([200, null, null])
})

test('Redis stores no capability', async () => {
  await using redis = await startRedisServer()
  await using service = await startService({
    extra: probes,
    environment: { REDIS_URL: redis.url, RATE_LIMITS: 'key=9999/60,ip=9999/60,session=9999/60' },
  })
  const merchant = await service.tenant()
  await merchant.get('/v1/probe')
  await service.anonymous.get('/v1/probe/vs_a-session-id/status')
  const { openRedis, waitForRedis: awaitRedis } = await import('../redis/open.ts')
  const client = openRedis(redis.url)
  await awaitRedis(client)
  const names = await client.keys('*')
  client.disconnect()

  expect(names).toHaveLength(3)
  expect(names.join()).not.toContain('vs_a-session-id')
  expect(names.join()).not.toContain(merchant.key.slice(12, 30))
})

test('counters in memory have their own window, and a refused request does not count against later limits', () => {
  const count = openLocalCounter({
    ...defaultRateLimits,
    ...writeRateLimits,
    ip: { requests: 2, seconds: 10 },
    session: { requests: 1, seconds: 10 },
    key: { requests: 2, seconds: 10 },
  })
  const keys = [
    { limit: 'ip', owner: addressKey('203.0.113.1') },
    { limit: 'key', owner: 'k' },
  ] as const

  expect(count(keys, 1000).map(({ used, reset_ms }) => [used, reset_ms])).toEqual([
    [1, 10_000],
    [1, 10_000],
  ])
  expect(count(keys, 5000).map(({ used, reset_ms }) => [used, reset_ms])).toEqual([
    [2, 6000],
    [2, 6000],
  ])
  // The first limit is exceeded: the second counter is not incremented.
  expect(count(keys, 6000)).toHaveLength(1)
  expect(count(keys, 11_000).map(({ used }) => used)).toEqual([1, 1])
})
