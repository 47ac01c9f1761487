import { readFileSync } from 'node:fs'
import { WebhookPayload } from '@vidimus/contract'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, expect, test } from 'vitest'
import { startDeliveryService } from '../../test/deliveries.ts'
import { reply, neverRespond, startReceiver } from '../../test/network/receiver.ts'
import { newSessionId } from '../platform/ids.ts'
import { Refusal } from '../platform/refusal.ts'
import { showWebhook } from '../verifications/dashboard/show-webhook.ts'
import { listDeliveries, type ListDeliveries } from './log/list-deliveries.ts'
import { sendTestEvent } from './send-test-event.ts'

const at = await startDeliveryService({ WEBHOOK_BACKOFF_SECONDS: '1' })
const worker = at.startWorker()
afterAll(async () => {
  await worker.stop()
  await at[Symbol.asyncDispose]()
})

const nothing = { headers: {} as Record<string, string>, body: '{}' }

type Description = { webhooks: Record<string, { post: { parameters: { name: string }[] } }> }
const described: Description = JSON.parse(
  readFileSync(new URL('../../../../packages/contract/openapi.json', import.meta.url), 'utf8'),
)
const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema(described, 'openapi')

/** What the published description has against a message, by its `type`. */
function faultsOf({ headers, body }: { headers: Record<string, string>; body: string }): unknown {
  const payload = JSON.parse(body)
  const said = described.webhooks[payload.type]?.post
  if (said === undefined) return `${payload.type} is not described`
  const missing = said.parameters.filter(({ name }) => headers[name.toLowerCase()] === undefined)
  if (missing.length > 0) return missing
  const place = `/webhooks/${payload.type}/post/requestBody/content/application~1json/schema`
  const validate = ajv.getSchema(`openapi#${place}`)
  if (validate === undefined) return `${payload.type} has no schema`
  return validate(payload) === true ? undefined : validate.errors
}

test('[GEN-4, HOOK-1] what is sent of a result is what the published description says, and what the contract reads', async () => {
  await using receiver = await startReceiver(reply(200))
  const merchant = await at.tenant()
  await at.complete(merchant, receiver.url)
  await at.complete(merchant, receiver.url, { status: 'failed' })
  await at.waitForAttempts(merchant, 2)

  const types = receiver.received.map(({ body }) => WebhookPayload.parse(JSON.parse(body)).type)
  expect(types.toSorted()).toEqual(['verification.completed', 'verification.failed'])
  expect(receiver.received.map(faultsOf)).toEqual([undefined, undefined])
  const [{ headers, body } = nothing] = receiver.received
  expect(faultsOf({ headers, body: JSON.stringify({ ...JSON.parse(body), more: 1 }) })).toBeDefined()
  expect(faultsOf({ headers: {}, body })).toBeDefined()
})

test('[HOOK-2, HOOK-7] a test message is signed, marked as a test, and tells of no verification', async () => {
  await using receiver = await startReceiver(reply(204))
  const { tenant_id } = await at.tenant()
  const by = { kind: 'operator', tenant_id } as const
  const became = await sendTestEvent(at.ctx, { by, url: receiver.url })

  const [{ headers, body } = nothing] = receiver.received
  const signature = headers['x-service-signature']
  expect(became).toEqual({
    outcome: 'delivered',
    status: 204,
    duration_ms: expect.any(Number),
    error: null,
    signature,
    body,
  })
  expect(faultsOf({ headers, body })).toBeUndefined()
  expect(JSON.parse(body)).toEqual({
    type: 'webhook.test',
    environment: 'test',
    sent_at: expect.any(String),
  })
  expect(headers['x-service-event-id']).toMatch(/^evt_test_/)
  expect(signature).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/)
  expect(await listDeliveries(at.ctx, { tenant_id, environment: 'test', limit: 100 })).toEqual([])
})

test('[HOOK-5, HOOK-7] a test message says what went wrong, and goes nowhere that a webhook may not go', async () => {
  await using refusing = await startReceiver(reply(403))
  await using hanging = await startReceiver(neverRespond)
  const { tenant_id } = await at.tenant()
  const send = (url: string) => sendTestEvent(at.ctx, { by: { kind: 'operator', tenant_id }, url })
  const hung = send(hanging.url)
  await expect.poll(() => hanging.received.length).toBe(1)
  hanging.closeConnections()

  expect(await send(refusing.url)).toMatchObject({ outcome: 'failed', error: 'answered with status 403' })
  expect(await hung).toMatchObject({ outcome: 'failed', status: null })
  for (const url of ['http://10.0.0.1/', 'ftp://8.8.8.8/', 'no address'])
    await expect(send(url)).rejects.toThrow(Refusal)
})

test('[HOOK-7, HOOK-13] beside an attempt stands what it told, rendered anew, for the tenant alone', async () => {
  await using receiver = await startReceiver(reply(200))
  const [merchant, other] = [await at.tenant(), await at.tenant()]
  const id = await at.complete(merchant, receiver.url)
  const [attempt] = await at.waitForAttempts(merchant, 1)
  const attempted_at = attempt?.attempted_at ?? ''
  const show = ({ tenant_id }: { tenant_id: string }, wanted = id) =>
    showWebhook(at.ctx, { tenant_id, environment: 'test', id: wanted, attempted_at })

  const { sent_at: _, ...sent } = WebhookPayload.parse(JSON.parse(receiver.received[0]?.body ?? ''))
  expect(await show(merchant)).toEqual({ ...sent, sent_at: attempted_at })
  await expect(show(other)).rejects.toThrow(Refusal)
  await expect(show(merchant, newSessionId('0', '2026-11-15'))).rejects.toThrow(Refusal)
  const { body } = await merchant.post('/v1/verifications', { template: 'age_over_18' })
  await expect(show(merchant, body.id)).rejects.toThrow('no result')
})

test('[HOOK-7] the log is read by outcome', async () => {
  await using good = await startReceiver(reply(200))
  await using bad = await startReceiver(reply(500))
  const merchant = await at.tenant()
  for (let event = 0; event < 3; event += 1) await at.complete(merchant, good.url)
  await at.complete(merchant, bad.url)
  await at.waitForAttempts(merchant, 5)
  const outcomesOf = async (wanted: Partial<ListDeliveries>) => {
    const { tenant_id } = merchant
    const page = await listDeliveries(at.ctx, { tenant_id, environment: 'test', limit: 100, ...wanted })
    return page.map(({ outcome }) => outcome)
  }

  expect(await outcomesOf({ outcomes: ['delivered'] })).toEqual(['delivered', 'delivered', 'delivered'])
  expect(await outcomesOf({ outcomes: ['failed', 'timed_out'] })).toEqual(['failed', 'failed'])
  expect(await outcomesOf({ outcomes: ['interrupted'] })).toEqual([])
  expect(await outcomesOf({ limit: 2 })).toHaveLength(2)
})
