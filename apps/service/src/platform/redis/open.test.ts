import { expect, test } from 'vitest'
import { openRedis } from './open.ts'

test('[LIMIT-3] a command to a Redis that is away fails at once instead of waiting', async () => {
  const redis = openRedis('redis://127.0.0.1:1')
  const started = performance.now()

  await expect(redis.get('anything')).rejects.toThrow(/Stream isn't writeable|Connection is closed/)

  expect(performance.now() - started).toBeLessThan(100)
  redis.disconnect()
})
