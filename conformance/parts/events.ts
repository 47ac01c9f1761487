import { createHmac } from 'node:crypto'
import type { ConformanceCheck } from '../check.ts'
import { dateTime, assertMatches, assertMembers, assertThat, assertEqual } from '../expect.ts'
import type { ReceivedWebhook } from '../receiver.ts'
import type { ServiceClient, Target } from '../target.ts'

export const webhookChecks: readonly ConformanceCheck[] = [
  {
    ids: ['HOOK-1', 'HOOK-12', 'CREATE-7'],
    title: 'the webhook of a failed session contains what GET returns',
    needs: ['receiver'],
    async run(target) {
      const { id, message } = await failVerification(target)
      const event = JSON.parse(message.body.toString())
      assertMembers(event, ['type', 'verification', 'sent_at'])
      assertEqual(event.type, 'verification.failed', 'type')
      assertMatches(event.sent_at, dateTime, 'sent_at')
      assertEqual(
        event.verification,
        (await target.call('GET', `/v1/verifications/${id}`)).body,
        'verification',
      )
      assertEqual(event.verification.metadata, { order: '7' }, 'metadata')
      assertEqual(message.headers['content-type'], 'application/json', 'the content type')
      assertThat((message.headers['x-service-event-id'] ?? '') !== '', 'X-Service-Event-Id should be present')
      assertEqual(message.headers['x-service-attempt'], '1', 'X-Service-Attempt')
    },
  },
  {
    ids: ['HOOK-2'],
    title: 'a webhook is signed over its time and its raw bytes',
    needs: ['receiver'],
    async run(target) {
      const { message } = await failVerification(target)
      const header = message.headers['x-service-signature']
      assertMatches(header, /^t=\d+(?:,v1=[0-9a-f]{64}){1,2}$/, 'X-Service-Signature')
      const [, t = ''] = /^t=(\d+)/.exec(header ?? '') ?? []
      assertThat(Math.abs(Date.now() / 1000 - Number(t)) <= 300, 't should be within 300 s of now')
      const mac = createHmac('sha256', target.receiver?.secret ?? '')
        .update(`${t}.`)
        .update(message.body)
        .digest('hex')
      assertThat(
        header?.split(',').includes(`v1=${mac}`) === true,
        'one v1 should be the HMAC-SHA256 of t, a dot and the raw body',
      )
    },
  },
  {
    ids: ['HOOK-1', 'WRES-6'],
    title: 'the webhook of a completed session contains its claims',
    needs: ['receiver', 'wallet'],
    async run(target) {
      const created = await target.create({ webhook_url: target.receiver?.url })
      await target.wallet?.(created.body.wallet_uri)
      const message = await target.receiver?.waitForWebhook(created.body.id)
      const event = JSON.parse(message?.body.toString() ?? '')
      assertEqual(
        [event.type, event.verification.claims],
        ['verification.completed', { age_over_18: true }],
        'type and claims',
      )
    },
  },
  {
    ids: ['ERASE-1'],
    title: 'an erasure reports the deleted session and delivery',
    needs: ['receiver'],
    async run(target) {
      const { id } = await failVerification(target)
      const { deleted } = (await target.call('DELETE', `/v1/verifications/${id}`)).body
      assertEqual(
        [deleted.verification_sessions, deleted.webhook_deliveries],
        [1, 1],
        'the number of deleted sessions and deliveries',
      )
    },
  },
]

async function failVerification({
  create,
  decline,
  receiver,
}: Target & ServiceClient): Promise<{ id: string; message: ReceivedWebhook }> {
  if (receiver === undefined) throw new Error('There is no receiver.')
  const { body } = await create({ webhook_url: receiver.url, metadata: { order: '7' } })
  await decline(body.wallet_uri)
  return { id: body.id, message: await receiver.waitForWebhook(body.id) }
}
