import { afterAll, expect, test } from 'vitest'
import { findViolations, themeChecks } from './fixture/axe.ts'
import { openBrowser } from './fixture/browser.ts'
import { closeDashboard, startDashboard } from './fixture/dashboard-fixture.ts'

const fixture = await startDashboard()
afterAll(() => closeDashboard(fixture))
const { address } = fixture

const pages = [
  '/docs/guides',
  '/docs/guides/quickstart',
  '/docs/guides/templates',
  '/docs/reference/errors',
  '/nowhere',
]

test.each([
  { device: 'a computer', phone: false },
  { device: 'a phone', phone: true },
])('the guides pass axe in both themes on $device', async ({ phone }) => {
  await using user = await openBrowser({ address, phone })
  const { page, cspViolations, foreignRequests } = user
  for (const path of pages) {
    await page.goto(path)
    for (const { theme, find } of themeChecks) {
      await page.emulateMedia({ colorScheme: theme })
      await expect.poll(() => find(page), { message: `${path}, ${theme}` }).toEqual([])
    }
    const overflow = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')
    expect([path, Number(overflow) <= 0]).toEqual([path, true])
  }
  expect([cspViolations, foreignRequests]).toEqual([[], []])
})

test('a reader copies a command, and finds a page and an operation by keyboard', async () => {
  await using user = await openBrowser({ address })
  const { page, cspViolations } = user
  await page.goto('/docs/guides/quickstart')
  await page.getByRole('button', { name: 'Copy' }).first().click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toContain('export VIDIMUS_KEY=')

  await page.keyboard.press('/')
  await page.keyboard.type('erase a verif')
  await page.getByRole('option').first().waitFor()
  expect(await findViolations(page)).toEqual([])
  await page.keyboard.press('ArrowDown')
  expect(await page.getByRole('option', { selected: true }).count()).toBe(1)
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/docs\/guides\/erasure#erase-a-verification$/)

  await page.keyboard.press('Control+k')
  await page.keyboard.type('POST /v1/devices/enroll')
  await page.getByRole('option', { name: /POST \/v1\/devices\/enroll/ }).waitFor()
  await page.keyboard.press('Escape')
  expect(await page.getByRole('option').count()).toBe(0)
  await page.keyboard.type('x'.repeat(50))
  await page.getByText('Nothing found').waitFor({ state: 'attached' })
  expect(cspViolations).toEqual([])
})

test.each(['light', 'dark'] as const)('the API reference passes axe in the %s theme', async (theme) => {
  await using user = await openBrowser({ address, theme })
  const { page, cspViolations, foreignRequests } = user
  await page.goto('/docs')
  await page.getByRole('heading', { name: 'Create a verification' }).first().waitFor()
  await page.waitForLoadState('networkidle')
  await page.waitForTimeout(500)

  expect(await findViolations(page)).toEqual([])
  expect([cspViolations, foreignRequests]).toEqual([[], []])
})
