import { afterAll, beforeAll, expect, test } from 'vitest'
import { actions } from './keyboard/actions.ts'
import { findViolations } from './fixture/axe.ts'
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
  'empty, the page teaches, keeps to the rules of access and policy, and fits a phone: %s',
  // The live environment has nothing in it.
  (name) => checkPage({ environment: 'live', name: `${name}-empty`, target: pages[name] }),
)

test.for(Object.keys(actions) as PageName[])(
  'full, the page keeps to the rules of access and policy, and fits a phone: %s',
  (name) => checkPage({ environment: 'test', name: `${name}-full`, target: seededPages[name] }),
)

type PageCheck = { environment: string; name: string; target: DashboardPage }

/** A page as wide as a desk and as narrow as a phone, in both themes. */
async function checkPage({ environment, name, target: { path, title } }: PageCheck): Promise<void> {
  const { page, foreignRequests: strayed, cspViolations: refused } = user
  await page.setViewportSize(sizes[0])
  await page.goto(`/dashboard/${environment}${path}`)
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  await expect.poll(() => page.getByText('Loading', { exact: true }).count()).toBe(0)
  for (const size of sizes) {
    await page.setViewportSize(size)
    for (const theme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme: theme })
      // Once it has settled: what is on its way may be half drawn.
      await expect.poll(() => findViolations(page)).toEqual([])
      await takeScreenshot(page, `${name}-${theme}-${size.width}`)
      await takeScreenshot(page, `window-${name}-${theme}-${size.width}`, false)
    }
  }
  const wide = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
  expect({ wide, strayed, refused }).toEqual({ wide: 0, strayed: [], refused: [] })
}
