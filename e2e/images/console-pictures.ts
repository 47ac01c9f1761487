import type { Page } from 'playwright-core'
import { closeDashboard } from '../fixture/dashboard-fixture.ts'
import { startConsole } from '../fixture/console-fixture.ts'
import { seedConsole } from '../fixture/seed-console.ts'

/** By file name in docs/images: the page of the console and its heading. */
const pages = {
  'console-tenants': { path: '/tenants', title: 'Tenants' },
  'console-tenant': { path: '/tenants/{tenant}', title: 'Stadtwerke Musterhausen' },
  'console-usage': { path: '/usage', title: 'Usage' },
  'console-health': { path: '/health', title: 'Health' },
}

export const consolePictures: readonly string[] = Object.keys(pages)

/** Opens each page of a console with sample data, on an installation of its own. */
export async function takeConsolePictures(take: (name: string, page: Page) => Promise<void>): Promise<void> {
  const fixture = await startConsole()
  await using stack = new AsyncDisposableStack()
  stack.defer(() => closeDashboard(fixture))
  const { page } = await fixture.signInOperator()
  await page.setViewportSize({ width: 1440, height: 900 })
  const tenant = await seedConsole(fixture)
  for (const [name, { path, title }] of Object.entries(pages)) {
    await page.goto(`/console${path.replace('{tenant}', tenant)}`)
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    await page.waitForLoadState('networkidle')
    await take(name, page)
  }
}
