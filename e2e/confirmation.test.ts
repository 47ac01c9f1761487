import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { setClockOffset } from '../apps/service/test/database/clock.ts'
import { findViolations } from './fixture/axe.ts'
import { closeDashboard, startDashboard } from './fixture/dashboard-fixture.ts'
import { takeScreenshot } from './fixture/screenshot.ts'

const fixture = await startDashboard()
afterAll(() => closeDashboard(fixture))
// Before the clock is turned: the wallet has its own.
await fixture.createCompletedVerification('adult')
const user = await fixture.signIn()
const { page } = user
const confirmation = page.getByRole('dialog', { name: 'Confirm that it is you' })
const setClock = (offset: string) => setClockOffset(fixture.service.ctx.db, offset)

test('[DASH-9] an old session creates a live key after a confirmation, and none if its member cancels', async () => {
  await setClock('50 minutes')
  await page.goto('/dashboard/live/keys')
  await page.getByRole('button', { name: 'Create key' }).first().click()
  const form = page.getByRole('dialog', { name: 'Create a live key' })
  await form.getByLabel('Name').fill('Web shop')
  await form.getByRole('button', { name: 'Create key' }).click()
  await confirmation.waitFor()
  expect(await findViolations(page)).toEqual([])
  await takeScreenshot(page, 'confirmation', false)

  await confirmation.getByRole('button', { name: 'Cancel' }).click()
  await confirmation.waitFor({ state: 'hidden' })
  await form.getByText('You did not confirm that it is you, so nothing was done.').waitFor()
  await takeScreenshot(page, 'confirmation-cancelled', false)
  expect(await form.getByLabel('Name').inputValue()).toBe('Web shop')

  await form.getByRole('button', { name: 'Create key' }).click()
  await confirmation.getByRole('button', { name: 'Use passkey' }).click()
  const shown = page.getByRole('dialog', { name: 'Copy your key now' })
  expect(await shown.locator('code').first().textContent()).toMatch(/^vk_live_/)
  await shown.getByRole('button', { name: 'I have copied it' }).click()
  await page.getByRole('table').getByText('Web shop').first().waitFor()
})

test('[DASH-9] an old session downloads claims and reveals a secret after a confirmation', async () => {
  await setClock('65 minutes')
  await page.goto('/dashboard/test/verifications')
  await page.getByRole('button', { name: 'Download CSV with claims' }).click()
  const waiting = page.waitForEvent('download')
  await confirmation.getByRole('button', { name: 'Use passkey' }).click()
  const file = readFileSync(await (await waiting).path(), 'utf8')
  expect(file).toContain('age_over_18"":true')
  expect((await waiting).suggestedFilename()).toBe('claims-test.csv')

  await setClock('80 minutes')
  await page.goto('/dashboard/test/webhooks?tab=secret')
  await page.getByRole('button', { name: 'Show secret' }).click()
  await confirmation.getByRole('button', { name: 'Use passkey' }).click()
  await page.getByText(/whsec_/).waitFor()
  expect(user.cspViolations).toEqual([])
})
