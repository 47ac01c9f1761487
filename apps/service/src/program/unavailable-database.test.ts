import { expect, test } from 'vitest'
import { caller } from '../../test/caller.ts'
import { connectAsAdmin } from '../../test/database/postgres.ts'
import { createTestDatabase } from '../../test/database/test-database.ts'
import { pairDevice } from '../../test/pair-device.ts'
import { startService } from '../../test/service.ts'
import { signIn } from '../../test/sign-in/browser.ts'
import { waitUntil } from '../../test/wait-until.ts'

test('without a database, API, dashboard, holder’s page, streams and the probe of a till get 503 with Retry-After; front ends and guides are served', async () => {
  const database = await createTestDatabase()
  await using service = await startService({ database })
  const merchant = await service.tenant()
  const member = await signIn(service, { tenant_id: merchant.tenant_id })
  const { device, tokens } = await pairDevice(service, merchant)
  const { id } = (await merchant.post('/v1/verifications', { template: 'age_over_18' })).body
  const stream = caller(service.address, merchant.key)
  const requests = {
    merchant: () => merchant.get(`/v1/verifications/${id}`),
    creation: () => merchant.post('/v1/verifications', { template: 'age_over_18' }),
    erasure: () => merchant.delete(`/v1/verifications/${id}`),
    status: () => service.anonymous.get(`/v1/verifications/${id}/status`),
    device: () => device.get('/v1/templates'),
    probe: () => service.anonymous.post('/v1/devices/token', {}),
    refresh: () => service.anonymous.post('/v1/devices/token', { refresh_token: tokens.refresh_token }),
    wallet: () => service.anonymous.get(`/wallet/request/${id}`),
    page: () => service.anonymous.get(`/verify/${id}`, { headers: { accept: 'text/html' } }),
    pageData: () => service.anonymous.get(`/verify/${id}/session`),
    pageStream: () => service.anonymous.get(`/verify/${id}/events`),
    dashboard: () => member.call('getOverview', { params: { environment: 'test' } }),
    dashboardStream: () => member.call('getEvents', { params: { environment: 'test' } }),
    signIn: () => member.call('startPasskeySignIn', { body: {} }),
    listen: () => stream.get('/listen/0123456789abcdef'),
    readiness: () => service.anonymous.get('/readyz'),
  }

  await using admin = await connectAsAdmin()
  await admin.query(`alter database ${database.name} allow_connections false`)
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
    database.name,
  ])
  await waitUntil(async () => (await service.anonymous.get('/readyz')).status === 503)
  const responses = await Promise.all(
    Object.entries(requests).map(async ([name, send]) => {
      const { status, headers } = await send()
      return [name, `${status} after ${headers.get('retry-after')}`]
    }),
  )
  expect(Object.fromEntries(responses)).toEqual(
    Object.fromEntries(Object.keys(requests).map((name) => [name, '503 after 1'])),
  )
  expect((await requests.page()).headers.get('content-type')).toContain('text/html')
  expect((await service.anonymous.get('/docs')).status).toBe(200)

  await admin.query(`alter database ${database.name} allow_connections true`)
  await expect.poll(async () => (await requests.merchant()).status).toBe(200)
  // The token that was sent in vain still works.
  await expect.poll(async () => (await requests.refresh()).status).toBe(200)
})
