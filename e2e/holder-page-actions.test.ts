import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { setHolderPage } from '../apps/service/src/accounts/tenants/holder-page.ts'
import { openBrowser } from './fixture/browser.ts'
import { closeDashboard } from './fixture/dashboard-fixture.ts'
import { openShop, startHolderFixture } from './fixture/holder-fixture.ts'

const fixture = await startHolderFixture()
const { address } = fixture
afterAll(() => closeDashboard(fixture))

test.each(['age_over_18', 'driving_licence', 'pid_full'])(
  'the main button is within the first screen of a small phone for %s, with and without the note of the test environment',
  async (template) => {
    await using user = await openBrowser({ address, phone: true })
    const { page } = user
    await page.setViewportSize({ width: 360, height: 560 })
    const session = await fixture.create({ template, purpose: 'Age check for your order at Harbour Wines' })
    await page.goto(`/verify/${session.id}`)
    const main = page.getByRole('button', { name: 'Continue with your wallet' })
    await expect.poll(() => main.isEnabled()).toBe(true)
    const bottom = async () => {
      const box = await main.boundingBox()
      return (box?.y ?? Number.NaN) + (box?.height ?? Number.NaN)
    }
    expect(await bottom()).toBeLessThanOrEqual(560)
    await page.evaluate(`document.querySelector('.strip').remove()`)
    expect(await bottom()).toBeLessThanOrEqual(560)
    expect(await page.evaluate('scrollY')).toBe(0)
    // Nothing that the request says is under the button.
    const details = await page.getByText('Details', { exact: true }).boundingBox()
    expect((details?.y ?? Number.NaN) + (details?.height ?? Number.NaN)).toBeLessThan(
      (await main.boundingBox())?.y ?? Number.NaN,
    )
  },
)

test('Back cancels: the holder is at the merchant again, and no wallet can respond any more', async () => {
  await using user = await openBrowser({ address, phone: true })
  const { page } = user
  const visited = await openShop(page, fixture)
  const session = await fixture.create({ redirect_url: fixture.shop })
  await page.goto(`/verify/${session.id}`)
  await page.getByRole('button', { name: 'Another way' }).waitFor()
  await page.getByRole('button', { name: 'Back to Harbour Wines' }).click()
  await page.getByRole('heading', { name: 'Back at the shop' }).waitFor()
  expect(visited).toEqual([fixture.shop])
  expect((await fixture.merchant.get(`/v1/verifications/${session.id}`)).body.status).toBe('expired')
  expect((await fixture.service.anonymous.get(`/wallet/request/${session.id}`)).status).toBe(410)

  await page.goto(`/verify/${session.id}`)
  await page.getByRole('heading', { name: 'Stopped' }).waitFor()
  expect(await page.title()).toBe('Stopped · Harbour Wines')
})

test('without script, Back cancels by a form, and the page then leads to the merchant', async () => {
  await using user = await openBrowser({ address, phone: true, script: false })
  const { page } = user
  const visited = await openShop(page, fixture)
  const session = await fixture.create({ redirect_url: fixture.shop })
  await page.goto(`/verify/${session.id}?lang=de`)
  await page.getByRole('button', { name: 'Zurück zu Harbour Wines' }).click()
  await page.getByRole('heading', { name: 'Abgebrochen' }).waitFor()
  expect((await fixture.merchant.get(`/v1/verifications/${session.id}`)).body.status).toBe('expired')
  await page.locator('.dock').getByRole('link', { name: 'Zurück zu Harbour Wines' }).click()
  await page.getByRole('heading', { name: 'Back at the shop' }).waitFor()
  expect(visited).toEqual([fixture.shop])
  expect(user.cspViolations).toEqual([])
})

test('without a page of the merchant, Back says that it stopped, in every tab', async () => {
  await using user = await openBrowser({ address })
  const { page, context } = user
  const session = await fixture.create()
  await page.goto(`/verify/${session.id}`)
  const second = await context.newPage()
  await second.goto(`/verify/${session.id}`)
  await second.getByRole('img', { name: /^QR code/ }).waitFor()
  await page.getByRole('button', { name: 'Back to Harbour Wines' }).click()
  for (const tab of [page, second]) {
    await tab.getByRole('heading', { name: 'Stopped' }).waitFor()
    expect(await tab.getByRole('button', { name: 'Back to Harbour Wines' }).isVisible()).toBe(false)
  }
  expect(user.cspViolations).toEqual([])
})

test('[PAGE-4] a response that failed can be repeated on the same page, with the reason and the attempts left', async () => {
  await using user = await openBrowser({ address })
  const { page } = user
  const session = await fixture.create({ max_attempts: 3 })
  await page.goto(`/verify/${session.id}`)
  await page.getByRole('img', { name: /^QR code/ }).waitFor()
  await fixture.respondToCode(session, { persona: 'expired' })
  await page.getByRole('heading', { name: 'Your document could not be accepted' }).waitFor()
  await page.locator('vidimus-verify .state').getByText('It has expired.').waitFor()
  await page.getByText('You can try 2 more times.').waitFor()
  await page.getByRole('button', { name: 'Try another document' }).click()
  await page.getByRole('img', { name: /^QR code/ }).waitFor()

  await fixture.respondToCode(session, { persona: 'declines' })
  await page.getByRole('heading', { name: 'Nothing was shared' }).waitFor()
  await page.getByText('You can try once more.').waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('img', { name: /^QR code/ }).waitFor()
  await fixture.respondToCode(session, { persona: 'adult' })
  await page.getByRole('heading', { name: 'Done' }).waitFor()
  await page.getByText('What was shared').waitFor()
})

test('who has no wallet learns what it is, where to get one, and how to proceed without', async () => {
  await using user = await openBrowser({ address, phone: true, locale: 'nl-NL' })
  const { page } = user
  const alternative_url = 'https://shop.example/other'
  const session = await fixture.create({ alternative_url })
  const uri = 'https://apps.apple.com/app/id1'
  await page.route('**/session*', async (route) => {
    const response = await route.fetch()
    const body = await response.json()
    if (body.wallets !== undefined) {
      body.wallets[0].stores = [{ name: 'App Store', uri }]
      body.wallets.push({ name: 'A wallet without a store', uri: 'example:' })
    }
    await route.fulfill({ response, json: body })
  })
  await page.goto(`/verify/${session.id}?lang=en`)
  const opener = page.getByRole('button', { name: 'I have no wallet' })
  await opener.click()
  const sheet = page.getByRole('dialog', { name: 'No wallet yet?' })
  await sheet.getByText('A digital identity wallet is an app on your phone').waitFor()
  expect(await sheet.getByRole('combobox', { name: 'Country' }).inputValue()).toBe('NL')
  const store = sheet.getByRole('link', { name: 'NL Wallet' })
  expect([await store.getAttribute('href'), await store.getAttribute('target')]).toEqual([uri, '_blank'])
  expect(await store.getAttribute('rel')).toBe('noopener')
  await sheet.getByRole('link', { name: 'EUDI reference wallet github.com' }).waitFor()
  // A wallet whose store is not known is listed by its name.
  await sheet.getByText('A wallet without a store', { exact: true }).waitFor()
  expect(
    await sheet.getByRole('link', { name: 'Verify another way at Harbour Wines' }).getAttribute('href'),
  ).toBe(alternative_url)
  expect(await focusedInComponent(page)).toBe('No wallet yet?')
  await page.keyboard.press('Escape')
  expect(await focusedInComponent(page)).toBe('I have no wallet')
  await opener.click()
  await sheet.getByRole('button', { name: 'Back to Harbour Wines' }).click()
  await page.getByRole('heading', { name: 'Stopped' }).waitFor()
})

test('a code that moves is replaced on the screen, and the one before still works', async () => {
  const { ctx } = fixture.service
  const by = { kind: 'operator', tenant_id: fixture.merchant.tenant_id } as const
  await setHolderPage(ctx, { by, moving_code: true })
  await using user = await openBrowser({ address })
  const { page } = user
  const session = await fixture.create()
  await page.goto(`/verify/${session.id}`)
  await page.getByText('New code every 20 seconds').waitFor()
  const path = () => page.locator('vidimus-verify svg.qr path').last().getAttribute('d')
  const first = await path()
  await expect.poll(path, { timeout: 30_000 }).not.toBe(first)
  await fixture.respondToCode(session, { persona: 'adult' })
  await page.getByRole('heading', { name: 'Done' }).waitFor()
  await setHolderPage(ctx, { by, moving_code: false })
})

function focusedInComponent(page: Page): Promise<unknown> {
  return page.evaluate(`document.querySelector('vidimus-verify').shadowRoot.activeElement?.textContent`)
}
