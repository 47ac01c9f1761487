import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { moveFocusTo, readFocus } from './focus.ts'

/** Moves the focus to what has this name, and presses Enter. */
export async function press(page: Page, name: string | RegExp): Promise<void> {
  await moveFocusTo(page, name)
  await page.keyboard.press('Enter')
}

/** For a button in a dialog that has the same name as the button that opened it. */
export async function pressInDialog(page: Page, name: string): Promise<void> {
  await expect.poll(async () => (await readFocus(page))?.where).toBe('dialog')
  await press(page, name)
}

export async function typeInto(page: Page, label: string, text: string): Promise<void> {
  await moveFocusTo(page, label)
  await page.keyboard.insertText(text)
}

/** The toast appears, and the focus is not lost. */
export async function expectToast(page: Page, text: string | RegExp): Promise<void> {
  await page.getByText(text).first().waitFor()
  await expect.poll(() => readFocus(page), { message: `the focus after “${String(text)}”` }).toBeDefined()
}
