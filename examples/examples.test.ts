import { readFileSync } from 'node:fs'
import { afterAll, expect, test, vi } from 'vitest'
import { startDeliveryService } from '../apps/service/test/deliveries.ts'
import { openWallet } from '../apps/service/test/wallet.ts'
import { examples, openExampleShop } from './test/example-shop.ts'

const deliveries = await startDeliveryService()
const worker = deliveries.startWorker()
afterAll(async () => {
  await worker.stop()
  await deliveries[Symbol.asyncDispose]()
})

test.each(Object.keys(examples))(
  '[HOOK-1] [HOOK-11] the %s example creates a verification, receives its webhook and rejects an altered one',
  async (name) => {
    await using shop = await openExampleShop()
    const merchant = await deliveries.tenant()
    vi.stubEnv('VIDIMUS_URL', deliveries.address)
    vi.stubEnv('VIDIMUS_API_KEY', merchant.key)
    vi.stubEnv('VIDIMUS_WEBHOOK_SECRET', merchant.webhook_secret)
    vi.stubEnv('PUBLIC_URL', shop.url)
    vi.resetModules()
    shop.serve(await examples[name]?.())
    const logged: unknown[][] = []
    vi.spyOn(console, 'log').mockImplementation((...words) => void logged.push(words))

    const created = await fetch(`${shop.url}/checks`, { method: 'POST' })
    expect(created.status).toBe(201)
    const { id, wallet_uri } = (await created.json()) as { id: string; wallet_uri: string }
    const { respond } = await openWallet(deliveries.ctx, deliveries.address)
    expect(await respond(wallet_uri)).toMatchObject({ http_status: 200 })

    const [attempt] = await deliveries.waitForAttempts(merchant, 1)
    expect(attempt).toMatchObject({ outcome: 'delivered', status: 204 })
    expect(logged).toEqual([['verification.completed', id]])

    const altered = await fetch(`${shop.url}/webhooks/vidimus`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-service-signature': shop.lastSignature() },
      body: '{"type":"verification.completed","verification":{"id":"vs_forged"}}',
    })
    expect([altered.status, await altered.text()]).toEqual([
      400,
      expect.stringContaining('The signature matches none'),
    ])
    expect(logged).toHaveLength(1)
  },
)

const { version } = JSON.parse(
  readFileSync(new URL('../packages/component/package.json', import.meta.url), 'utf8'),
)

test.each(Object.keys(examples))(
  '[COMP-7] the page of the %s example has the component, and a link for browsers without script',
  async (name) => {
    await using shop = await openExampleShop()
    const merchant = await deliveries.tenant()
    vi.stubEnv('VIDIMUS_URL', deliveries.address)
    vi.stubEnv('VIDIMUS_API_KEY', merchant.key)
    vi.stubEnv('PUBLIC_URL', shop.url)
    vi.resetModules()
    shop.serve(await examples[name]?.())

    const page = await fetch(shop.url)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.headers.get('content-security-policy')).toBe(
      `default-src 'none'; script-src ${deliveries.address}; connect-src ${deliveries.address}`,
    )
    const html = await page.text()
    expect(html).toContain(`src="${deliveries.address}/component/vidimus-verify-${version}.js"`)
    const [, id = '', link = ''] = /<vidimus-verify session="(vs_[\w-]+)"><a href="([^"]+)">/.exec(html) ?? []
    expect(link).toBe(`${deliveries.address}/verify/${id}`)
    expect((await fetch(link)).status).toBe(200)
  },
)
