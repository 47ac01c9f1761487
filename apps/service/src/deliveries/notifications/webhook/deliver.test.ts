import { expect, test } from 'vitest'
import { endpointAlert, expectedSignature, startAlertService } from '../../../../test/alerts.ts'
import { readAuditLog } from '../../../../test/audit/audit.ts'
import { setClockOffset } from '../../../../test/database/clock.ts'
import { neverRespond, reply, startReceiver } from '../../../../test/network/receiver.ts'
import type { Service } from '../../../../test/service.ts'
import { signIn } from '../../../../test/sign-in/browser.ts'
import { resolveAlert } from '../../../audit/alerts/raise.ts'
import { sql } from '../../../engine/db/sql.ts'

async function startWithWebhook(url: string, environment: Record<string, string> = {}) {
  const service = await startAlertService({}, { environment })
  const merchant = await service.tenant()
  const owner = await signIn(service, merchant)
  const set = await owner.call('setAlertWebhook', { body: { url } })
  await forgetAccessChanges(service)
  return { ...service, merchant, owner, set, secret: String(set.body.secret) }
}

/** These tests count messages. That a change of the webhook is announced too has its own test. */
const forgetAccessChanges = ({ ctx }: Pick<Service, 'ctx'>) =>
  ctx.db.execute(sql`delete from alerts where kind = 'access_changed'`)

test('alerts reach the tenant’s webhook, signed with its own secret', async () => {
  await using receiver = await startReceiver(reply(204))
  await using service = await startWithWebhook(receiver.url)
  expect(service.secret).toMatch(/^whsec_[\w-]{43}$/)
  expect(service.secret).not.toBe(service.merchant.webhook_secret)
  await service.raise(service.merchant)
  await service.notifyAll()
  await resolveAlert(service.ctx.db, endpointAlert(service.merchant, 'an endpoint'))
  await service.notifyAll()

  const [raised, resolved, ...more] = receiver.received
  expect(more).toEqual([])
  expect(JSON.parse(raised?.body ?? '')).toEqual({
    type: 'alert.raised',
    alert: {
      id: expect.any(String),
      kind: 'endpoint_failing',
      environment: 'live',
      subject: 'an endpoint',
      details: { host: 'shop.example', description: 'an endpoint' },
      raised_at: expect.stringMatching(/Z$/),
    },
    sent_at: expect.stringMatching(/Z$/),
  })
  expect(JSON.parse(resolved?.body ?? '')).toMatchObject({
    type: 'alert.resolved',
    alert: { resolved_at: expect.stringMatching(/Z$/) },
  })
  for (const { headers, body } of receiver.received) {
    const header = headers['x-service-signature'] ?? ''
    expect(header).toBe(expectedSignature(header, body, service.secret))
  }
  const ids = receiver.received.map(({ headers }) => headers['x-service-event-id'])
  expect(new Set(ids).size).toBe(2)
  expect((await service.owner.call('getAlertWebhook')).body.webhook).toMatchObject({
    url: receiver.url,
    waiting: 0,
    last_outcome: 'delivered',
  })
})

test('a receiver that fails gets the same event again, until the last attempt', async () => {
  let status = 500
  await using receiver = await startReceiver((socket, request) => reply(status)(socket, request))
  await using service = await startWithWebhook(receiver.url, { WEBHOOK_BACKOFF_SECONDS: '5,5' })
  await service.raise(service.merchant)
  await service.notifyAll()
  await setClockOffset(service.ctx.db, '10 seconds')
  await service.notifyAll()
  status = 200
  await setClockOffset(service.ctx.db, '20 seconds')
  await service.notifyAll()
  expect(receiver.received.map(({ headers }) => headers['x-service-attempt'])).toEqual(['1', '2', '3'])
  expect(new Set(receiver.received.map(({ headers }) => headers['x-service-event-id'])).size).toBe(1)

  status = 500
  await service.raise(service.merchant, 'another')
  for (const seconds of [20, 30, 40, 60]) {
    await setClockOffset(service.ctx.db, `${seconds} seconds`)
    await service.notifyAll()
  }
  expect(receiver.received).toHaveLength(6)
  expect((await service.owner.call('getAlertWebhook')).body.webhook).toMatchObject({
    waiting: 0,
    last_outcome: 'responded with status 500',
  })
})

test('after a rotation both secrets sign for a day', async () => {
  await using receiver = await startReceiver(reply(200))
  await using service = await startWithWebhook(receiver.url)
  const rotated = await service.owner.call('rotateAlertSecret')
  await forgetAccessChanges(service)
  expect(rotated.body.secret).not.toBe(service.secret)
  await service.raise(service.merchant)
  await service.notifyAll()
  await setClockOffset(service.ctx.db, '24:00:01')
  await service.raise(service.merchant, 'another')
  await service.notifyAll()
  const signatures = receiver.received.map(({ headers }) => headers['x-service-signature']?.split(',').length)
  expect(signatures).toEqual([3, 2])

  const moved = await service.owner.call('setAlertWebhook', { body: { url: `${receiver.url}/2` } })
  expect(moved.body).not.toHaveProperty('secret')
})

test('an address that webhooks may not reach is refused, when it is set and when it is called', async () => {
  await using receiver = await startReceiver(reply(200))
  await using service = await startWithWebhook(receiver.url, { WEBHOOK_EGRESS_ALLOW: '' })
  expect([service.set.status, service.set.body.error.code]).toEqual([422, 'invalid_webhook_url'])
  for (const url of ['ftp://shop.example', 'http://user:pass@shop.example/', 'not a url', 'http://10.0.0.1/'])
    expect((await service.owner.call('setAlertWebhook', { body: { url } })).status).toBeGreaterThanOrEqual(
      400,
    )
  expect((await service.owner.call('rotateAlertSecret')).status).toBe(404)
  // Stored before the operator withdrew the permission.
  await service.ctx.db.execute(sql`
    insert into alert_webhooks (tenant_id, url, sealed, created_at)
    values (${service.merchant.tenant_id}, ${receiver.url}, ${service.ctx.keyring.seal('alert webhook secret', Buffer.from('x'))}, service_now())`)
  await service.raise(service.merchant)
  await service.notifyAll()
  expect(receiver.received).toEqual([])
})

test('a changed URL gets what is being retried, also on another host', async () => {
  await using failing = await startReceiver(reply(500))
  await using receiver = await startReceiver(reply(200))
  await using service = await startWithWebhook(failing.url)
  await service.raise(service.merchant)
  await service.notifyAll()
  await service.owner.call('setAlertWebhook', { body: { url: receiver.url } })
  await forgetAccessChanges(service)
  await setClockOffset(service.ctx.db, '1 hour')
  await service.notifyAll()
  expect(failing.received).toHaveLength(1)
  expect(receiver.received.map(({ headers }) => headers['x-service-attempt'])).toEqual(['2'])
})

test('a removed webhook gets nothing more, and every change is in the audit log without the secret', async () => {
  await using receiver = await startReceiver(reply(500))
  await using service = await startWithWebhook(receiver.url)
  await service.raise(service.merchant)
  await service.notifyAll()
  await service.owner.call('rotateAlertSecret')
  expect((await service.owner.call('removeAlertWebhook')).body).toEqual({})
  await setClockOffset(service.ctx.db, '1 hour')
  await service.notifyAll()
  expect(receiver.received).toHaveLength(1)
  const entries = (await readAuditLog(service.ctx, service.merchant.tenant_id)).filter(
    ({ action }) => action === 'tenant.alert_webhook_changed',
  )
  expect(entries).toHaveLength(3)
  expect(JSON.stringify(entries)).not.toContain('whsec_')
  expect(service.log.join('')).not.toContain('whsec_')
})

test('a receiver that hangs does not delay those of other tenants', async () => {
  await using hanging = await startReceiver(neverRespond)
  await using receiver = await startReceiver(reply(200))
  await using service = await startWithWebhook(hanging.url)
  const other = await service.tenant()
  const owner = await signIn(service, other)
  await owner.call('setAlertWebhook', { body: { url: receiver.url } })
  await forgetAccessChanges(service)
  for (let n = 0; n < 20; n += 1) await service.raise(service.merchant, `endpoint ${n}`)
  await service.raise(other)
  const round = service.notifyAll()
  await expect.poll(() => receiver.received.length, { timeout: 5000 }).toBe(1)
  hanging.closeConnections()
  await service.owner.call('removeAlertWebhook')
  hanging.closeConnections()
  await round
})
