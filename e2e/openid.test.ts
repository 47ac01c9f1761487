import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { sql } from '../apps/service/src/engine/db/sql.ts'
import { useOpenidClient } from '../apps/service/test/openid/openid-client-party.ts'
import { useStrictParty } from '../apps/service/test/openid/strict-party.ts'
import { openWebSite, type WebSite } from '../apps/service/test/openid/web-site.ts'
import { openWallet } from '../apps/service/test/wallet.ts'
import { themeChecks } from './fixture/axe.ts'
import { openBrowser, type BrowserOptions, type BrowserUser } from './fixture/browser.ts'
import { closeDashboard } from './fixture/dashboard-fixture.ts'
import { settle, startHolderFixture } from './fixture/holder-fixture.ts'
import { takeScreenshot } from './fixture/screenshot.ts'

const fixture = await startHolderFixture()
const { address, merchant, service } = fixture
const sites = {
  'openid-client': await openWebSite(service, merchant, useOpenidClient),
  'a strict client': await openWebSite(service, merchant, useStrictParty),
}
const site = sites['a strict client']
afterAll(async () => {
  await closeDashboard(fixture)
  for (const each of Object.values(sites)) await each[Symbol.asyncDispose]()
})

/** A browser in which the site's button was pressed, on our page. */
async function pressButton(
  from: WebSite,
  options: Omit<BrowserOptions, 'address'> = {},
): Promise<BrowserUser & { id: string }> {
  const user = await openBrowser({ address, ...options })
  await user.page.goto(from.origin)
  return { ...user, id: await press(user.page) }
}

/** Returns the id of the verification whose page opens. */
async function press(page: Page): Promise<string> {
  await page.getByRole('link', { name: 'Confirm your age' }).click()
  await page.waitForURL(`${address}/verify/*`)
  return readId(page)
}

function readId(page: Page): string {
  return /\/verify\/(vs_[\w-]+)/.exec(page.url())?.[1] ?? ''
}

/** Responds as a wallet on the same device. Returns the address that it opens in the browser. */
async function respondByLink(id: string, persona = 'adult'): Promise<string> {
  const wallet = await openWallet(service.ctx, address, { persona })
  for (let tries = 1; ; tries += 1) {
    const result = await wallet.respondOver('redirect', id)
    if (result.sent && result.http_status < 500)
      return (JSON.parse(result.body) as { redirect_uri: string }).redirect_uri
    // Sharing the machine with a browser, the service may be overloaded for a moment and refuse.
    if (tries === 20) throw new Error(`the response was not accepted: ${JSON.stringify(result)}`)
    await sleep(500)
  }
}

async function countVerifications(): Promise<number> {
  const [row] = await service.ctx.db.query<{ count: number }>(
    sql`select count(*) as count from verification_sessions where tenant_id = ${merchant.tenant_id}`,
  )
  return row?.count ?? 0
}

/** Waits for the site's page. If it is another one, its text says why. */
async function expectWelcome(page: Page): Promise<void> {
  await expect.poll(() => page.locator('body').innerText()).toContain('Welcome')
}
const notAvailable = (page: Page) => page.getByRole('heading', { name: 'This page is not available' })
const otherTab = (page: Page) => page.getByRole('heading', { name: 'Continue in the other tab' })

async function changeLanguage(page: Page, name: string): Promise<void> {
  await page.locator('.languages summary').click()
  await page.getByRole('link', { name }).click()
}

for (const [name, from] of Object.entries(sites)) {
  test(`${name}: a wallet on another device answers the QR code, and the browser is signed in at the site`, async () => {
    await using user = await pressButton(from)
    await user.page.getByRole('img', { name: /^QR code for Harbour Wines/ }).waitFor()
    await fixture.respondToCode({ id: user.id, wallet_uri: '' }, { persona: 'adult' })
    await expectWelcome(user.page)
    expect(from.signedIn.at(-1)).toMatchObject({
      claims: { iss: from.issuer, acr: 'vidimus:age_over_18', verification: { id: user.id } },
      userinfo: { verified: { age_over_18: true } },
    })
    expect(user.cspViolations).toEqual([])
  })

  test(`${name}: a wallet on the same device opens its redirect, and the browser is signed in once`, async () => {
    await using user = await pressButton(from, { phone: true })
    const before = from.returned.length
    // While the wallet is open, our page is not.
    await user.page.goto('about:blank')
    await user.page.goto(await respondByLink(user.id))
    await expectWelcome(user.page)
    expect(from.signedIn.at(-1)?.claims['verification']).toMatchObject({ id: user.id })
    await settle()
    expect(from.returned).toHaveLength(before + 1)
    expect(user.cspViolations).toEqual([])
  })
}

test('the site is told that there is no result, and not whether the person declined or was refused', async () => {
  const told: string[] = []
  for (const [persona, heading] of [
    ['declines', 'Nothing was shared'],
    ['minor', 'Your document could not be accepted'],
  ] as const) {
    await using user = await pressButton(site)
    const before = site.signedIn.length
    await user.page.getByRole('img', { name: /^QR code/ }).waitFor()
    await fixture.respondToCode({ id: user.id, wallet_uri: '' }, { persona })
    await user.page.getByRole('heading', { name: heading }).waitFor()
    await user.page.locator('vidimus-verify').getByRole('link', { name: 'Back to Harbour Wines' }).click()
    await user.page.getByText('Refused: error access_denied').waitFor()
    const { searchParams } = site.returned.at(-1) ?? new URL(address)
    expect(searchParams.has('code')).toBe(false)
    searchParams.delete('state')
    told.push(searchParams.toString())
    expect(site.signedIn).toHaveLength(before)
  }
  expect(told[0]).toMatch(/^error=access_denied&/)
  expect(told[0]).not.toMatch(/declin|refus|minor/i)
  expect(told[1]).toBe(told[0])
})

test('[OIDC-6] another browser that opens the redirect of the wallet goes nowhere, and signs nobody in', async () => {
  await using first = await pressButton(site, { phone: true })
  // While the wallet is open, our page is not.
  await first.page.goto('about:blank')
  const [returned, signedIn] = [site.returned.length, site.signedIn.length]
  const redirect = await respondByLink(first.id)
  await using other = await openBrowser({ address })
  const response = await other.page.goto(redirect)
  expect(response?.status()).toBe(400)
  await notAvailable(other.page).waitFor()
  // A browser that has started something of its own is another one, too.
  await using busy = await pressButton(site)
  await busy.page.goto(redirect)
  await notAvailable(busy.page).waitFor()

  const [page = ''] = redirect.split('#')
  await first.page.goto(page)
  await otherTab(first.page).waitFor()
  await settle()
  expect([site.returned.length, site.signedIn.length]).toEqual([returned, signedIn])

  // Nothing was spoilt: with what the wallet gave, the first browser gets there.
  await first.page.goto(address)
  await first.page.goto(redirect)
  await expectWelcome(first.page)
  expect(site.signedIn).toHaveLength(signedIn + 1)
})

test('the tab that stayed open says that the holder continues in the one that the wallet opened', async () => {
  await using user = await pressButton(site, { phone: true })
  const stayed = user.page
  const opened = await stayed.context().newPage()
  await opened.goto(await respondByLink(user.id))
  await expectWelcome(opened)
  // Our page has moved on by itself, without what the wallet gave to the other tab.
  await otherTab(stayed).waitFor()
  expect(await stayed.title()).toBe('Continue in the other tab')
  await changeLanguage(stayed, 'Deutsch')
  await stayed.getByRole('heading', { name: 'Fahren Sie im anderen Tab fort' }).waitFor()
  expect(user.cspViolations).toEqual([])
})

test('after a lost connection, another language tries again with what the wallet gave', async () => {
  await using user = await pressButton(site, { phone: true })
  const { page, id } = user
  await page.goto('about:blank')
  const redirect = await respondByLink(id)
  const [returnPage = ''] = redirect.split('#')
  await page.route(returnPage, (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  )
  await page.goto(redirect)
  await notAvailable(page).waitFor()
  await page.unrouteAll()
  await changeLanguage(page, 'Français')
  await expectWelcome(page)
})

for (const script of [true, false])
  test(`the language of a problem can be changed, and it stays the same problem, ${script ? 'with' : 'without'} JavaScript`, async () => {
    await using user = await openBrowser({ address, script })
    const { page } = user
    await page.goto(`${site.issuer}/authorize?client_id=a%26b"&state=x`)
    await notAvailable(page).waitFor()
    const problem = await page.locator('small').first().innerText()
    await changeLanguage(page, 'Français')
    await page.waitForURL('**/authorize?client_id=a%26b%22&state=x&lang=fr')
    expect(await page.locator('html').getAttribute('lang')).toBe('fr')
    expect(await page.locator('small').first().innerText()).toBe(problem)
  })

test('back, reload and the same link again create no second verification', async () => {
  const before = await countVerifications()
  await using user = await pressButton(site)
  const { page, id } = user
  const created = async () => (await countVerifications()) - before
  await page.reload()
  await page.goBack()
  await page.getByRole('link', { name: 'Confirm your age' }).waitFor()
  await page.goForward()
  await page.waitForURL(`${address}/verify/*`)
  expect([readId(page), await created()]).toEqual([id, 1])
  await page.getByRole('img', { name: /^QR code/ }).waitFor()
  await fixture.respondToCode({ id, wallet_uri: '' }, { persona: 'adult' })
  await expectWelcome(page)
  const signedIn = site.signedIn.length
  await page.goBack()
  await settle()
  await page.reload()
  await settle()
  expect([await created(), site.signedIn.length]).toEqual([1, signedIn])
  // The count does notice a second one.
  await page.goto(site.origin)
  expect(await press(page)).not.toBe(id)
  expect(await created()).toBe(2)
})

test('an authorization request that is opened again finds its verification', async () => {
  await using user = await openBrowser({ address })
  const { page } = user
  const requests: string[] = []
  page.on('request', (request) => {
    if (request.url().startsWith(`${site.issuer}/authorize`)) requests.push(request.url())
  })
  await page.goto(site.origin)
  const id = await press(page)
  const sent = [...requests]
  expect(sent).toHaveLength(2) // the cookie was set in between
  const before = await countVerifications()
  for (const url of sent) {
    await page.goto(url)
    expect(readId(page)).toBe(id)
  }
  expect(await countVerifications()).toBe(before)
})

test('without JavaScript the QR code leads back to the site, and the redirect of a wallet says that it cannot', async () => {
  await using user = await pressButton(site, { script: false })
  const { page, id } = user
  await page.getByRole('img', { name: /^QR code/ }).waitFor()
  await fixture.respondToCode({ id, wallet_uri: '' }, { persona: 'adult' })
  await page.getByRole('link', { name: 'Continue to Harbour Wines' }).click()
  await expectWelcome(page)

  await page.goto(site.origin)
  await page.goto(await respondByLink(await press(page)))
  const shown = await page.getByRole('main').innerText()
  expect(shown).toContain('start again')
  expect(shown).not.toContain('One moment')
  await takeScreenshot(page, 'openid-return-no-script')
  await changeLanguage(page, 'Deutsch')
  await page.waitForURL('**/return/*?lang=de')
  expect(await page.getByRole('heading').innerText()).toBe('Diese Seite ist nicht verfügbar')
})

test('our two pages have no violation that axe finds, light and dark, at the width of a phone', async () => {
  for (const phone of [false, true]) {
    await using user = await pressButton(site, { phone })
    const { page } = user
    const expectNoViolation = async (state: string) => {
      for (const { theme, find } of themeChecks) {
        await page.emulateMedia({ colorScheme: theme })
        const name = `openid-${state}-${theme}${phone ? '-phone' : ''}`
        await expect.poll(() => find(page), { message: name }).toEqual([])
        await takeScreenshot(page, name)
      }
    }
    await page.goto(`${site.issuer}/authorize?client_id=unknown`)
    await notAvailable(page).waitFor()
    await expectNoViolation('problem')
    const [returnPage = ''] = (await respondByLink(user.id)).split('#')
    await page.route(returnPage, (route) =>
      route.request().method() === 'POST' ? undefined : route.continue(),
    )
    await page.goto(`${returnPage}#response_code=wrong`)
    await page.getByText('One moment…').waitFor()
    await expectNoViolation('return')
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.reload()
    await notAvailable(page).waitFor()
    await expectNoViolation('return-failed')
    await page.goto(returnPage)
    await otherTab(page).waitFor()
    await expectNoViolation('other-tab')
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  }
})
