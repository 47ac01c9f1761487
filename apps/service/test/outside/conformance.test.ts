import { afterAll, expect, test } from 'vitest'
import { deviations } from '../../../../conformance/injected/deviations.ts'
import { openProxy } from '../../../../conformance/injected/proxy.ts'
import { openReceiver } from '../../../../conformance/receiver.ts'
import { runConformance } from '../../../../conformance/run.ts'
import type { Target } from '../../../../conformance/target.ts'
import { sql } from '../../src/engine/db/sql.ts'
import { startDeliveryService } from '../deliveries.ts'
import { openWallet } from '../wallet.ts'

const proxy = await openProxy()
const at = await startDeliveryService({ BASE_URL: proxy.url, WEBHOOK_EGRESS_ALLOW: '127.0.0.1/32' })
proxy.targets.service = at.address
const worker = at.startWorker()
const merchant = await at.tenant({ daily_quota: 100_000 })
const receiver = await openReceiver({ host: '127.0.0.1', port: 0, secret: merchant.webhook_secret })
proxy.targets.hook = new URL(receiver.url).origin
afterAll(async () => {
  await worker.stop()
  await receiver[Symbol.asyncDispose]()
  await at[Symbol.asyncDispose]()
  await proxy[Symbol.asyncDispose]()
})

const expired = await merchant.as({ lifetime_days: 30 })
await at.ctx.db.execute(sql`update api_keys set expires_at = service_now() where id = ${expired.key_id}`)
const target: Target = {
  base_url: proxy.url,
  key: merchant.key,
  other_key: (await at.tenant()).key,
  read_key: (await merchant.as({ scopes: ['verifications:read'] })).key,
  live_key: (await merchant.as({ environment: 'live' })).key,
  expired_key: expired.key,
  quota_key: (await at.tenant({ daily_quota: 3 })).key,
  wallet: async (wallet_uri) => {
    const { respond } = await openWallet(at.ctx, proxy.url)
    const responded = await respond(wallet_uri)
    if (!responded.sent) throw new Error(responded.violations.map(({ message }) => message).join('; '))
    return responded
  },
  receiver: { ...receiver, url: `${proxy.url}/hook` },
}

test('the conformance suite finds no deviation in this service', async () => {
  proxy.inject({})
  const results = await runConformance(target)

  expect(results.filter(({ outcome }) => outcome === 'deviates')).toEqual([])
  expect(results.filter(({ outcome }) => outcome === 'skipped').map(({ detail }) => detail)).toEqual([
    'needs --slow',
  ])
  expect(results.length).toBeGreaterThan(35)
})

test('there are more than 25 injected deviations', () => {
  expect(deviations.length).toBeGreaterThan(25)
})

test.each(deviations)(
  'the conformance suite detects: $name',
  async ({ part, detected_by, ...alteration }) => {
    proxy.inject(alteration)
    const results = await runConformance(target, { part, id: detected_by })

    expect(results.filter(({ outcome }) => outcome === 'deviates')).not.toEqual([])
  },
)
