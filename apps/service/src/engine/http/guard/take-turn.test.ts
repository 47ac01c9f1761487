import type { Route } from '@vidimus/contract'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { startService } from '../../../../test/service.ts'
import { schedulerLimits } from '../../scheduling/scheduler.ts'
import { currentWork } from '../../scheduling/work.ts'
import { endpoint } from '../endpoint.ts'

const success = { status: 200, body: z.strictObject({ ok: z.literal(true) }) } as const
const slow = { method: 'GET', path: '/v1/slow', summary: 'Waits', success } satisfies Route
const slowOfTenant = {
  ...slow,
  path: '/v1/slow/tenant',
  scope: 'verifications:read',
} as const satisfies Route

/** Requests that stay in progress, and cost a lot, until `release` is called. */
function slowRequests() {
  const { promise, resolve } = Promise.withResolvers<void>()
  let started = 0
  const handle = async () => {
    started += 1
    currentWork()?.charge(300)
    await promise
    return { body: { ok: true as const } }
  }
  return {
    endpoints: [endpoint(slow, handle), endpoint(slowOfTenant, handle)],
    started: () => started,
    release: resolve,
  }
}

test("while one tenant's requests wait for their turn, another's are served", async () => {
  const requests = slowRequests()
  await using service = await startService({ extra: requests.endpoints })
  const [attacker, victim] = [await service.tenant(), await service.tenant()]
  expect((await victim.get('/v1/usage')).status).toBe(200)
  const [first, ...others] = Array.from({ length: 20 }, () => attacker.get('/v1/slow/tenant'))
  await expect.poll(requests.started).toBeGreaterThan(0)
  const statuses = await Promise.all(
    Array.from({ length: 5 }, async () => (await victim.get('/v1/usage')).status),
  )
  expect(statuses).toEqual([200, 200, 200, 200, 200])
  // The cost of the first ones was not known when they started.
  expect(requests.started()).toBeLessThanOrEqual(schedulerLimits.owner_ms / 2)
  requests.release()
  const ended = await Promise.all([first, ...others])
  expect(ended.map((response) => response?.status)).toEqual(Array.from({ length: 20 }, () => 200))
})

test('[GEN-5] an address with too many waiting requests gets 503 with Retry-After; tenants and health checks are served', async () => {
  const requests = slowRequests()
  await using service = await startService({ extra: requests.endpoints })
  const merchant = await service.tenant()
  expect((await merchant.get('/v1/usage')).status).toBe(200)
  const sent = Array.from({ length: schedulerLimits.maxWaiting.each + 20 }, () =>
    service.anonymous.get('/v1/slow', { noRetry: true }),
  )
  const refused = await Promise.race(sent)
  expect(refused).toMatchObject({ status: 503, body: { error: { code: 'overloaded' } } })
  expect(refused.headers.get('retry-after')).toBe('1')
  expect((await merchant.get('/v1/usage', { noRetry: true })).status).toBe(200)
  expect((await service.anonymous.get('/healthz')).status).toBe(200)
  requests.release()
  const statuses = (await Promise.all(sent)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(
    schedulerLimits.maxWaiting.each,
  )
  const text = await (await fetch(`${service.metrics_address}/metrics`)).text()
  expect(text).toMatch(/^vidimus_http_requests_shed_total [1-9]/m)
})
