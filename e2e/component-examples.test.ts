import { afterAll, expect, test } from 'vitest'
import { startCommands, startExample } from '../examples/test/start-example.ts'
import { openBrowser } from './fixture/browser.ts'
import { closeDashboard, startDashboard } from './fixture/dashboard-fixture.ts'

const fixture = await startDashboard()
afterAll(() => closeDashboard(fixture))

test.each([...startCommands.keys()])(
  'a customer of the %s example proves their age on its page',
  async (name) => {
    const { merchant, address } = fixture
    await using shop = await startExample(name, {
      VIDIMUS_URL: address,
      VIDIMUS_KEY: merchant.key,
      VIDIMUS_WEBHOOK_SECRET: merchant.webhook_secret,
    })

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
