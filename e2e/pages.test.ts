import { afterAll, beforeAll, expect, test } from 'vitest'
import { actions } from './keyboard/actions.ts'
import { themeChecks } from './fixture/axe.ts'
import { findBrokenNumbers } from './fixture/find-broken.ts'
import type { BrowserUser } from './fixture/browser.ts'
import { seed } from './fixture/seed.ts'
import { takeScreenshot } from './fixture/screenshot.ts'
import { pages, type PageName, type DashboardPage } from './fixture/pages.ts'
import { closeDashboard, startDashboard, type DashboardFixture } from './fixture/dashboard-fixture.ts'

const sizes = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
] as const

let fixture: DashboardFixture
let user: BrowserUser
let seededPages: Record<PageName, DashboardPage>

beforeAll(async () => {
  fixture = await startDashboard()
  user = await fixture.signIn({ email: 'marta.keller@harbour.example' })
  seededPages = await seed(fixture)
})
afterAll(() => closeDashboard(fixture))

test.for(Object.keys(pages) as (keyof typeof pages)[])(
  'without data, the page has no accessibility or CSP violation and fits a phone: %s',
  // The live environment is empty.
  (name) => checkPage({ environment: 'live', name: `${name}-empty`, target: pages[name] }),
)

test.for(Object.keys(actions) as PageName[])(
  'with data, the page has no accessibility or CSP violation and fits a phone: %s',
  (name) => checkPage({ environment: 'test', name: `${name}-full`, target: seededPages[name] }),
)

test('at 700 pixels of height every page and the account are in view, and nothing is squeezed', async () => {
  const { page } = user
  await page.setViewportSize({ width: 1280, height: 700 })
  await page.goto('/dashboard/test')
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  const box = async (name: string | RegExp) => {
    const { y = 0, height = 0 } =
      (await page.getByRole('complementary').getByRole('button', { name }).boundingBox()) ?? {}
    return { bottom: y + height, height }
  }
  expect((await box(/^Search/)).height).toBe(36)
  expect((await box(/^Harbour Wines/)).bottom).toBeLessThanOrEqual(700)
  const pageLinks = page.getByRole('complementary').getByRole('navigation', { name: 'Pages' })
  expect(
    await pageLinks.evaluate(({ parentElement }) =>
      parentElement === null ? -1 : parentElement.scrollHeight - parentElement.clientHeight,
    ),
  ).toBe(0)
})

test.for(['verifications?status=failed', 'webhooks', 'requests', 'audit?action=key.created&actor=operator'])(
  'on a phone the filters are behind one button that counts the active ones: %s',
  async (path) => {
    const { page } = user
    await page.setViewportSize(sizes[1])
    await page.goto(`/dashboard/test/${path}`)
    const active = new URL(path, 'http://localhost').searchParams.size
    const button = page.getByRole('button', {
      name: active === 0 ? 'Filters' : `Filters ${active} active`,
      exact: true,
    })
    await button.waitFor()
    const fields = page.locator('#main').getByRole('combobox')
    await expect.poll(() => fields.count()).toBe(0)
    await button.click()
    await expect.poll(() => fields.count()).toBeGreaterThan(0)
  },
)

type PageCheck = { environment: string; name: string; target: DashboardPage }

/** Checks a page at desktop and phone width, in both themes. */
async function checkPage({ environment, name, target: { path, title } }: PageCheck): Promise<void> {
  const { page, foreignRequests, cspViolations } = user
  await page.setViewportSize(sizes[0])
  await page.goto(`/dashboard/${environment}${path}`)
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  await expect.poll(() => page.getByText('Loading', { exact: true }).count()).toBe(0)
  for (const size of sizes) {
    await page.setViewportSize(size)
    for (const { theme, find } of themeChecks) {
      await page.emulateMedia({ colorScheme: theme })
      // Polls, because content that is still loading may be half drawn.
      await expect.poll(() => find(page)).toEqual([])
      await takeScreenshot(page, `${name}-${theme}-${size.width}`)
      await takeScreenshot(page, `window-${name}-${theme}-${size.width}`, false)
    }
  }
  const overflow = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
  const brokenNumbers = await findBrokenNumbers(page)
  expect({ overflow, brokenNumbers, foreignRequests, cspViolations }).toEqual({
    overflow: 0,
    brokenNumbers: [],
    foreignRequests: [],
    cspViolations: [],
  })
}
