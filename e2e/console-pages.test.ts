import { afterAll, beforeAll, expect, test } from 'vitest'
import { findViolations, themeChecks } from './fixture/axe.ts'
import { openBrowser, type BrowserUser } from './fixture/browser.ts'
import { startConsole, type ConsoleFixture } from './fixture/console-fixture.ts'
import { closeDashboard } from './fixture/dashboard-fixture.ts'
import { findBrokenNumbers, findBrokenWords, findUnfilledPlaceholders } from './fixture/find-broken.ts'
import { takeScreenshot } from './fixture/screenshot.ts'
import { seedConsole } from './fixture/seed-console.ts'

const sizes = [
  { width: 1440, height: 900 },
  { width: 1440, height: 720 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
] as const

/** Each page with its titles in English and German. */
const pages = {
  tenants: { path: '/tenants', title: 'Tenants', german: 'Mandanten' },
  'tenants-none': { path: '/tenants?q=nobody', title: 'Tenants', german: 'Mandanten' },
  tenant: { path: '/tenants/{tenant}', title: 'Stadtwerke Musterhausen', german: 'Stadtwerke Musterhausen' },
  'support-verifications': {
    path: '/tenants/{supported}/support?environment=test',
    title: 'Look inside',
    german: 'Hineinsehen',
  },
  'support-deliveries': {
    path: '/tenants/{supported}/support?environment=test&view=deliveries',
    title: 'Look inside',
    german: 'Hineinsehen',
  },
  'support-requests': {
    path: '/tenants/{supported}/support?environment=test&view=requests',
    title: 'Look inside',
    german: 'Hineinsehen',
  },
  'support-templates': {
    path: '/tenants/{supported}/support?environment=test&view=templates',
    title: 'Look inside',
    german: 'Hineinsehen',
  },
  'support-without-access': {
    path: '/tenants/{tenant}/support',
    title: 'Look inside',
    german: 'Hineinsehen',
  },
  plans: { path: '/plans', title: 'Plans', german: 'Tarife' },
  usage: { path: '/usage', title: 'Usage', german: 'Nutzung' },
  'usage-both': { path: '/usage?environment=both', title: 'Usage', german: 'Nutzung' },
  health: { path: '/health', title: 'Health', german: 'Zustand' },
  operators: { path: '/operators', title: 'Operators', german: 'Betreiber' },
  tokens: { path: '/tokens', title: 'API tokens', german: 'API-Tokens' },
  log: { path: '/log', title: 'Log', german: 'Protokoll' },
  account: { path: '/account', title: 'Your account', german: 'Ihr Konto' },
} as const
type PageName = keyof typeof pages

/** Nothing is sent to it until somebody uses it. */
const provider = {
  OPERATOR_OIDC_ISSUER: 'https://sign-in.operator.example',
  OPERATOR_OIDC_CLIENT_ID: 'vidimus',
}

let fixture: ConsoleFixture
let user: BrowserUser
let german: BrowserUser
let tenant: string

beforeAll(async () => {
  fixture = await startConsole(provider)
  user = await fixture.signInOperator()
  german = await fixture.signInOperator({ name: 'Ada Berg', locale: 'de-DE' })
  tenant = await seedConsole(fixture)
})
afterAll(() => closeDashboard(fixture))

const addressOf = (name: PageName) =>
  `/console${pages[name].path.replace('{tenant}', tenant).replace('{supported}', fixture.merchant.tenant_id)}`

test.for(Object.keys(pages) as PageName[])(
  'the page has no accessibility or CSP violation and fits every size: %s',
  async (name) => {
    const { page, foreignRequests, cspViolations } = user
    await page.setViewportSize(sizes[0])
    await page.goto(addressOf(name))
    await page.getByRole('heading', { level: 1, name: pages[name].title }).waitFor()
    await expect.poll(() => page.getByText('Loading', { exact: true }).count()).toBe(0)
    for (const size of sizes) {
      await page.setViewportSize(size)
      for (const { theme, find } of themeChecks) {
        await page.emulateMedia({ colorScheme: theme })
        // Polls, because content that is still loading may be half drawn.
        await expect.poll(() => find(page)).toEqual([])
        await takeScreenshot(page, `console-${name}-${size.width}x${size.height}-${theme}`, false)
        await takeScreenshot(page, `console-${name}-${size.width}x${size.height}-${theme}-full`)
      }
      const overflow = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      )
      const brokenNumbers = await findBrokenNumbers(page)
      expect({ size, overflow, brokenNumbers, foreignRequests, cspViolations }).toEqual({
        size,
        overflow: 0,
        brokenNumbers: [],
        foreignRequests: [],
        cspViolations: [],
      })
    }
  },
)

test.for(Object.keys(pages) as PageName[])(
  'in German the page fits a phone, breaks no word or number and has no accessibility violation: %s',
  async (name) => {
    const { page } = german
    await page.setViewportSize(sizes[3])
    await page.goto(addressOf(name))
    await page.getByRole('heading', { level: 1, name: pages[name].german }).waitFor()
    await expect.poll(() => page.getByText('Wird geladen', { exact: true }).count()).toBe(0)
    await expect.poll(() => findViolations(page)).toEqual([])
    await takeScreenshot(page, `console-${name}-german`)
    const overflow = await page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    )
    expect({
      overflow,
      brokenWords: await findBrokenWords(page),
      unfilled: await findUnfilledPlaceholders(page),
      csp: german.cspViolations,
    }).toEqual({ overflow: 0, brokenWords: [], unfilled: [], csp: [] })
  },
)

test('the pages before sign-in have no accessibility or CSP violation, in either theme', async () => {
  const link = await fixture.addOperator({ name: 'Lee Park', role: 'support' })
  for (const theme of ['light', 'dark'] as const) {
    await using visitor = await openBrowser({ address: fixture.console_address, theme })
    const { page, foreignRequests, cspViolations } = visitor
    for (const [name, address] of [
      ['sign-in', '/console/sign-in'],
      ['invitation', link],
      ['invitation-invalid', '/console/invitation#no-such-token-at-all-00000'],
    ] as const) {
      await page.goto('about:blank')
      await page.goto(address)
      await page.getByRole('heading', { level: 1, name: /Sign in|Welcome|does not work/ }).waitFor()
      expect(await findViolations(page)).toEqual([])
      await takeScreenshot(page, `console-${name}-${theme}`, false)
    }
    expect({ foreignRequests, cspViolations }).toEqual({ foreignRequests: [], cspViolations: [] })
  }
})

test('the sidebar is dark in both themes, and fits a window of 700 pixels', async () => {
  const { page } = user
  await page.setViewportSize({ width: 1280, height: 700 })
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.goto('/console/tenants')
    await page.getByRole('heading', { level: 1, name: 'Tenants' }).waitFor()
    const sidebar = page.getByRole('complementary')
    expect(await page.evaluate(`getComputedStyle(document.querySelector('aside')).backgroundColor`)).toBe(
      'rgb(27, 31, 41)',
    )
    const { y = 0, height = 0 } =
      (await sidebar.getByRole('button', { name: /^Mara König/ }).boundingBox()) ?? {}
    expect(y + height).toBeLessThanOrEqual(700)
  }
})

test('a tenant is suspended by keyboard alone', async () => {
  const { page } = user
  await page.setViewportSize(sizes[0])
  await page.goto(addressOf('tenant'))
  await page.getByRole('button', { name: 'Suspend', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  // The focus begins in the text that the tenant reads.
  await page.keyboard.type('A test of the keyboard')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Stadtwerke Musterhausen')
  await page.keyboard.press('Enter')
  await page.getByText('The tenant reads: A test of the keyboard').waitFor()
  const resume = page.getByRole('button', { name: 'Resume', exact: true })
  await resume.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Resume tenant' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Suspend', exact: true }).waitFor()
})
