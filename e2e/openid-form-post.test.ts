import { afterAll, expect, test } from 'vitest'
import { useStrictParty } from '../apps/service/test/openid/strict-party.ts'
import { openWebSite } from '../apps/service/test/openid/web-site.ts'
import { openWallet } from '../apps/service/test/wallet.ts'
import { findViolations } from './fixture/axe.ts'
import { openBrowser, type BrowserOptions, type BrowserUser } from './fixture/browser.ts'
import { closeDashboard } from './fixture/dashboard-fixture.ts'
import { startHolderFixture } from './fixture/holder-fixture.ts'
import { takeScreenshot } from './fixture/screenshot.ts'

const fixture = await startHolderFixture()
const { address, merchant, service } = fixture
const site = await openWebSite(service, merchant, useStrictParty, 'form_post')
afterAll(async () => {
  await closeDashboard(fixture)
  await site[Symbol.asyncDispose]()
})

/** A browser in which the site's button was pressed, on our page. */
async function pressButton(
  options: Omit<BrowserOptions, 'address'> = {},
): Promise<BrowserUser & { id: string }> {
  const user = await openBrowser({ address, ...options })
  await user.page.goto(site.origin)
  await user.page.getByRole('link', { name: 'Confirm your age' }).click()
  await user.page.waitForURL(`${address}/verify/*`)
  return { ...user, id: /\/verify\/(vs_[\w-]+)/.exec(user.page.url())?.[1] ?? '' }
}

/** The site was told by a post of the service's own origin, and has sent the browser on to another origin. */
async function expectWelcome({ page, id, cspViolations }: BrowserUser & { id: string }): Promise<void> {
  await expect.poll(() => page.locator('body').innerText()).toContain('Welcome')
  expect(new URL(page.url()).hostname).toBe('localhost')
  expect(site.signedIn.at(-1)?.claims['verification']).toMatchObject({ id })
  expect(site.postedFrom.at(-1)).toBe(address)
  expect(cspViolations).toEqual([])
}

test('a wallet on another device answers the QR code, and the browser posts the code to the site', async () => {
  await using user = await pressButton()
  await user.page.getByRole('img', { name: /^QR code for Harbour Wines/ }).waitFor()
  await fixture.respondToCode({ id: user.id, wallet_uri: '' }, { persona: 'adult' })
  await expectWelcome(user)
  // Back leads to no second post.
  const posts = site.postedFrom.length
  await user.page.goBack()
  expect(site.postedFrom).toHaveLength(posts)
})

test('a wallet on the same device opens its redirect, and the browser posts the code to the site', async () => {
  await using user = await pressButton({ phone: true })
  await user.page.goto('about:blank')
  const wallet = await openWallet(service.ctx, address, { persona: 'adult' })
  const responded = await wallet.respondOver('redirect', user.id)
  if (!responded.sent) throw new Error(JSON.stringify(responded.violations))
  await user.page.goto((JSON.parse(responded.body) as { redirect_uri: string }).redirect_uri)
  await expectWelcome(user)
})

test('without JavaScript a button posts the code, in the language that was chosen', async () => {
  for (const look of [{ theme: 'light' }, { theme: 'dark', phone: true }] as const) {
    await using user = await pressButton({ script: false, ...look })
    const { page, id } = user
    await page.getByRole('img', { name: /^QR code/ }).waitFor()
    await fixture.respondToCode({ id, wallet_uri: '' }, { persona: 'adult' })
    await page.getByRole('link', { name: 'Continue to Harbour Wines' }).click()
    const button = page.getByRole('button', { name: 'Continue' })
    await button.waitFor()
    await takeScreenshot(page, `openid-form-post-${look.theme}`)
    await page.locator('.languages summary').click()
    await page.getByRole('link', { name: 'Deutsch' }).click()
    await page.getByRole('button', { name: 'Weiter' }).click()
    await expectWelcome(user)
  }
})

test('the page that posts has no violation that axe finds, while the site takes its time', async () => {
  await using user = await pressButton({ phone: true, theme: 'dark' })
  const { page, id } = user
  // The browser stays where it is.
  await page.route('**/callback', (route) => route.fulfill({ status: 204 }))
  await page.getByRole('button', { name: 'Another way' }).waitFor()
  await fixture.respondToCode({ id, wallet_uri: '' }, { persona: 'adult' })
  await page.getByRole('heading', { name: 'One moment…' }).waitFor()
  expect(await page.getByRole('button').count()).toBe(0)
  expect(await findViolations(page)).toEqual([])
  await takeScreenshot(page, 'openid-form-post-waiting')
})
