import { readFileSync } from 'node:fs'
import { WebhookPayload } from '@vidimus/contract'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, expect, test } from 'vitest'
import { startDeliveryService } from '../../../test/deliveries.ts'
import { reply, neverRespond, startReceiver } from '../../../test/network/receiver.ts'
import { newVerificationId } from '../../engine/basics/ids.ts'
import { Refusal } from '../../engine/basics/refusal.ts'
import { showWebhook } from '../../verifications/dashboard/show-webhook.ts'
import { listDeliveries, type ListDeliveries } from './log/list-deliveries.ts'
import { sendTestEvent } from './send-test-event.ts'

const fixture = await startDeliveryService({ WEBHOOK_BACKOFF_SECONDS: '1' })
const worker = fixture.startWorker()
afterAll(async () => {
  await worker.stop()
  await fixture[Symbol.asyncDispose]()
})

const noRequest = { headers: {} as Record<string, string>, body: '{}' }

type WebhookDescriptions = { webhooks: Record<string, { post: { parameters: { name: string }[] } }> }
const openapi: WebhookDescriptions = JSON.parse(
  readFileSync(new URL('../../../../../packages/contract/openapi.json', import.meta.url), 'utf8'),
)
const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema(openapi, 'openapi')

/** The errors of a message against the published OpenAPI description of its `type`. */
function findErrors({ headers, body }: { headers: Record<string, string>; body: string }): unknown {
  const payload = JSON.parse(body)
  const operation = openapi.webhooks[payload.type]?.post
  if (operation === undefined) return `${payload.type} is not described`
  const missing = operation.parameters.filter(({ name }) => headers[name.toLowerCase()] === undefined)
  if (missing.length > 0) return missing
  const pointer = `/webhooks/${payload.type}/post/requestBody/content/application~1json/schema`
  const validate = ajv.getSchema(`openapi#${pointer}`)
  if (validate === undefined) return `${payload.type} has no schema`
  return validate(payload) === true ? undefined : validate.errors
}

test('[GEN-4] [HOOK-1] a delivered result matches the published description, and the contract can parse it', async () => {
  await using receiver = await startReceiver(reply(200))
  const merchant = await fixture.tenant()
  await fixture.complete(merchant, receiver.url)
  await fixture.complete(merchant, receiver.url, { status: 'failed' })
  await fixture.waitForAttempts(merchant, 2)

  const types = receiver.received.map(({ body }) => WebhookPayload.parse(JSON.parse(body)).type)
  expect(types.toSorted()).toEqual(['verification.completed', 'verification.failed'])
  expect(receiver.received.map(findErrors)).toEqual([undefined, undefined])
  const [{ headers, body } = noRequest] = receiver.received
  expect(findErrors({ headers, body: JSON.stringify({ ...JSON.parse(body), more: 1 }) })).toBeDefined()
  expect(findErrors({ headers: {}, body })).toBeDefined()
})

test('[HOOK-2] [HOOK-7] a test event is signed, marked as a test, and belongs to no verification', async () => {
  await using receiver = await startReceiver(reply(204))
  const { tenant_id } = await fixture.tenant()
  const by = { kind: 'operator', tenant_id } as const
  const result = await sendTestEvent(fixture.ctx, { by, url: receiver.url })

  const [{ headers, body } = noRequest] = receiver.received
  const signature = headers['x-service-signature']
  expect(result).toEqual({
    outcome: 'delivered',
    status: 204,
    duration_ms: expect.any(Number),
    error: null,
    signature,
    body,
  })
  expect(findErrors({ headers, body })).toBeUndefined()
  expect(JSON.parse(body)).toEqual({
    type: 'webhook.test',
    environment: 'test',
    sent_at: expect.any(String),
  })
  expect(headers['x-service-event-id']).toMatch(/^evt_test_/)
  expect(signature).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/)
  expect(await listDeliveries(fixture.ctx, { tenant_id, environment: 'test', limit: 100 })).toEqual([])
})

test('[HOOK-5] [HOOK-7] a test event reports what went wrong, and is subject to the same address checks as a webhook', async () => {
  await using refusing = await startReceiver(reply(403))
  await using hanging = await startReceiver(neverRespond)
  const { tenant_id } = await fixture.tenant()
  const send = (url: string) => sendTestEvent(fixture.ctx, { by: { kind: 'operator', tenant_id }, url })
  const hung = send(hanging.url)
  await expect.poll(() => hanging.received.length).toBe(1)
  hanging.closeConnections()

  expect(await send(refusing.url)).toMatchObject({ outcome: 'failed', error: 'responded with status 403' })
  expect(await hung).toMatchObject({ outcome: 'failed', status: null })
  for (const url of ['http://10.0.0.1/', 'ftp://8.8.8.8/', 'not a URL'])
    await expect(send(url)).rejects.toThrow(Refusal)
})

test('[HOOK-7] [HOOK-13] the payload of an attempt is rendered again, for its own tenant only', async () => {
  await using receiver = await startReceiver(reply(200))
  const [merchant, other] = [await fixture.tenant(), await fixture.tenant()]
  const id = await fixture.complete(merchant, receiver.url)
  const [attempt] = await fixture.waitForAttempts(merchant, 1)
  const attempted_at = attempt?.attempted_at ?? ''
  const show = ({ tenant_id }: { tenant_id: string }, verification_id = id) =>
    showWebhook(fixture.ctx, { tenant_id, environment: 'test', id: verification_id, attempted_at })

  const { sent_at: _, ...sent } = WebhookPayload.parse(JSON.parse(receiver.received[0]?.body ?? ''))
  expect(await show(merchant)).toEqual({ ...sent, sent_at: attempted_at })
  await expect(show(other)).rejects.toThrow(Refusal)
  await expect(show(merchant, newVerificationId('0', '2026-11-15'))).rejects.toThrow(Refusal)
  const { body } = await merchant.post('/v1/verifications', { template: 'age_over_18' })
  await expect(show(merchant, body.id)).rejects.toThrow('no result')
})

test('[HOOK-7] the log can be filtered by outcome', async () => {
  await using good = await startReceiver(reply(200))
  await using bad = await startReceiver(reply(500))
  const merchant = await fixture.tenant()
  for (let event = 0; event < 3; event += 1) await fixture.complete(merchant, good.url)
  await fixture.complete(merchant, bad.url)
  await fixture.waitForAttempts(merchant, 5)
  const readOutcomes = async (filter: Partial<ListDeliveries>) => {
    const { tenant_id } = merchant
    const page = await listDeliveries(fixture.ctx, { tenant_id, environment: 'test', limit: 100, ...filter })
    return page.map(({ outcome }) => outcome)
  }

  expect(await readOutcomes({ outcomes: ['delivered'] })).toEqual(['delivered', 'delivered', 'delivered'])
  expect(await readOutcomes({ outcomes: ['failed', 'timed_out'] })).toEqual(['failed', 'failed'])
  expect(await readOutcomes({ outcomes: ['interrupted'] })).toEqual([])
  expect(await readOutcomes({ limit: 2 })).toHaveLength(2)
})
