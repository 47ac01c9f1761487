import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { themeChecks } from './fixture/axe.ts'
import { openBrowser } from './fixture/browser.ts'
import { closeDashboard } from './fixture/dashboard-fixture.ts'
import { expireSession, startHolderFixture } from './fixture/holder-fixture.ts'
import { takeScreenshot } from './fixture/screenshot.ts'

const fixture = await startHolderFixture()
const { address, service } = fixture
afterAll(() => closeDashboard(fixture))

/** What 1280 × 1024 pixels are at 400 % zoom (WCAG 2.2, 1.4.10). */
const zoomed = { width: 320, height: 256 }
const maxWeight_kB = 50
const maxRequests = 8

/** One session for each state of the page. */
const states: Record<string, () => Promise<string>> = {
  pending: async () => (await fixture.create({ redirect_url: fixture.shop })).id,
  opened: async () => {
    const { id } = await fixture.create()
    await service.anonymous.get(`/wallet/request/${id}`)
    await expect
      .poll(async () => (await service.anonymous.get(`/verify/${id}/session`)).body.phase)
      .toBe('opened')
    return id
  },
  completed: () => createAnswered('adult'),
  attempted: async () => {
    const session = await fixture.create({ max_attempts: 3 })
    await fixture.respond(session.wallet_uri, { persona: 'expired' })
    return session.id
  },
  cancelled: async () => {
    const { id } = await fixture.create({ redirect_url: fixture.shop })
    await fixture.merchant.post(`/v1/verifications/${id}/cancel`)
    return id
  },
  declined: () => createAnswered('declines'),
  try_again: () => createAnswered('wrong_holder_key'),
  not_accepted: () => createAnswered('minor'),
  expired: async () => {
    const { id } = await fixture.create({ redirect_url: fixture.shop })
    await expireSession(fixture, id)
    return id
  },
  unknown: () => Promise.resolve('unknown'),
}

async function createAnswered(persona: string): Promise<string> {
  const session = await fixture.create({ redirect_url: fixture.shop })
  await fixture.respond(session.wallet_uri, { persona })
  return session.id
}

async function openState(page: Page, id: string, query = ''): Promise<void> {
  await page.goto(`/verify/${id}${query}`)
  if (id !== 'unknown')
    await page.locator('vidimus-verify [part]').filter({ visible: true }).first().waitFor()
}

/** Things to click that are smaller than a finger, and whatever makes the page scroll sideways. */
const findSmallOrWide = `(() => {
  const all = (root) => [...root.querySelectorAll('*')].flatMap((each) => [each, ...(each.shadowRoot ? all(each.shadowRoot) : [])])
  const shown = all(document).filter((each) => each.checkVisibility())
  const small = shown
    .filter((each) => each.matches('a, button, summary, select'))
    .filter((each) => Math.min(each.getBoundingClientRect().height, each.getBoundingClientRect().width) < 43.9)
  const wide = shown.filter((each) => !each.matches('.hidden, .live') && (each.getBoundingClientRect().right > innerWidth + 1 || each.getBoundingClientRect().left < -1))
  const describe = (kind) => (each) => kind + ' ' + each.tagName + ' ' + each.textContent.trim().slice(0, 30)
  return [...small.map(describe('small')), ...wide.map(describe('wide'))]
})()`

test.each(Object.keys(states))(
  'axe finds no violation when the page is %s, light and dark, at 320 pixels and 400 percent zoom',
  async (state) => {
    const id = await states[state]?.()
    if (id === undefined) throw new Error('no such state')
    for (const phone of [false, true]) {
      await using user = await openBrowser({ address, phone })
      const { page } = user
      await openState(page, id)
      const expectNoViolation = async (size: string) => {
        for (const { theme, find } of themeChecks) {
          await page.emulateMedia({ colorScheme: theme })
          const name = `holder-${state}-${theme}${size}${phone ? '-phone' : ''}`
          await expect.poll(() => find(page), { message: name }).toEqual([])
          await takeScreenshot(page, name)
        }
      }
      await expectNoViolation('')
      await page.setViewportSize(zoomed)
      await expectNoViolation('-zoomed')
      expect([phone, await page.evaluate(findSmallOrWide)]).toEqual([phone, []])
      // Reduced motion, as the browser is set.
      expect(await page.evaluate('document.getAnimations().length')).toBe(0)
    }
  },
)

test('axe finds no violation in the other wallets, light and dark, at 320 pixels, on a phone and a computer', async () => {
  for (const phone of [true, false]) {
    await using user = await openBrowser({ address, phone, locale: 'nl-NL' })
    const { page } = user
    const { id } = await fixture.create()
    await openState(page, id, '?lang=en')
    await page.getByRole('button', { name: 'Another way' }).click()
    await page.getByRole('button', { name: 'Choose a wallet app' }).click()
    await page.getByRole('combobox', { name: 'Country' }).selectOption('NL')
    await page.getByRole('link', { name: 'NL Wallet' }).waitFor()
    for (const size of ['', '-zoomed']) {
      if (size !== '') await page.setViewportSize(zoomed)
      for (const { theme, find } of themeChecks) {
        await page.emulateMedia({ colorScheme: theme })
        expect(await find(page)).toEqual([])
        await takeScreenshot(page, `holder-wallets-${theme}${size}${phone ? '-phone' : ''}`)
      }
    }
    expect(await page.evaluate(findSmallOrWide)).toEqual([])
  }
})

test.each(['Another way', 'I have no wallet'])(
  'axe finds no violation in the sheet %s, light and dark, at 320 pixels, on a phone and a computer',
  async (name) => {
    for (const phone of [true, false]) {
      await using user = await openBrowser({ address, phone })
      const { page } = user
      const { id } = await fixture.create({ alternative_url: 'https://shop.example/other' })
      await openState(page, id)
      await page.getByRole('button', { name }).click()
      await page.getByRole('dialog').waitFor()
      for (const size of ['', '-zoomed']) {
        if (size !== '') await page.setViewportSize(zoomed)
        for (const { theme, find } of themeChecks) {
          await page.emulateMedia({ colorScheme: theme })
          expect(await find(page)).toEqual([])
          await takeScreenshot(
            page,
            `holder-${name.replaceAll(' ', '-')}-${theme}${size}${phone ? '-phone' : ''}`,
          )
        }
      }
      expect(await page.evaluate(findSmallOrWide)).toEqual([])
    }
  },
)

test('another wallet is chosen by keyboard alone, and the focus stays where it was', async () => {
  await using user = await openBrowser({ address, phone: true, locale: 'en-GB' })
  const { page } = user
  await openState(page, (await fixture.create()).id)
  const focused = (): Promise<string> =>
    page.evaluate(
      `(({ tagName, textContent }) => tagName + ' ' + textContent.trim())(document.activeElement.shadowRoot.activeElement)`,
    )
  await page.getByRole('button', { name: 'Another way' }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(focused).toBe('H2 Another way')
  await page.getByRole('button', { name: 'Choose a wallet app' }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(focused).toBe('H2 Choose a wallet app')
  await page.keyboard.press('Tab')
  await expect.poll(focused).toBe('BUTTON ')
  await page.keyboard.press('Tab')
  await page.keyboard.press('n')
  const country = page.getByRole('combobox', { name: 'Country' })
  await expect.poll(() => country.inputValue()).toBe('NL')
  await expect.poll(focused).toMatch(/^SELECT/)
  await page.keyboard.press('Tab')
  await expect.poll(focused).toMatch(/^A /)
  await page.keyboard.press('Escape')
  await expect.poll(focused).toBe('BUTTON Another way')
})

test('everything works by keyboard alone, in the order of the page', async () => {
  await using user = await openBrowser({ address, phone: true })
  const { page } = user
  await openState(page, (await fixture.create()).id)
  const focused = (): Promise<string> =>
    page.evaluate(
      `(document.activeElement.shadowRoot?.activeElement ?? document.activeElement).textContent.trim()`,
    )
  // Once its request is there, the button can have the focus.
  const dc = page.getByRole('button', { name: 'Continue with your wallet' })
  await expect.poll(() => dc.isEnabled()).toBe(true)
  const order: string[] = []
  for (let presses = 0; presses < 6; presses += 1) {
    await page.keyboard.press('Tab')
    order.push(await focused())
  }
  expect(order).toEqual([
    'Back to Harbour Wines',
    expect.stringContaining('English'),
    'Details',
    'Continue with your wallet',
    'Another way',
    'I have no wallet',
  ])
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('img', { name: /^QR code/ }).waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(focused).toBe('Another way')
  await page.locator('.languages summary').focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect.poll(focused).toBe('Български')
})

test.each(['de', 'mt', 'bg', 'fi'])(
  'the layout holds in %s at 320 pixels, from left to right and from right to left',
  async (language) => {
    await using user = await openBrowser({ address })
    const { page } = user
    const { id } = await fixture.create({ template: 'identity_basic' })
    await openState(page, id, `?lang=${language}`)
    expect(await page.locator('html').getAttribute('lang')).toBe(language)
    await page.setViewportSize(zoomed)
    expect(await page.evaluate(findSmallOrWide)).toEqual([])
    await page.evaluate(`document.documentElement.dir = 'rtl'`)
    expect(await page.evaluate(findSmallOrWide)).toEqual([])
    await page.setViewportSize({ width: 1440, height: 900 })
    const start = async (part: string) => (await page.locator(part).boundingBox())?.x ?? Number.NaN
    expect(await start('.act')).toBeLessThan(await start('.ask'))
    await takeScreenshot(page, `holder-rtl-${language}`)
  },
)

test(`the page with all that it loads has less than ${maxWeight_kB} kB, compressed, in at most ${maxRequests} requests`, async () => {
  await using user = await openBrowser({ address })
  const { page } = user
  const weights: Record<string, number> = {}
  let requests = 0
  page.on('request', () => (requests += 1))
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (pathname.endsWith('/events')) return
    response.body().then(
      (body) => (weights[pathname] = gzipSync(body).length),
      () => undefined, // a response without a body
    )
  })
  const { id } = await fixture.create({ template: 'identity_basic', redirect_url: fixture.shop })
  await openState(page, id, '?lang=de')
  await page.waitForLoadState('load')
  await expect.poll(() => Object.keys(weights).length).toBeGreaterThanOrEqual(5)
  const total = Object.values(weights).reduce((sum, each) => sum + each, 0) / 1000
  console.log(`the holder's page: ${total.toFixed(1)} kB: ${JSON.stringify(weights)}`)
  expect(total).toBeLessThan(maxWeight_kB)
  expect(requests).toBeLessThanOrEqual(maxRequests)
})
