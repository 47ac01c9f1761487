import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeBrowser, visit } from './browser.ts'
import { startWorld, type World } from './world.ts'

let world: World

beforeAll(async () => {
  world = await startWorld()
})
afterAll(async () => {
  await closeBrowser()
  await world[Symbol.asyncDispose]()
})

const mostSteps = 60

/** Presses a key until what is named has the focus, as somebody without a mouse would. */
async function reach(page: Page, name: string | RegExp, key = 'Tab'): Promise<void> {
  const fits = (text: string) => (typeof name === 'string' ? text === name : name.test(text))
  for (let step = 0; step < mostSteps; step += 1) {
    if (fits(await focusedText(page))) return
    await page.keyboard.press(key)
  }
  throw new Error(`${String(name)} is not reached in ${mostSteps} steps`)
}

/** What a screen reader would say of it, nearly. */
async function focusedText(page: Page): Promise<string> {
  const text = await page.evaluate(
    '(document.activeElement?.labels?.[0] ?? document.activeElement)?.innerText?.trim() || document.activeElement?.getAttribute("aria-label") || ""',
  )
  return String(text)
}

test('by keyboard alone: come in, make a key, revoke it, change the theme, sign out', async () => {
  await using visitor = await visit({ address: world.address })
  const { page } = visitor
  const link = await world.invite({ email: 'keys@example.com' })
  await page.goto(link)
  await page.getByLabel('Your name').waitFor()
  await reach(page, 'Your name')
  await page.keyboard.type('Ada Byron')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()

  await reach(page, 'Skip to the content')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Shift+Tab')
  await page.goto('/dashboard/test/keys')
  await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Revoke' }).waitFor()
  await reach(page, 'Create key')
  await page.keyboard.press('Enter')
  await reach(page, 'Name')
  await page.keyboard.type('By keyboard')
  await reach(page, 'verifications:delete')
  await page.keyboard.press('Space')
  await reach(page, 'Never')
  await page.keyboard.press('ArrowDown')
  await reach(page, 'Create key')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Copy your key now' }).waitFor()
  await reach(page, 'I have copied it')
  await page.keyboard.press('Enter')
  expect(await page.getByRole('dialog').count()).toBe(0)

  await reach(page, /^Revoke By keyboard$|^Revoke$/)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  // The focus is where it was before.
  await expect.poll(() => focusedText(page)).toMatch(/^Revoke/)
  await page.keyboard.press('Enter')
  await reach(page, 'Revoke key')
  await page.keyboard.press('Enter')
  await page
    .getByText(/is revoked/)
    .first()
    .waitFor()

  await reach(page, /^A merchant\s+Ada Byron, owner$/)
  await page.keyboard.press('Enter')
  await page.getByRole('menuitemradio', { name: 'Dark' }).waitFor()
  await reach(page, 'Dark', 'ArrowDown')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
  await reach(page, 'Sign out', 'ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
})
