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

/** VitePress nests links in the options of its search, and labels them differently from their text. */
const searchRules =
  /^(?:nested-interactive|label-content-name-mismatch) at (?:\.VPLocalSearchBox|#localsearch|a\[|\.selected)/

test('a reader copies a command, and finds a page and an operation by keyboard', async () => {
  await using user = await openBrowser({ address })
  const { page, cspViolations, foreignRequests } = user
  const errors: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  page.on('pageerror', ({ message }) => errors.push(message))
  const search = page.getByRole('searchbox')
  await page.goto('/docs/guides/quickstart')
  await page.waitForLoadState('networkidle')
  await page.locator('.language-sh').first().hover()
  await page.getByRole('button', { name: 'Copy Code' }).first().click()
  await page.locator('button.copied').waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe('npx vidimus dev')

  await page.keyboard.press('/')
  await search.fill('erase a verif')
  await page.getByRole('option', { name: /Erase a verification/ }).waitFor()
  expect((await findViolations(page)).filter((line) => !searchRules.test(line))).toEqual([])
  expect(await page.getByRole('option', { selected: true }).count()).toBe(1)
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/docs\/guides\/erasure#erase-a-verification$/)

  await page.keyboard.press('Control+k')
  await search.fill('POST /v1/devices/enroll')
  await page.getByRole('option', { name: /POST \/v1\/devices\/enroll/ }).waitFor()
  await search.fill('x'.repeat(50))
  await page.getByText('No results for').waitFor()
  await page.keyboard.press('Escape')
  expect(await search.count()).toBe(0)

  await page.getByRole('switch').click()
  expect(await page.evaluate('document.documentElement.classList.contains("dark")')).toBe(true)
  await page.getByRole('link', { name: 'This page as Markdown' }).click()
  await page.waitForURL(/\/docs\/guides\/erasure\.md$/)
  await page.goBack()
  await page.getByRole('link', { name: 'API reference' }).first().click()
  await page.waitForURL(/\/docs$/)
  await page.getByRole('heading', { name: 'Create a verification' }).first().waitFor()
  expect([errors, cspViolations, foreignRequests]).toEqual([[], [], []])
})

test('a page can be read without a script', async () => {
  await using user = await openBrowser({ address, script: false })
  await user.page.goto('/docs/guides/quickstart')
  await user.page.getByRole('heading', { name: '3. Create a verification' }).waitFor()
  await user.page.getByRole('link', { name: 'Webhooks', exact: true }).first().click()
  await user.page.waitForURL(/\/docs\/guides\/webhooks$/)
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
