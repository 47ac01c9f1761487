import { readdirSync } from 'node:fs'
import type { Response } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from './fixture/browser.ts'
import { closeDashboard, startDashboard, type DashboardFixture } from './fixture/dashboard-fixture.ts'

const maxScript_kB = 190
let fixture: DashboardFixture

beforeAll(async () => {
  fixture = await startDashboard()
})
afterAll(() => closeDashboard(fixture))

test(`the first load has under ${maxScript_kB} kB of compressed script, and nothing is inline`, async () => {
  await using entered = await fixture.signIn()
  const { cookies } = await entered.context.storageState()
  await using user = await openBrowser({ address: fixture.address })
  await user.context.addCookies(cookies)
  const { page } = user
  const scripts: Response[] = []
  page.on('response', (response) => {
    if (response.url().endsWith('.js')) scripts.push(response)
  })
  const response = await page.goto('/dashboard/test')
  await page.getByRole('heading', { name: 'First steps' }).waitFor()
  const sizes = await Promise.all(scripts.map((script) => script.request().sizes()))
  const total = sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0) / 1000
  console.log(`first load of the overview: ${total.toFixed(1)} kB in ${scripts.length} scripts`)

  expect(scripts.length).toBeGreaterThan(3)
  expect(total).toBeGreaterThan(100)
  expect(total).toBeLessThan(maxScript_kB)
  expect(response?.headers()['content-security-policy']).not.toContain('unsafe')
  const html = (await response?.text()) ?? ''
  expect(html).not.toMatch(/<style|<script(?![^>]* src=)| style=| on\w+=/)
})

test('the overview loads quickly on a processor that is four times slower', async () => {
  await using user = await fixture.signIn()
  const { page, context } = user
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  const times: number[] = []
  for (let round = 0; round < 3; round += 1) {
    const began = performance.now()
    await page.goto('/dashboard/test')
    await page.getByRole('heading', { name: 'First steps' }).waitFor()
    times.push(Math.round(performance.now() - began))
  }
  console.log(`the overview loaded in ${times.join(', ')} ms at a quarter of the CPU speed`)
  // 1.5 s on an idle machine. Here the service and other work share two cores, so the best of three may take longer.
  expect(Math.min(...times)).toBeLessThan(8000)
})

test('every built asset has a content hash in its name', () => {
  const assets = readdirSync(new URL('../apps/dashboard/dist/assets', import.meta.url))
  expect(assets.length).toBeGreaterThan(20)
  expect(assets.filter((name) => !/-[\w-]{8}\.\w+$/.test(name))).toEqual([])
})
