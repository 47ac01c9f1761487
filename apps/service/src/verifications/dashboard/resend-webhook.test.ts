import { afterAll, expect, test } from 'vitest'
import { readAuditLog } from '../../../test/audit/audit.ts'
import { startDeliveryService } from '../../../test/deliveries.ts'
import { reply, startReceiver } from '../../../test/network/receiver.ts'
import { newVerificationId } from '../../engine/basics/ids.ts'
import { Refusal } from '../../engine/basics/refusal.ts'
import type { Merchant } from '../../../test/service.ts'
import { resendWebhook } from './show-webhook.ts'

const at = await startDeliveryService({ WEBHOOK_BACKOFF_SECONDS: '1' })
const worker = at.startWorker()
afterAll(async () => {
  await worker.stop()
  await at[Symbol.asyncDispose]()
})

const resend = ({ tenant_id }: Pick<Merchant, 'tenant_id'>, id: string) =>
  resendWebhook(at.ctx, { by: { kind: 'operator', tenant_id }, environment: 'test', id })

test('[HOOK-7] [HOOK-12] a resend is sent at once, as the same event with the next attempt number', async () => {
  await using receiver = await startReceiver(reply(200))
  const merchant = await at.tenant()
  const id = await at.complete(merchant, receiver.url)
  await at.waitForAttempts(merchant, 1)
  await resend(merchant, id)
  const log = await at.waitForAttempts(merchant, 2)

  expect(log.map(({ attempt, outcome }) => ({ attempt, outcome }))).toEqual([
    { attempt: 1, outcome: 'delivered' },
    { attempt: 2, outcome: 'delivered' },
  ])
  const [first, second] = receiver.received
  expect(second?.headers['x-service-event-id']).toBe(first?.headers['x-service-event-id'])
  expect(second?.headers['x-service-attempt']).toBe('2')
  expect(second?.headers['x-service-signature']).toBeDefined()
})

test('[HOOK-7] an event whose attempts are used up gets a new series of attempts', async () => {
  await using receiver = await startReceiver(reply(500))
  const merchant = await at.tenant()
  const id = await at.complete(merchant, receiver.url)
  await at.waitForAttempts(merchant, 2)
  await expect.poll(() => at.countQueued()).toBe(0)
  await resend(merchant, id)

  expect((await at.waitForAttempts(merchant, 4)).map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4])
  await expect.poll(() => at.countQueued()).toBe(0)
})

test('[HOOK-7] an event that waits for its next attempt becomes due at once, and many resends count as one', async () => {
  await using receiver = await startReceiver(reply(500, { 'retry-after': '2' }))
  const merchant = await at.tenant()
  const id = await at.complete(merchant, receiver.url)
  await at.waitForAttempts(merchant, 1)
  const started = performance.now()
  await Promise.all(Array.from({ length: 20 }, () => resend(merchant, id)))
  await at.waitForAttempts(merchant, 2)

  expect(performance.now() - started).toBeLessThan(1900)
  expect((await at.waitForAttempts(merchant, 2)).map(({ attempt }) => attempt)).toEqual([1, 2])
})

test('[RET-3] a resend of a result that was kept only until delivery carries no claims', async () => {
  await using receiver = await startReceiver(reply(200))
  const merchant = await at.tenant()
  const id = await at.complete(merchant, receiver.url, { forget_on_delivery: true })
  await at.waitForAttempts(merchant, 1)
  await resend(merchant, id)
  await at.waitForAttempts(merchant, 2)

  const [first, second] = receiver.received.map(({ body }) => JSON.parse(body))
  expect(first.verification).toHaveProperty('claims')
  expect(second.verification).not.toHaveProperty('claims')
  expect(second.verification).toMatchObject({ id, status: 'completed' })
})

test('a verification without a result, without a webhook_url or of another tenant cannot be resent', async () => {
  const merchant = await at.tenant()
  const pending = await merchant.post('/v1/verifications', {
    template: 'age_over_18',
    webhook_url: 'http://127.0.0.1/',
  })
  const silent = await merchant.post('/v1/verifications', { template: 'age_over_18' })
  await using receiver = await startReceiver(reply(200))
  const mine = await at.complete(merchant, receiver.url)
  await at.waitForAttempts(merchant, 1)

  await expect(resend(merchant, pending.body.id)).rejects.toThrow('has no result to send')
  await expect(resend(merchant, silent.body.id)).rejects.toThrow('has no webhook_url')
  await expect(resend(await at.tenant(), mine)).rejects.toThrow(Refusal)
  await expect(resend(merchant, newVerificationId('0', '2026-01-15'))).rejects.toThrow(Refusal)
  await expect(resend(merchant, 'nonsense')).rejects.toThrow(Refusal)
  expect(receiver.received).toHaveLength(1)
})

test('[AUD-1] a resend is recorded in the audit log', async () => {
  await using receiver = await startReceiver(reply(200))
  const merchant = await at.tenant()
  const id = await at.complete(merchant, receiver.url)
  await resend(merchant, id)
  const entries = await readAuditLog(at.ctx, merchant.tenant_id)

  expect(entries.filter(({ action }) => action === 'webhook.resent')).toEqual([
    { action: 'webhook.resent', actor: 'operator', subject: id },
  ])
})
