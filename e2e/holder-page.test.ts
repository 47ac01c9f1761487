import { afterAll, expect, test } from 'vitest'
import { sql } from '../apps/service/src/engine/db/sql.ts'
import { openBrowser } from './fixture/browser.ts'
import { closeDashboard } from './fixture/dashboard-fixture.ts'
import { expireSession, openShop, settle, startHolderFixture } from './fixture/holder-fixture.ts'

const fixture = await startHolderFixture()
const { address } = fixture
afterAll(() => closeDashboard(fixture))

/** A browser that has only links and codes to offer. */
const withoutDigitalCredentials = 'delete window.DigitalCredential'

test('[PAGE-5] a wallet on another device answers the QR code, and the page moves to the merchant once, without a code', async () => {
  await using user = await openBrowser({ address })
  const visited = await openShop(user.page, fixture)
  const session = await fixture.create({ redirect_url: fixture.shop })
  await user.page.goto(`/verify/${session.id}`)
  await user.page.getByRole('img', { name: 'QR code for Harbour Wines: Age check for your order' }).waitFor()
  const warning = 'Only scan this code if you started this yourself at Harbour Wines.'
  await user.page.getByText(warning).filter({ visible: true }).waitFor()

  await fixture.respondToCode(session, { persona: 'adult' })
  await user.page.getByRole('heading', { name: 'Back at the shop' }).waitFor()
  await settle()
  expect(visited).toEqual([fixture.shop])
})

test('[PAGE-10] the page loads nothing from elsewhere, violates no policy and sets no cookie', async () => {
  await using user = await openBrowser({ address })
  const session = await fixture.create()
  await user.page.goto(`/verify/${session.id}?lang=de`)
  await user.page.getByRole('img', { name: /Harbour Wines/ }).waitFor()
  await fixture.respondToCode(session, { persona: 'adult' })
  await user.page.locator('vidimus-verify .state.completed').waitFor()
  expect(user.foreignRequests).toEqual([])
  expect(user.cspViolations).toEqual([])
  expect(await user.context.cookies()).toEqual([])
  // The merchant's colour is the only inline style, and the policy names its hash.
  expect(await user.page.evaluate(`getComputedStyle(document.querySelector('.ask summary')).color`)).toBe(
    'rgb(122, 31, 61)',
  )
})

test('a phone offers its own wallet first, and the page that opened it does not take the redirect', async () => {
  await using user = await openBrowser({ address, phone: true })
  const { page } = user
  await page.addInitScript(withoutDigitalCredentials)
  const visited = await openShop(page, fixture)
  const session = await fixture.create({ redirect_url: fixture.shop })
  await page.goto(`/verify/${session.id}`)
  const link = page.getByRole('link', { name: 'Continue with your wallet' })
  expect(await link.getAttribute('href')).toBe(session.wallet_uri.replace('openid4vp:', 'eu-eaap:'))
  expect(await page.locator('vidimus-verify .qr:visible').count()).toBe(0)
  await page.getByRole('button', { name: 'Another way' }).click()
  await page.getByRole('img', { name: /^QR code for Harbour Wines/ }).waitFor()
  await page.keyboard.press('Escape')

  await link.click()
  await fixture.respond(session.wallet_uri, { persona: 'adult' })
  await page.getByRole('heading', { name: 'Done' }).waitFor()
  await settle()
  expect(visited).toEqual([])
})

test('if nothing happens after the link, the page offers the other ways', async () => {
  await using user = await openBrowser({ address, phone: true })
  const { page } = user
  await page.addInitScript(withoutDigitalCredentials)
  const session = await fixture.create()
  await page.goto(`/verify/${session.id}`)
  await page.locator('vidimus-verify [data-key=main]').waitFor()
  // The browser of this test has no app for the link, and would wait for an answer of its own.
  await page.evaluate(
    `document.addEventListener('click', (event) => event.preventDefault(), { capture: true, once: true })`,
  )
  await page.getByRole('link', { name: 'Continue with your wallet' }).click()
  const sheet = page.getByRole('dialog', { name: 'Did your wallet not open?' })
  await sheet.getByRole('button', { name: 'Choose a wallet app' }).click()
  await page.getByRole('link', { name: 'Another wallet (openid4vp)' }).waitFor()
  await page.keyboard.press('Escape')
  expect(await page.getByRole('dialog').count()).toBe(0)
})

test('a holder chooses another wallet by country, opens it, and opens the same one again', async () => {
  await using user = await openBrowser({ address, phone: true, locale: 'nl-NL' })
  const { page } = user
  const session = await fixture.create()
  await page.goto(`/verify/${session.id}?lang=en`)
  await page.getByRole('button', { name: 'Another way' }).click()
  await page.getByRole('button', { name: 'Choose a wallet app' }).click()
  const country = page.getByRole('combobox', { name: 'Country' })
  expect(await country.inputValue()).toBe('NL')
  const { wallets } = (await fixture.service.anonymous.get(`/verify/${session.id}/session`)).body
  const link = (name: string) => page.getByRole('link', { name, exact: true })
  for (const { name, uri } of wallets) expect(await link(name).getAttribute('href')).toBe(uri)

  const haip = page.getByRole('link', { name: 'Another wallet (haip-vp)' })
  const href = await haip.getAttribute('href')
  expect(href).toBe(session.wallet_uri.replace('openid4vp:', 'haip-vp:'))
  await haip.click()
  await fixture.service.anonymous.get(`/wallet/request/${session.id}`)
  expect(await page.getByRole('link', { name: 'Open your wallet again' }).getAttribute('href')).toBe(href)
  expect(user.cspViolations).toEqual([])
})

test('[PAGE-4] a holder who declines reads so, in the title too, has the focus there, and can go back', async () => {
  await using user = await openBrowser({ address })
  const { page } = user
  const session = await fixture.create({ redirect_url: fixture.shop })
  await page.goto(`/verify/${session.id}`)
  await page.getByRole('img', { name: /^QR code/ }).waitFor()
  await fixture.respondToCode(session, { persona: 'declines' })
  await page.getByRole('heading', { name: 'Nothing was shared' }).waitFor()
  expect(await page.title()).toBe('Nothing was shared · Harbour Wines')
  expect(
    await page.evaluate(`document.querySelector('vidimus-verify').shadowRoot.activeElement?.textContent`),
  ).toBe('Nothing was shared')
  expect(await page.getByRole('link', { name: 'Back to Harbour Wines' }).getAttribute('href')).toBe(
    fixture.shop,
  )
  // The bar leads back too.
  await openShop(page, fixture)
  await page.getByRole('button', { name: 'Back to Harbour Wines' }).click()
  await page.getByRole('heading', { name: 'Back at the shop' }).waitFor()
})

test('[PAGE-4] a minor is told that it was not accepted, and not why', async () => {
  await using user = await openBrowser({ address })
  const session = await fixture.create()
  await user.page.goto(`/verify/${session.id}`)
  await user.page.getByRole('img', { name: /^QR code/ }).waitFor()
  await fixture.respondToCode(session, { persona: 'minor' })
  await user.page.getByRole('heading', { name: 'Your document could not be accepted' }).waitFor()
  expect(await user.page.getByRole('main').innerText()).not.toMatch(/too young|minor|requirement/i)
})

test('the time is shown in the last two minutes only, and an expired page says so without a reload', async () => {
  await using user = await openBrowser({ address })
  const { page } = user
  const session = await fixture.create({ redirect_url: fixture.shop })
  await page.goto(`/verify/${session.id}`)
  await page.getByRole('img', { name: /^QR code/ }).waitFor()
  expect(await page.getByText('Time left').count()).toBe(0)

  await fixture.service.ctx.db.execute(sql`
    update verification_sessions set expires_at = service_now() + interval '100 seconds' where id = ${session.id}`)
  await page.reload()
  await page.getByText(/Time left: 1:\d\d/).waitFor()
  await expireSession(fixture, session.id)
  await page.getByRole('heading', { name: 'The time is up' }).waitFor()
  expect(await page.getByRole('img', { name: /^QR code/ }).count()).toBe(0)
  await page.getByRole('link', { name: 'Back to Harbour Wines' }).waitFor()
})

test('a session that is erased while its page is open leaves nothing on it', async () => {
  await using user = await openBrowser({ address })
  const session = await fixture.create()
  await user.page.goto(`/verify/${session.id}`)
  await user.page.getByRole('img', { name: /^QR code/ }).waitFor()
  await fixture.merchant.delete(`/v1/verifications/${session.id}`)
  await user.page.getByRole('heading', { name: 'This page is not available' }).waitFor()
  expect(await user.page.content()).not.toContain('Harbour Wines')
})

test('offline shows a banner, and the page goes on where the session is once it is back', async () => {
  await using user = await openBrowser({ address })
  const { page, context } = user
  const session = await fixture.create()
  await page.goto(`/verify/${session.id}`)
  await page.getByRole('img', { name: /^QR code/ }).waitFor()
  await context.setOffline(true)
  await page.locator('vidimus-verify .strip', { hasText: 'No connection.' }).waitFor()
  expect(await page.getByRole('img', { name: /^QR code/ }).count()).toBe(0)
  await fixture.respondToCode(session, { persona: 'adult' })
  expect(await page.getByRole('heading', { name: 'Done' }).count()).toBe(0)
  await context.setOffline(false)
  await page.getByRole('heading', { name: 'Done' }).waitFor()
})

test('when the connection is back, the live region says so and is then empty', async () => {
  await using user = await openBrowser({ address })
  const { page, context } = user
  const session = await fixture.create()
  await page.goto(`/verify/${session.id}`)
  await page.getByRole('img', { name: /^QR code/ }).waitFor()
  const live = page.locator('vidimus-verify [role=status]')
  await context.setOffline(true)
  await expect.poll(() => live.textContent()).toBe('No connection. This continues by itself.')
  await context.setOffline(false)
  await expect.poll(() => live.textContent()).toBe('Connected again.')
  await page.getByRole('img', { name: /^QR code/ }).waitFor()
  await expect.poll(() => live.textContent()).toBe('')
})

test('a reload and a second tab show the current phase, and each tab learns the outcome', async () => {
  await using user = await openBrowser({ address })
  const { page, context } = user
  const session = await fixture.create()
  await page.goto(`/verify/${session.id}`)
  await page.getByRole('img', { name: /^QR code/ }).waitFor()
  await fixture.service.anonymous.get(`/wallet/request/${session.id}`)
  await page.getByRole('heading', { name: 'Continue in your wallet' }).waitFor()
  expect(await page.getByRole('img', { name: /^QR code/ }).count()).toBe(0)
  await page.reload()
  await page.getByRole('heading', { name: 'Continue in your wallet' }).waitFor()
  const second = await context.newPage()
  await second.goto(`/verify/${session.id}`)
  await second.getByRole('heading', { name: 'Continue in your wallet' }).waitFor()
  await second.getByRole('button', { name: 'Show the code again' }).click()
  await second.getByRole('img', { name: /^QR code/ }).waitFor()

  await fixture.respondToCode(session, { persona: 'adult' })
  await Promise.all([page, second].map((tab) => tab.getByRole('heading', { name: 'Done' }).waitFor()))
  await page.reload()
  await page.getByRole('heading', { name: 'Done' }).waitFor()
})

test('without JavaScript the page has link and QR code, refreshes by itself and shows the outcome', async () => {
  await using user = await openBrowser({ address, script: false })
  const { page } = user
  const session = await fixture.create({ redirect_url: fixture.shop })
  await page.goto(`/verify/${session.id}`)
  expect(await page.getByRole('link', { name: 'Continue with your wallet' }).getAttribute('href')).toBe(
    session.wallet_uri.replace('openid4vp:', 'eu-eaap:'),
  )
  await page.getByRole('button', { name: 'Back to Harbour Wines' }).waitFor()
  await page.getByText('I have no wallet', { exact: true }).click()
  await page.getByText('A digital identity wallet is an app on your phone').waitFor()
  await page.getByText('Another way', { exact: true }).click()
  expect(await page.getByRole('link', { name: 'Another wallet (openid4vp)' }).getAttribute('href')).toBe(
    session.wallet_uri,
  )
  await page.getByRole('link', { name: 'NL Wallet' }).waitFor()
  await page.getByRole('img', { name: 'QR code for Harbour Wines: Age check for your order' }).waitFor()
  await fixture.respondToCode(session, { persona: 'adult' })
  await page.getByRole('heading', { name: 'Done' }).waitFor()
  expect(await page.getByRole('link', { name: 'Continue to Harbour Wines' }).getAttribute('href')).toBe(
    fixture.shop,
  )
})

test('the language can be changed without JavaScript', async () => {
  await using user = await openBrowser({ address, script: false })
  const { page } = user
  const session = await fixture.create()
  await page.goto(`/verify/${session.id}`)
  await page.locator('.languages summary').click()
  await page.getByRole('link', { name: 'Français' }).click()
  await page.waitForURL(`**/verify/${session.id}?lang=fr`)
  expect(await page.locator('html').getAttribute('lang')).toBe('fr')
})
