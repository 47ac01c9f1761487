import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setHolderPage } from '../apps/service/src/accounts/tenants/holder-page.ts'
import { themeChecks } from './fixture/axe.ts'
import { openBrowser } from './fixture/browser.ts'
import { closeDashboard } from './fixture/dashboard-fixture.ts'
import { startHolderFixture } from './fixture/holder-fixture.ts'
import { takeScreenshot } from './fixture/screenshot.ts'

const fixture = await startHolderFixture()
const { address, merchant } = fixture
const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
beforeAll(() =>
  setHolderPage(fixture.service.ctx, { by, holder_erasure: 'automatic', erasure_template: 'identity_basic' }),
)
afterAll(() => closeDashboard(fixture))

const sizes = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
  // What 1280 × 1024 pixels are at 400 % zoom (WCAG 2.2, 1.4.10).
  { width: 320, height: 256 },
]

/** Everything that can be seen is as wide as the window at most, and every control can be touched. */
const findFaults = `[...document.querySelectorAll('*')].filter((each) => each.checkVisibility()).flatMap((each) => {
  const { width, height, left, right } = each.getBoundingClientRect()
  const wide = !each.matches('.hidden') && (right > innerWidth + 1 || left < -1)
  const small = each.matches('a, button, summary, input') && Math.min(width, height) < 43.9
  return wide || small ? [(wide ? 'wide ' : 'small ') + each.tagName + ' ' + each.textContent.trim().slice(0, 30)] : []
})`

async function check(page: Page, name: string): Promise<void> {
  for (const size of sizes) {
    await page.setViewportSize(size)
    for (const { theme, find } of themeChecks) {
      await page.emulateMedia({ colorScheme: theme })
      await expect.poll(() => find(page), { message: name }).toEqual([])
      await takeScreenshot(page, `${name}-${theme}-${size.width}`)
    }
    expect([name, size.width, await page.evaluate(findFaults)]).toEqual([name, size.width, []])
  }
}

/** A verification in this browser, up to its end. */
async function verify(page: Page, lang: string): Promise<string> {
  const session = await fixture.create({ template: 'identity_basic', purpose: 'Opening your account' })
  await page.goto(`/verify/${session.id}?lang=${lang}`)
  await page.locator('vidimus-verify [part~=button]').first().waitFor()
  await fixture.respondToCode(session, { persona: 'adult' })
  return session.id
}

test.each([
  {
    lang: 'en',
    link: 'Ask for deletion',
    save: 'Save the card',
    title: 'Have your data deleted',
    done: 'Your request was received',
  },
  {
    lang: 'de',
    link: 'Löschung beantragen',
    save: 'Karte speichern',
    title: 'Daten löschen lassen',
    done: 'Ihre Anfrage ist eingegangen',
  },
] as const)(
  'from the end of the page to the card and the erasure, in $lang: no violation in any size and theme, with the keyboard alone',
  async ({ lang, link, save, title, done }) => {
    await using user = await openBrowser({ address })
    const { page, foreignRequests, cspViolations } = user
    const id = await verify(page, lang)
    const toCard = page.getByRole('link', { name: link })
    await toCard.waitFor()
    await check(page, `erasure-end-${lang}`)
    const opened = page.context().waitForEvent('page')
    await toCard.press('Enter')
    const card = await opened
    await card.getByRole('link', { name: save }).waitFor()
    await check(card, `erasure-card-${lang}`)

    const saving = card.waitForEvent('download')
    await card.getByRole('link', { name: save }).press('Enter')
    const file = await (await saving).path()
    await using alone = await openBrowser({ address })
    await alone.page.setContent(readFileSync(file, 'utf8'))
    await check(alone.page, `erasure-saved-${lang}`)

    await card.getByRole('link', { name: link }).press('Enter')
    await card.getByRole('heading', { level: 1, name: title }).waitFor()
    await check(card, `erasure-form-${lang}`)
    await card.locator('#code').press('Enter')
    await card.getByRole('heading', { level: 1, name: done }).waitFor()
    await check(card, `erasure-done-${lang}`)
    expect((await merchant.get(`/v1/verifications/${id}`)).status).toBe(404)
    expect({ foreignRequests, cspViolations }).toEqual({ foreignRequests: [], cspViolations: [] })
  },
)

test('without script, the card and the page for erasures work', async () => {
  await using user = await openBrowser({ address, phone: true, script: false })
  const { page } = user
  const session = await fixture.create()
  await page.goto(`/verify/${session.id}`)
  await fixture.respondToCode(session, { persona: 'adult' })
  await page.goto(`/verify/${session.id}`)
  await page.getByRole('link', { name: 'Ask for deletion' }).click()
  await page.getByRole('link', { name: 'Ask for deletion' }).click()
  const form = page.url()
  await page.getByLabel('About when was it?').fill('2026-11-19')
  await page.getByRole('button', { name: 'Continue with your wallet' }).click()
  await page.waitForURL('**/verify/vs_*')
  await page.goto(form)
  await page.getByRole('button', { name: 'Ask for deletion' }).click()
  await page.getByRole('heading', { name: 'Your request was received' }).waitFor()
  expect((await merchant.get(`/v1/verifications/${session.id}`)).status).toBe(404)
})
