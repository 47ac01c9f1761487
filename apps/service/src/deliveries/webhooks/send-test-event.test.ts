import { expect, test } from 'vitest'
import { readAuditLog } from '../../../test/audit/audit.ts'
import { signIn } from '../../../test/sign-in/browser.ts'
import { reply, startReceiver } from '../../../test/network/receiver.ts'
import { startService } from '../../../test/service.ts'
import { writeRateLimits } from '../../engine/limits/limiter.ts'

test('the test events of a tenant are limited, each has an audit entry, and other tenants are unaffected', async () => {
  await using receiver = await startReceiver(reply(204))
  await using service = await startService({
    environment: {
      RATE_LIMITS: 'key=99999/60,ip=99999/60,session=99999/60',
      WEBHOOK_EGRESS_ALLOW: '127.0.0.0/8',
    },
  })
  const [merchant, other] = [await service.tenant(), await service.tenant()]
  const developer = await signIn(service, { ...merchant, role: 'developer' })
  const otherDeveloper = await signIn(service, { ...other, role: 'developer' })
  const send = { params: { environment: 'test' }, body: { url: `${receiver.url}?token=hidden` } }
  const { requests } = writeRateLimits.test_event
  const responses = await Promise.all(Array.from({ length: 40 }, () => developer.call('sendTestEvent', send)))
  const statuses = responses.map(({ status }) => status)

  expect(statuses.filter((status) => status === 200)).toHaveLength(requests)
  expect(statuses.filter((status) => status === 429)).toHaveLength(40 - requests)
  expect(receiver.received).toHaveLength(requests)
  expect((await otherDeveloper.call('sendTestEvent', send)).status).toBe(200)
  const entries = (await readAuditLog(service.ctx, merchant.tenant_id)).filter(
    ({ action }) => action === 'webhook.test_sent',
  )
  expect(entries).toHaveLength(requests)
  expect(entries[0]).toMatchObject({
    detail: { host: new URL(receiver.url).host },
    actor_name: 'The developer',
  })
  expect(JSON.stringify(entries)).not.toContain('hidden')
})
