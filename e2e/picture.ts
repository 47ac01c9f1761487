import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'

/** Set to a folder, it is filled with a picture of every page and every dialog. */
const folder = process.env['E2E_PICTURES']
if (folder !== undefined) mkdirSync(folder, { recursive: true })

/** All of the page; with `fullPage` false as much of it as the window shows. */
export async function takeScreenshot(page: Page, name: string, fullPage = true): Promise<void> {
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage })
}
