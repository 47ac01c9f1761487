import { afterAll, expect, test } from 'vitest'
import { setClockOffset } from '../apps/service/test/database/clock.ts'
import { closeDashboard, startDashboard } from './fixture/dashboard-fixture.ts'
import { takeScreenshot } from './fixture/screenshot.ts'
import { openShop, type Customer } from './fixture/shop.ts'

const fixture = await startDashboard()
const shop = await openShop(fixture)
afterAll(async () => {
  await closeDashboard(fixture)
  await shop[Symbol.asyncDispose]()
})

const link = ({ page }: Customer) => page.getByRole('link', { name: 'Continue with your wallet' })
const code = ({ page }: Customer) => page.getByRole('img', { name: /^QR code/ })

test('a phone offers its own wallet first and the code on request', async () => {
  const { id, wallet_uri } = await shop.create()
  await using customer = await shop.visit(id, { phone: true, attributes: 'methods="link qr"' })
  const { page } = customer
  expect(await link(customer).getAttribute('href')).toBe(wallet_uri.replace('openid4vp:', 'eu-eaap:'))
  expect(await code(customer).count()).toBe(0)
  await page.getByRole('button', { name: 'Another way' }).tap()
  await code(customer).waitFor()
  const small = await page.evaluate(
    `[...document.querySelector('vidimus-verify').shadowRoot.querySelectorAll('a, button')].filter((node) => node.getBoundingClientRect().height < 44).length`,
  )
  expect(small).toBe(0)
  await page.getByRole('button', { name: 'Close' }).tap()
  await expect.poll(() => code(customer).count()).toBe(0)
})

test('the page of the merchant chooses with which scheme its main button begins', async () => {
  const { id, wallet_uri } = await shop.create()
  await using customer = await shop.visit(id, {
    phone: true,
    attributes: 'methods="link qr" scheme="openid4vp"',
  })
  const { page } = customer
  expect(await link(customer).getAttribute('href')).toBe(wallet_uri)
  await page.getByRole('button', { name: 'Another way' }).click()
  await page.getByRole('button', { name: 'Choose a wallet app' }).click()
  await page.getByRole('link', { name: 'Another wallet (eu-eaap)' }).waitFor()
  expect(await page.getByRole('link', { name: 'Another wallet (openid4vp)' }).count()).toBe(0)
  expect(customer.cspViolations).toEqual([])
})

test('a wallet that is not installed yet has a link to its store, in another window', async () => {
  const { id } = await shop.create()
  const uri = 'https://apps.apple.com/app/id1'
  const prepare = async ({ page }: Pick<Customer, 'page'>) => {
    await page.route('**/session*', async (route) => {
      const response = await route.fetch()
      const session = await response.json()
      session.wallets = [{ name: 'Example Wallet', uri: 'example://', stores: [{ name: 'App Store', uri }] }]
      await route.fulfill({ response, json: session })
    })
  }
  await using customer = await shop.visit(id, { phone: true, prepare })
  const { page } = customer
  await page.getByRole('button', { name: 'I have no wallet' }).click()
  const store = page.getByRole('link', { name: 'Example Wallet App Store' })
  expect([await store.getAttribute('href'), await store.getAttribute('target')]).toEqual([uri, '_blank'])
  await takeScreenshot(page, 'component-store-phone')
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Another way' }).click()
  await page.getByRole('button', { name: 'Choose a wallet app' }).click()
  expect(await page.getByRole('link', { name: 'Example Wallet', exact: true }).getAttribute('href')).toBe(
    'example://',
  )
})

test('three seconds after a link that opens nothing, the other ways are offered', async () => {
  const { id, screen_uri } = await shop.create()
  await using customer = await shop.visit(id, { phone: true, attributes: 'methods="link qr"' })
  const { page } = customer
  await link(customer).waitFor()
  await stayOnPage(customer)
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  await link(customer).click()
  await page.clock.fastForward(2900)
  expect(await page.getByText('Did your wallet not open?').count()).toBe(0)
  await page.clock.fastForward(200)
  await page.getByRole('heading', { name: 'Did your wallet not open?' }).waitFor()
  await page.clock.resume()
  await page.getByRole('button', { name: 'Copy link' }).waitFor()
  await takeScreenshot(page, 'component-nothing-phone')
  await page.getByRole('button', { name: 'Use a wallet on another device' }).click()
  await code(customer).waitFor()

  // Who then scans the code did not leave by the link: this page moves on.
  await fixture.respond(screen_uri, { persona: 'adult' })
  await page.waitForURL(`${shop.origin}/back`)
})

test('after the link the wallet opens the redirect, and this page stays', async () => {
  const { id, wallet_uri } = await shop.create()
  await using customer = await shop.visit(id, { phone: true, attributes: 'methods="link qr"' })
  const { page, events } = customer
  await link(customer).waitFor()
  await stayOnPage(customer)
  await link(customer).click()
  // What a browser reports when an app comes to the front.
  await page.evaluate(`window.dispatchEvent(new Event('blur'))`)
  await fixture.respond(wallet_uri, { persona: 'adult' })
  await page.getByRole('heading', { name: 'Done' }).waitFor()
  await page.waitForTimeout(3500)

  expect(new URL(page.url()).pathname).toBe('/')
  expect(await page.getByText('Did your wallet not open?').count()).toBe(0)
  expect(events.at(-1)).toEqual({ type: 'vidimus-completed', detail: { id, status: 'completed' } })
  await page.getByRole('link', { name: 'Continue to Harbour Wines' }).click()
  await page.waitForURL(`${shop.origin}/back`)
})

test('it speaks the language of its attribute, and of the element around it', async () => {
  const { id } = await shop.create()
  await using customer = await shop.visit(id, { attributes: 'lang="de" methods="qr"' })
  const { page } = customer
  const german = (await fixture.service.anonymous.get('/verify/languages/de.json')).body
  const french = (await fixture.service.anonymous.get('/verify/languages/fr.json')).body
  expect(german.scan_title).not.toBe(french.scan_title)
  await page.getByRole('heading', { name: german.scan_title }).waitFor()
  expect(await page.locator('.root').getAttribute('lang')).toBe('de')

  await page.evaluate(
    `document.documentElement.lang = 'fr'; document.querySelector('vidimus-verify').removeAttribute('lang')`,
  )
  await page.getByRole('heading', { name: french.scan_title }).waitFor()
})

test('it also works from right to left', async () => {
  const { id } = await shop.create()
  await using customer = await shop.visit(id, { phone: true, attributes: 'dir="rtl"' })
  const { page } = customer
  await page.getByRole('button', { name: 'Another way' }).click()
  await code(customer).waitFor()
  await takeScreenshot(page, 'component-rtl')

  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
})

test('without script the child remains', async () => {
  const { id } = await shop.create()
  const prepare = async ({ page }: Pick<Customer, 'page'>) => {
    await page.route('**/component/*', (route) => route.abort())
  }
  await using customer = await shop.visit(id, { prepare })
  const { page } = customer
  const child = page.getByRole('link', { name: 'Continue on the page of the service' })
  expect(await child.isVisible()).toBe(true)
  expect(await child.getAttribute('href')).toBe(`${fixture.address}/verify/${id}`)
})

test('the script is served to any origin for good, and its documented hash is accepted', async () => {
  const { id } = await shop.create()
  await using customer = await shop.visit(id)
  const { page } = customer
  await page.getByRole('heading', { name: 'Scan with your phone' }).waitFor()
  const response = await fetch(await page.evaluate<string>('document.scripts[0].src'))
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  expect(response.headers.get('cache-control')).toContain('immutable')
  const loaded = await page.evaluate(`(async () => {
    const { src } = document.scripts[0]
    const load = (integrity) => new Promise((resolve) => {
      const script = Object.assign(document.createElement('script'), { type: 'module', crossOrigin: 'anonymous', integrity, src: src + '?' + integrity.slice(-5) })
      script.onload = () => resolve('loaded')
      script.onerror = () => resolve('refused')
      document.head.append(script)
    })
    return [await load(${JSON.stringify(shop.integrity)}), await load('sha384-' + 'A'.repeat(64))]
  })()`)
  expect(loaded).toEqual(['loaded', 'refused'])
})

test('the last two minutes are counted down, and the end is shown without a reload', async () => {
  const { id } = await shop.create({ ttl_seconds: 90 })
  await using customer = await shop.visit(id)
  const { page, events } = customer
  await page.getByText(/^Time left: 1:[0-2]\d$/).waitFor()
  await takeScreenshot(page, 'component-time')
  await setClockOffset(fixture.service.ctx.db, '2 minutes')

  await page.reload()
  await page.getByRole('heading', { name: 'The time is up' }).waitFor()
  await takeScreenshot(page, 'component-expired')
  expect(events.at(-1)).toEqual({ type: 'vidimus-expired', detail: { id, status: 'expired' } })
  await page.getByRole('link', { name: 'Back to Harbour Wines' }).click()
  await page.waitForURL(`${shop.origin}/back`)
})

test('an open page learns of the expiry from the service', async () => {
  const { id } = await shop.create({ ttl_seconds: 600 })
  await using customer = await shop.visit(id)
  const { page } = customer
  await code(customer).waitFor()
  expect(await page.getByText('Time left').count()).toBe(0)
  await setClockOffset(fixture.service.ctx.db, '15 minutes')

  await page.getByRole('heading', { name: 'The time is up' }).waitFor()
})

/** The browser of this test has no app for the link, and would show an error of its own. */
async function stayOnPage({ page }: Customer): Promise<void> {
  await page.evaluate(
    `document.addEventListener('click', (event) => event.preventDefault(), { capture: true, once: true })`,
  )
}
