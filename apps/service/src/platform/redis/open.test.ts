import { expect, test } from 'vitest'
import { startFaultProxy } from '../../../test/network/fault-proxy.ts'
import { startRedisServer } from '../../../test/processes/redis-server.ts'
import { startService } from '../../../test/service.ts'
import { waitUntil } from '../../../test/wait-until.ts'
import { openRedis } from './open.ts'

test('[LIMIT-3] a command to an unavailable Redis fails at once instead of waiting', async () => {
  const redis = openRedis('redis://127.0.0.1:1')
  const started = performance.now()

  await expect(redis.get('anything')).rejects.toThrow(/Stream isn't writeable|Connection is closed/)

  expect(performance.now() - started).toBeLessThan(100)
  redis.disconnect()
})

test('[LIMIT-3] [FAULT-8] a half-open connection to Redis is noticed, and limits are shared again after it is replaced', async () => {
  await using redis = await startRedisServer()
  await using proxy = await startFaultProxy({ port: Number(new URL(redis.url).port) })
  await using service = await startService({
    environment: {
      REDIS_URL: `redis://127.0.0.1:${proxy.port}`,
      RATE_LIMITS: 'key=999/60,ip=999/60,session=999/60',
    },
  })
  const shared = async () => {
    await service.anonymous.get('/v1/usage')
    return (await service.ctx.metrics.limiterShared.get()).values[0]?.value === 1
  }
  expect(await shared()).toBe(true)
  await proxy.begin('half-open')
  await waitUntil(async () => !(await shared()), { within_ms: 5000 })

  await proxy.end()
  await waitUntil(shared, { within_ms: 5000 })
})
