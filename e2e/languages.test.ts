import { afterAll, beforeAll, expect, test } from 'vitest'
import { findViolations } from './fixture/axe.ts'
import { findBrokenWords, findUnfilledPlaceholders } from './fixture/find-broken.ts'
import { openBrowser, type BrowserUser } from './fixture/browser.ts'
import { closeDashboard, startDashboard, type DashboardFixture } from './fixture/dashboard-fixture.ts'
import { pages } from './fixture/pages.ts'
import { takeScreenshot } from './fixture/screenshot.ts'
import { seed } from './fixture/seed.ts'

let fixture: DashboardFixture
let user: BrowserUser

beforeAll(async () => {
  fixture = await startDashboard()
  user = await fixture.signIn()
  await seed(fixture)
})
afterAll(() => closeDashboard(fixture))

const htmlLanguage = () => user.page.locator('html').getAttribute('lang')

test('German is chosen by keyboard in the account menu, and stays after a reload', async () => {
  const { page } = user
  await page.goto('/dashboard/test')
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  expect(await htmlLanguage()).toBe('en')
  await page.getByRole('button', { name: /Marta Keller, Owner/ }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitemradio', { name: 'Deutsch' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Übersicht' }).waitFor()
  expect(await htmlLanguage()).toBe('de')
  expect(await page.title()).toBe('Übersicht · Vidimus')

  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Übersicht' }).waitFor()
  expect(await htmlLanguage()).toBe('de')
})

test('a verification is created, read and erased in German', async () => {
  const { page } = user
  await page.goto('/dashboard/test')
  await page.getByRole('link', { name: 'Überprüfungen', exact: true }).first().click()
  await page.getByRole('button', { name: 'Neue Testüberprüfung' }).first().click()
  await page.getByLabel('Zweck (optional)').fill('Altersprüfung an der Kasse')
  await page.getByRole('button', { name: 'Überprüfung erstellen' }).click()
  await page.getByRole('heading', { level: 1, name: 'Überprüfung', exact: true }).waitFor()
  await page.getByText('Abgeschlossen', { exact: true }).waitFor()
  await page.getByText('Wallet hat geantwortet').waitFor()
  await page.getByRole('button', { name: 'Angaben anzeigen' }).click()
  await page.getByText('Im Audit-Protokoll festgehalten.').waitFor()
  await page.getByText('Ja', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Löschen…' }).click()
  await page.getByText('1 Ergebnis mit seinen Angaben').waitFor()
  await page.getByRole('button', { name: 'Endgültig löschen' }).click()
  await page.getByText('Überprüfung gelöscht, mit allem, was dazugehört.').first().waitFor()
})

test('a refusal of the service has a summary in German and its message marked as English', async () => {
  const { page } = user
  await page.goto('/dashboard/test/verifications/vs_unknown')
  const alert = page.getByRole('alert')
  await alert.getByText('Das konnte nicht geladen werden.').waitFor()
  expect(await alert.textContent()).toContain('Diese Überprüfung gibt es nicht.')
  expect(await alert.locator('[lang=en]').count()).toBe(1)
})

test('a browser that prefers German starts in German, without a stored choice', async () => {
  await using visitor = await openBrowser({ address: fixture.address, locale: 'de-AT' })
  await visitor.page.goto('/dashboard/test')
  await visitor.page.getByRole('heading', { level: 1, name: 'Anmelden' }).waitFor()
  expect(await visitor.page.locator('html').getAttribute('lang')).toBe('de')
  expect(await findViolations(visitor.page)).toEqual([])
})

test('actions and times are written in German', async () => {
  const { page } = user
  await page.goto('/dashboard/test/audit')
  await page.getByRole('heading', { level: 1, name: 'Audit-Protokoll' }).waitFor()
  await page
    .getByRole('cell', { name: /API-Schlüssel erstellt/ })
    .first()
    .waitFor()
  expect(await page.locator('time').first().textContent()).toMatch(/^\d\d\.\d\d\.\d{4}, \d\d:\d\d:\d\d$/)
})

test.for(Object.values(pages))(
  'in German the page fits a phone, breaks no word or number and has no accessibility violation: $path',
  async ({ path }) => {
    const { page } = user
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`/dashboard/test${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expect.poll(() => page.getByText('Wird geladen', { exact: true }).count()).toBe(0)
    await expect.poll(() => findViolations(page)).toEqual([])
    await takeScreenshot(page, `german${path.replaceAll(/[^a-z]/g, '-')}`)
    const overflow = await page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    )
    expect({
      overflow,
      brokenWords: await findBrokenWords(page),
      unfilled: await findUnfilledPlaceholders(page),
      csp: user.cspViolations,
    }).toEqual({ overflow: 0, brokenWords: [], unfilled: [], csp: [] })
  },
)

test('on a phone, the buttons of a long form are in view without scrolling', async () => {
  const { page } = user
  await page.setViewportSize({ width: 390, height: 664 })
  await page.goto('/dashboard/test/keys')
  await page.getByRole('button', { name: 'Schlüssel erstellen' }).first().click()
  const submit = page.getByRole('dialog').getByRole('button', { name: 'Schlüssel erstellen' })
  await submit.waitFor()
  const box = await submit.boundingBox()
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(664)
  await submit.click()
  await page.getByText('Geben Sie einen Namen ein.').waitFor()
})

test('a page that a role does not include says so and names who can help, without an error', async () => {
  await using support = await fixture.signIn({ role: 'support', name: 'Sam Ortiz' })
  const { page } = support
  for (const [path, title] of [
    ['audit', 'Audit'],
    ['templates/new', 'New template'],
  ] as const) {
    await page.goto(`/dashboard/test/${path}`)
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    await page.getByText('Not for your role').waitFor()
    await page.getByText(/Your role, Support, does not include this\. Ask .*Marta Keller \(Owner\)/).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(await findViolations(page)).toEqual([])
  }
})

test('the audit page names the members, keys and devices that acted or were changed', async () => {
  await using owner = await fixture.signIn({ name: 'Ada Berg' })
  const { page } = owner
  await page.goto('/dashboard/test/keys')
  await page.getByRole('button', { name: 'Create key' }).first().click()
  await page.getByRole('dialog').getByLabel('Name').fill('Ticket desk')
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('button', { name: 'I have copied it' }).click()
  await page.goto('/dashboard/test/audit')
  const row = page.getByRole('row').filter({ hasText: 'API key created' }).filter({ hasText: 'Ticket desk' })
  await row.waitFor()
  expect(await row.textContent()).toContain('Ada Berg')
})
