import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { openBrowser, type BrowserOptions } from './fixture/browser.ts'
import { closeDashboard } from './fixture/dashboard-fixture.ts'
import { startHolderFixture } from './fixture/holder-fixture.ts'

/** `E2E_GUIDE_IMAGES=docs/images npm run e2e -- guide-images` renews the images of the guides. */
const folder = process.env['E2E_GUIDE_IMAGES']

test.skipIf(folder === undefined)(
  "the images of the holder's page are written",
  async () => {
    const fixture = await startHolderFixture()
    const open = async (options: Omit<BrowserOptions, 'address'>, query = '') => {
      const user = await openBrowser({ address: fixture.address, ...options })
      const session = await fixture.create({ redirect_url: fixture.shop })
      await user.page.goto(`/verify/${session.id}${query}`)
      await user.page.locator('vidimus-verify [part~=button]').first().waitFor()
      return { ...user, session }
    }
    await save((await open({})).page, 'computer')
    await save((await open({ theme: 'dark' }, '?lang=de')).page, 'dark')
    await save((await open({ phone: true })).page, 'phone')

    const scanned = await open({ phone: true })
    await fixture.service.anonymous.get(`/wallet/request/${scanned.session.id}`)
    await scanned.page.getByRole('heading', { name: 'Continue in your wallet' }).waitFor()
    await save(scanned.page, 'opened')

    const declined = await open({ phone: true })
    await fixture.respondToCode(declined.session, { persona: 'declines' })
    await declined.page.getByRole('heading', { name: 'Nothing was shared' }).waitFor()
    await save(declined.page, 'declined')
    await closeDashboard(fixture)
  },
  300_000,
)

async function save(page: Page, image: string): Promise<void> {
  await page.screenshot({ path: `${folder}/page-${image}.png`, animations: 'disabled', fullPage: true })
}
