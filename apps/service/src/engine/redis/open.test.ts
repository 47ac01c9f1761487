import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { createServer } from 'node:tls'
import { expect, test } from 'vitest'
import { makeCertificate, trustCertificate } from '../../../test/network/certificate.ts'
import { startFaultProxy } from '../../../test/network/fault-proxy.ts'
import { startRedisServer } from '../../../test/processes/redis-server.ts'
import { startService } from '../../../test/service.ts'
import { waitUntil } from '../../../test/wait-until.ts'
import { openRedis, waitForRedis } from './open.ts'

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

/** Whether Redis can be used at this URL. */
async function isUsable(url: string): Promise<boolean> {
  const redis = openRedis(url)
  try {
    await waitForRedis(redis)
    return redis.status === 'ready' && (await redis.ping()) === 'PONG'
  } finally {
    redis.disconnect()
  }
}

test('[GEN-13] rediss:// verifies the certificate and its name, and tls=off only states that there is none', async () => {
  await using redis = await startRedisServer()
  expect(await isUsable(`${redis.url}?tls=off`)).toBe(true)
  expect(await isUsable(redis.url.replace('redis:', 'rediss:'))).toBe(false)

  for (const [name, expected] of [
    ['127.0.0.1', true],
    ['redis.example.com', false],
  ] as const) {
    const certificate = await makeCertificate(name)
    const server = createServer(certificate, (socket) => {
      const upstream = connect(Number(new URL(redis.url).port), '127.0.0.1')
      for (const end of [socket, upstream])
        end.on('error', () => {
          // The client refused the certificate or disconnected.
        })
      socket.pipe(upstream).pipe(socket)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `rediss://127.0.0.1:${(server.address() as AddressInfo).port}` // a listening TCP server has one
    expect([name, await isUsable(url)]).toEqual([name, false])
    using stack = new DisposableStack()
    stack.use(trustCertificate(certificate.cert))
    expect([name, await isUsable(url)]).toEqual([name, expected])
    server.close()
  }
})
