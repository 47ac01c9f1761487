import { afterAll, beforeAll, expect, test } from 'vitest'
import { actions } from './actions.ts'
import { findViolations } from '../fixture/axe.ts'
import type { BrowserUser } from '../fixture/browser.ts'
import { seed } from '../fixture/seed.ts'
import { readFocus, moveFocusTo } from './focus.ts'
import { takeScreenshot } from '../fixture/screenshot.ts'
import { openPage, type PageName, type DashboardPage } from '../fixture/pages.ts'
import { walkPage } from './walk-page.ts'
import { closeDashboard, startDashboard, type DashboardFixture } from '../fixture/dashboard-fixture.ts'

let fixture: DashboardFixture
let user: BrowserUser
let seededPages: Record<PageName, DashboardPage>

beforeAll(async () => {
  fixture = await startDashboard()
  user = await fixture.signIn()
  seededPages = await seed(fixture)
  await user.replaceAuthenticator()
})
afterAll(() => closeDashboard(fixture))

test.for(Object.keys(actions) as PageName[])(
  'every control of the page can be reached, seen and operated by keyboard: %s',
  async (name) => {
    const result = await walkPage(user.page, name, seededPages[name])
    expect(result).toEqual({ problems: [], unreached: [], unmatched: [] })
  },
)

const pageTitles = [
  'Overview',
  'Verifications',
  'Links',
  'Erasure requests',
  'Templates',
  'Registrations',
  'Devices',
  'API keys',
  'OpenID clients',
  'Webhooks',
  'Requests',
  'Usage',
  'Alerts',
  'Audit',
  'Team',
  'Settings',
]

test('by keyboard: every page, the other environment, the theme', async () => {
  const { page } = user
  await openPage(page, seededPages.overview)
  await page.keyboard.press('Tab')
  const shellStops: string[] = []
  for (let at = await readFocus(page); at?.where === 'shell'; at = await readFocus(page)) {
    await expect.poll(() => readFocus(page)).toMatchObject({ hasRing: true, isVisible: true })
    shellStops.push(at.name)
    await page.keyboard.press('Tab')
  }
  const account = 'Harbour Wines Marta Keller, Owner'
  expect(shellStops).toEqual([
    'Skip to content',
    'Vidimus, overview',
    'Test',
    'Live',
    'Search Ctrl K',
    ...pageTitles,
    'API reference',
    account,
  ])
  for (const title of ['Live', 'Test', ...pageTitles.slice(1), 'Overview', 'Devices', 'Vidimus, overview']) {
    await moveFocusTo(page, title, 'Shift+Tab')
    await page.keyboard.press('Enter')
    const arrived = pageTitles.includes(title) ? title : 'Overview'
    await page.getByRole('heading', { level: 1, name: arrived }).waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main')
  }

  await moveFocusTo(page, account, 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await readFocus(page))?.where).toBe('menu')
  await expect.poll(() => findViolations(page)).toEqual([])
  await takeScreenshot(page, 'menu-account', false)
  for (const [name, theme] of [
    ['Dark', 'dark'],
    ['Light', 'light'],
    ['System', undefined],
  ] as const) {
    await moveFocusTo(page, name, name === 'Dark' ? 'ArrowDown' : 'ArrowUp')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe(theme)
  }
  await page.keyboard.press('Escape')
  await expect.poll(async () => (await readFocus(page))?.name).toBe(account)
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await readFocus(page))?.where).toBe('menu')
  await moveFocusTo(page, 'Your account', 'ArrowUp')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor()
  await moveFocusTo(page, 'API reference', 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/docs/)
})

test('by keyboard: the focus stays on the page when the environment changes on a slow machine', async () => {
  const { page, context } = user
  const devtools = await context.newCDPSession(page)
  await openPage(page, seededPages.devices)
  for (const title of ['Live', 'Test']) {
    await moveFocusTo(page, title)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 20 })
    await page.keyboard.press('Enter')
    await page.getByText(title === 'Live' ? 'No devices yet' : 'Bar, left till').waitFor()
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 })
    expect(await page.evaluate('document.activeElement.id')).toBe('main')
  }
})

test('by keyboard: the menu of a narrow window', async () => {
  const { page } = user
  await page.setViewportSize({ width: 390, height: 844 })
  await openPage(page, seededPages.overview)
  await moveFocusTo(page, 'Open menu')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Menu' }).waitFor()
  await expect.poll(() => findViolations(page)).toEqual([])
  await takeScreenshot(page, 'dialog-menu-390', false)
  await moveFocusTo(page, 'Devices')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Devices' }).waitFor()
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)

  await moveFocusTo(page, 'Open menu', 'Shift+Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Menu' }).waitFor()
  await moveFocusTo(page, /^Harbour Wines/)
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await readFocus(page))?.where).toBe('menu')
  await expect.poll(() => findViolations(page)).toEqual([])
  await takeScreenshot(page, 'menu-account-390', false)
  await moveFocusTo(page, 'Sign out', 'ArrowDown')
  await page.keyboard.press('Escape')
  await expect.poll(async () => (await readFocus(page))?.name).toMatch(/^Harbour Wines/)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expect.poll(async () => (await readFocus(page))?.name).toBe('Open menu')
})
