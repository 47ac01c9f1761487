import { afterAll, expect, test, vi } from 'vitest'
import { examples, openExampleShop } from '../examples/test/example-shop.ts'
import { openBrowser } from './fixture/browser.ts'
import { closeDashboard, startDashboard } from './fixture/dashboard-fixture.ts'

const fixture = await startDashboard()
afterAll(async () => {
  vi.unstubAllEnvs()
  await closeDashboard(fixture)
})

test.each(Object.keys(examples))(
  '[COMP-7] a customer of the %s example proves their age on its page',
  async (name) => {
    await using shop = await openExampleShop()
    const { merchant, address } = fixture
    vi.stubEnv('VIDIMUS_URL', address)
    vi.stubEnv('VIDIMUS_API_KEY', merchant.key)
    vi.stubEnv('VIDIMUS_WEBHOOK_SECRET', merchant.webhook_secret)
    vi.stubEnv('PUBLIC_URL', shop.url)
    vi.resetModules()
    shop.serve(await examples[name]?.())
    vi.spyOn(console, 'log').mockImplementation(() => undefined)

    await using customer = await openBrowser({ address: shop.url })
    const { page, cspViolations } = customer
    await page.goto('/')
    await page.getByRole('heading', { name: 'Scan with your phone' }).waitFor()
    const id = await page.locator('vidimus-verify').getAttribute('session')
    const { body } = await fixture.service.anonymous.get(`/verify/${id}/session`)
    await fixture.respond(body.screen_uri, { persona: 'adult' })
    await page.getByRole('heading', { name: 'Done' }).waitFor()

    expect(cspViolations).toEqual([])
  },
)
