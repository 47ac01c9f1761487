import { createHmac } from 'node:crypto'
import type { Check } from '../check.ts'
import { dateTime, matches, members, must, same } from '../expect.ts'
import type { Received } from '../receiver.ts'
import type { Caller, World } from '../world.ts'

export const events: readonly Check[] = [
  {
    ids: 'HOOK-1, HOOK-12, CREATE-7',
    title: 'a failed session is told as GET would return it',
    needs: ['receiver'],
    async run(world) {
      const { id, message } = await failOne(world)
      const event = JSON.parse(message.body.toString())
      members(event, ['type', 'verification', 'sent_at'])
      same(event.type, 'verification.failed', 'type')
      matches(event.sent_at, dateTime, 'sent_at')
      same(event.verification, (await world.call('GET', `/v1/verifications/${id}`)).body, 'verification')
      same(event.verification.metadata, { order: '7' }, 'metadata')
      same(message.headers['content-type'], 'application/json', 'the content type')
      must((message.headers['x-service-event-id'] ?? '') !== '', 'X-Service-Event-Id should be there')
      same(message.headers['x-service-attempt'], '1', 'X-Service-Attempt')
    },
  },
  {
    ids: 'HOOK-2',
    title: 'a message is signed over its time and its raw bytes',
    needs: ['receiver'],
    async run(world) {
      const { message } = await failOne(world)
      const header = message.headers['x-service-signature']
      matches(header, /^t=\d+(?:,v1=[0-9a-f]{64}){1,2}$/, 'X-Service-Signature')
      const [, t = ''] = /^t=(\d+)/.exec(header ?? '') ?? []
      must(Math.abs(Date.now() / 1000 - Number(t)) <= 300, 't should be within 300 s of now')
      const mac = createHmac('sha256', world.receiver?.secret ?? '')
        .update(`${t}.`)
        .update(message.body)
        .digest('hex')
      must(
        header?.split(',').includes(`v1=${mac}`) === true,
        'one v1 should be the HMAC-SHA256 of t, a dot and the body',
      )
    },
  },
  {
    ids: 'HOOK-1, WRES-6',
    title: 'a completed session is told with its claims',
    needs: ['receiver', 'wallet'],
    async run(world) {
      const created = await world.create({ webhook_url: world.receiver?.url })
      await world.wallet?.(created.body.wallet_uri)
      const message = await world.receiver?.about(created.body.id)
      const event = JSON.parse(message?.body.toString() ?? '')
      same(
        [event.type, event.verification.claims],
        ['verification.completed', { age_over_18: true }],
        'type and claims',
      )
    },
  },
  {
    ids: 'ERASE-1',
    title: 'an erasure counts the delivery and the result',
    needs: ['receiver'],
    async run(world) {
      const { id } = await failOne(world)
      const { deleted } = (await world.call('DELETE', `/v1/verifications/${id}`)).body
      same(
        [deleted.verification_sessions, deleted.webhook_deliveries],
        [1, 1],
        'sessions and deliveries deleted',
      )
    },
  },
]

async function failOne({
  create,
  decline,
  receiver,
}: World & Caller): Promise<{ id: string; message: Received }> {
  if (receiver === undefined) throw new Error('there is no receiver')
  const { body } = await create({ webhook_url: receiver.url, metadata: { order: '7' } })
  await decline(body.wallet_uri)
  return { id: body.id, message: await receiver.about(body.id) }
}
