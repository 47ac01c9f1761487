import { afterAll, expect, test } from 'vitest'
import { drawQrPath } from '../packages/qr-code/src/index.ts'
import { closeDashboard, startDashboard } from './fixture/dashboard-fixture.ts'
import { findViolations } from './fixture/axe.ts'
import { takeScreenshot } from './fixture/screenshot.ts'
import { openShop, type Customer } from './fixture/shop.ts'

const fixture = await startDashboard()
const shop = await openShop(fixture)
afterAll(async () => {
  await closeDashboard(fixture)
  await shop[Symbol.asyncDispose]()
})

const scanTitle = 'Scan with your phone'
const types = ({ events }: Customer) => events.map(({ type }) => type)

test("[PAGE-5] under a merchant's strict policy the code is scanned, and the page moves on without a code", async () => {
  const { id, screen_uri } = await shop.create()
  await using customer = await shop.visit(id)
  const { page, events, foreignRequests, cspViolations } = customer
  await page.getByRole('heading', { name: scanTitle }).waitFor()
  await page.getByRole('img', { name: 'QR code for Harbour Wines: Age check for your order' }).waitFor()
  await page.getByText('Only scan this code if you started this yourself at Harbour Wines.').waitFor()
  // The built file draws the code without the parts of the library that it does not need.
  expect(await page.locator('vidimus-verify svg.qr path').last().getAttribute('d')).toBe(
    drawQrPath(screen_uri).path,
  )
  await takeScreenshot(page, 'component-ready')

  await fixture.respond(screen_uri, { persona: 'adult' })
  await page.waitForURL(`${shop.origin}/back`)

  await expect.poll(() => types(customer)).toContain('vidimus-completed')
  expect(events.filter(({ type }) => type !== 'vidimus-opened')).toEqual([
    { type: 'vidimus-ready', detail: { id, status: 'pending' } },
    {
      type: 'vidimus-completed',
      detail: { id, status: 'completed', redirect_uri: `${shop.origin}/back` },
    },
  ])
  expect(cspViolations).toEqual([])
  expect(new Set(foreignRequests.map((url) => new URL(url).origin))).toEqual(new Set([fixture.address]))
  // Going back to the finished session leads nowhere by itself.
  await page.goBack()
  await page.getByRole('heading', { name: 'Done' }).waitFor()
  await page.waitForTimeout(1500)
  expect(new URL(page.url()).pathname).toBe('/')
})

test('the policy of this test forbids everything else', async () => {
  const { id } = await shop.create()
  await using customer = await shop.visit(id)
  const { page, cspViolations } = customer
  await page.getByRole('heading', { name: scanTitle }).waitFor()
  await page.evaluate(
    `document.body.insertAdjacentHTML('beforeend', '<p style="color: red"></p><img src="/x.png">')`,
  )

  await expect.poll(() => cspViolations.length).toBeGreaterThanOrEqual(2)
})

test.each([
  ['its attribute says so', 'redirect="manual"', ''],
  [
    'the page prevents it',
    '',
    `document.addEventListener('vidimus-completed', (event) => event.preventDefault())`,
  ],
])('after completion the page stays where it is if %s', async (_, attributes, script) => {
  const { id, screen_uri } = await shop.create()
  const prepare = async ({ page }: Pick<Customer, 'page'>) => void (await page.addInitScript(script))
  await using customer = await shop.visit(id, { attributes, prepare })
  const { page } = customer
  await page.getByRole('heading', { name: scanTitle }).waitFor()

  await fixture.respond(screen_uri, { persona: 'adult' })
  await page.getByText('Harbour Wines has what it asked for.').first().waitFor()
  await takeScreenshot(page, 'component-completed')
  await page.waitForTimeout(1500)

  expect(new URL(page.url()).pathname).toBe('/')
  expect(await page.getByRole('link', { name: 'Continue to Harbour Wines' }).getAttribute('href')).toBe(
    `${shop.origin}/back`,
  )
})

test.each([
  ['declines', 'declined', 'Nothing was shared'],
  ['minor', 'not_accepted', 'Your document could not be accepted'],
])('[PAGE-4] a wallet that %s leads to %s, and back to the merchant', async (persona, outcome, title) => {
  const { id, screen_uri } = await shop.create()
  await using customer = await shop.visit(id)
  const { page, events } = customer
  await page.getByRole('heading', { name: scanTitle }).waitFor()

  await fixture.respond(screen_uri, { persona })
  await page.getByRole('heading', { name: title }).waitFor()

  expect(events.at(-1)).toEqual({ type: 'vidimus-failed', detail: { id, status: 'failed', outcome } })
  await expect.poll(() => focusedText(page)).toBe(title)
  await takeScreenshot(page, `component-${outcome}`)
  await page.getByRole('link', { name: 'Back to Harbour Wines' }).click()
  await page.waitForURL(`${shop.origin}/back`)
})

test('a wallet that opens the request hides the code until the holder asks for it', async () => {
  const { id, screen_uri } = await shop.create()
  await using customer = await shop.visit(id)
  const { page } = customer
  await page.getByRole('img', { name: /^QR code/ }).waitFor()

  const request_uri = new URL(screen_uri).searchParams.get('request_uri') ?? ''
  expect((await fetch(request_uri)).status).toBe(200)
  await page.getByRole('heading', { name: 'Continue in your wallet' }).waitFor()
  expect(types(customer)).toEqual(['vidimus-ready', 'vidimus-opened'])
  expect(await page.getByRole('img', { name: /^QR code/ }).count()).toBe(0)
  await takeScreenshot(page, 'component-opened')

  await page.getByRole('button', { name: 'Show the code again' }).click()
  await page.getByRole('img', { name: /^QR code/ }).waitFor()
})

test('a new session starts over', async () => {
  const [first, second] = [await shop.create(), await shop.create({ purpose: 'A second check' })]
  await using customer = await shop.visit(first.id, { attributes: 'redirect="manual"' })
  const { page, events } = customer
  await page.getByText('Age check for your order').waitFor()
  await fixture.respond(first.screen_uri, { persona: 'adult' })
  await page.getByRole('heading', { name: 'Done' }).waitFor()

  await page.evaluate(`document.querySelector('vidimus-verify').setAttribute('session', '${second.id}')`)
  await page.getByText('A second check').waitFor()
  await page.getByRole('heading', { name: scanTitle }).waitFor()

  expect(events.at(-1)).toEqual({ type: 'vidimus-ready', detail: { id: second.id, status: 'pending' } })
  await fixture.respond(second.screen_uri, { persona: 'adult' })
  await page.getByRole('heading', { name: 'Done' }).waitFor()
})

test('methods and theme follow their attributes', async () => {
  const { id } = await shop.create()
  await using customer = await shop.visit(id, { attributes: 'methods="link" theme="dark"' })
  const { page } = customer
  await page.getByRole('link', { name: 'Continue with your wallet' }).waitFor()
  expect(await page.getByRole('img', { name: /^QR code/ }).count()).toBe(0)
  expect(await styleOf(page, '.root', 'colorScheme')).toBe('dark')
  expect(await styleOf(page, '.root', 'color')).toBe('rgb(238, 236, 230)')

  await page.evaluate(`document.querySelector('vidimus-verify').setAttribute('methods', 'qr')`)
  await page.getByRole('img', { name: /^QR code/ }).waitFor()
  expect(await page.getByRole('link', { name: 'Continue with your wallet' }).count()).toBe(0)
})

test('until the session is loaded the child remains', async () => {
  const { id } = await shop.create()
  await using customer = await shop.visit(id, { attributes: 'base-url="http://localhost:9"' })
  const { page, events } = customer
  await page.getByText('This could not be loaded.').first().waitFor()
  await page.getByRole('link', { name: 'Continue on the page of the service' }).waitFor()
  expect(events).toEqual([{ type: 'vidimus-error', detail: { id, status: 'unknown', reason: 'not_loaded' } }])
  await takeScreenshot(page, 'component-not-loaded')

  await page.evaluate(`document.querySelector('vidimus-verify').removeAttribute('base-url')`)
  await page.getByRole('heading', { name: scanTitle }).waitFor()
  expect(await page.getByRole('link', { name: 'Continue on the page of the service' }).isVisible()).toBe(
    false,
  )
})

test('without a session the console has one hint', async () => {
  const hints: string[] = []
  await using customer = await shop.visit('', {
    async prepare({ page }) {
      page.on('console', (message) => void hints.push(message.text()))
    },
  })
  await customer.page.evaluate(`document.querySelector('vidimus-verify').removeAttribute('session')`)
  await expect.poll(() => hints.filter((hint) => hint.includes('<vidimus-verify>')).length).toBe(1)
})

test('an unknown session is said to be unavailable', async () => {
  await using customer = await shop.visit('vs_00000000000000000000000000')
  await customer.page.getByText('This request is no longer available.').first().waitFor()
  expect(types(customer)).toEqual(['vidimus-error'])
})

test("parts and properties style it, and the merchant's colour is never unreadable", async () => {
  const { id } = await shop.create()
  await using customer = await shop.visit(id, { attributes: 'methods="link qr"' })
  const { page } = customer
  await page.getByRole('link', { name: 'Continue with your wallet' }).waitFor()
  expect(await styleOf(page, '.button', 'backgroundColor')).toBe('rgb(122, 31, 61)')
  expect(await styleOf(page, '.button', 'color')).toBe('rgb(255, 255, 255)')

  await page.evaluate(`{
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(\`
      vidimus-verify { --vidimus-accent: oklch(0.95 0.1 100); --vidimus-radius: 3px; --vidimus-font: monospace }
      vidimus-verify::part(button) { letter-spacing: 2px }
      vidimus-verify::part(qr) { opacity: 0.9 }
      vidimus-verify::part(note) { opacity: 0.8 }\`)
    document.adoptedStyleSheets = [sheet]
    document.querySelector('vidimus-verify').setAttribute('theme', 'light')
  }`)
  expect(await styleOf(page, '.button', 'color')).toBe('rgb(0, 0, 0)')
  expect(await styleOf(page, '.button', 'borderRadius')).toBe('4.2px')
  expect(await styleOf(page, '.button', 'fontFamily')).toBe('monospace')
  expect(await styleOf(page, '.button', 'letterSpacing')).toBe('2px')
  // As text on white it could not be read.
  expect(await styleOf(page, '.text', 'color')).toBe('rgb(29, 32, 41)')
  expect(await styleOf(page, '[part=qr]', 'opacity')).toBe('0.9')
  expect(await styleOf(page, '[part=note]', 'opacity')).toBe('0.8')
})

test('offline shows a banner, and what was missed is shown afterwards', async () => {
  const { id, screen_uri } = await shop.create()
  await using customer = await shop.visit(id, { attributes: 'redirect="manual"' })
  const { page, context } = customer
  await page.getByRole('heading', { name: scanTitle }).waitFor()
  await context.setOffline(true)
  await page.getByText('No connection.').first().waitFor()
  await takeScreenshot(page, 'component-offline')
  await fixture.respond(screen_uri, { persona: 'adult' })

  await context.setOffline(false)
  await page.getByRole('heading', { name: 'Done' }).waitFor()
})

test('everything works by keyboard', async () => {
  const { id, screen_uri } = await shop.create({ redirect_url: undefined })
  await using customer = await shop.visit(id)
  const { page } = customer
  await page.getByRole('heading', { name: scanTitle }).waitFor()
  const first = page.getByRole('button', { name: 'Continue with your wallet' })
  await expect.poll(() => first.isEnabled()).toBe(true)
  await page.keyboard.press('Tab')
  expect(await focusedText(page)).toBe('Details')
  await page.keyboard.press('Enter')
  await page.getByText('What exactly').waitFor()
  await page.keyboard.press('Tab')
  expect(await focusedText(page)).toBe('Continue with your wallet')
  await page.keyboard.press('Tab')
  expect(await focusedText(page)).toBe('Another way')
  await page.keyboard.press('Enter')
  expect(await focusedText(page)).toBe('Another way')
  for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press('Tab')
  expect(await focusedText(page)).toContain('Copy link')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Link copied' }).waitFor()
  expect(await focusedText(page)).toContain('Link copied')
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`${fixture.address}/verify/${id}`)

  await fixture.respond(screen_uri, { persona: 'adult' })
  await page.getByRole('heading', { name: 'Done' }).waitFor()
  expect(await page.getByRole('status').textContent()).toBe('Harbour Wines has what it asked for.')
  expect(await focusedText(page)).toBe('Done')
})

test.each([
  { theme: 'light', phone: false },
  { theme: 'dark', phone: false },
  { theme: 'light', phone: true },
  { theme: 'dark', phone: true },
] as const)('axe finds nothing in any state: $theme, phone $phone', async ({ theme, phone }) => {
  const { id, screen_uri } = await shop.create({ redirect_url: undefined })
  await using customer = await shop.visit(id, { theme, phone })
  const { page } = customer
  const check = async (state: string) => {
    await takeScreenshot(page, `component-${state}-${theme}${phone ? '-phone' : ''}`)
    expect([state, ...(await findViolations(page))]).toEqual([state])
    const wide = await page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    )
    expect([state, wide]).toEqual([state, 0])
  }
  if (phone) {
    await page.setViewportSize({ width: 320, height: 640 })
    await page.getByRole('button', { name: 'Another way' }).click()
    await page.getByRole('img', { name: /^QR code/ }).waitFor()
  } else await page.getByRole('heading', { name: scanTitle }).waitFor()
  await check('ready')
  expect((await fetch(new URL(screen_uri).searchParams.get('request_uri') ?? '')).status).toBe(200)
  await page.getByRole('heading', { name: 'Continue in your wallet' }).waitFor()
  await check('opened')
  await fixture.respond(screen_uri, { persona: 'adult' })
  await page.getByRole('heading', { name: 'Done' }).waitFor()
  await check('completed')
})

/** The text of what has the focus, within the component if it is there. */
function focusedText(page: Customer['page']): Promise<unknown> {
  return page.evaluate(
    '(document.activeElement.shadowRoot?.activeElement ?? document.activeElement).textContent',
  )
}

/** A computed style of the first match within the component. */
function styleOf(page: Customer['page'], selector: string, property: string): Promise<unknown> {
  return page.evaluate(
    `getComputedStyle(document.querySelector('vidimus-verify').shadowRoot.querySelector('${selector}')).${property}`,
  )
}
