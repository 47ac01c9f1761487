import { afterAll, expect, test } from 'vitest'
import { findViolations } from './fixture/axe.ts'
import { closeDashboard, startDashboard } from './fixture/dashboard-fixture.ts'
import { takeScreenshot } from './fixture/screenshot.ts'

const fixture = await startDashboard()
afterAll(() => closeDashboard(fixture))

test('a member sees two sessions with their browsers, ends the other one, and that browser is signed out', async () => {
  const member = { name: 'Ada', email: 'ada@example.com' }
  await using computer = await fixture.signIn(member)
  // A sign-in link ends the sessions so far, and begins one on the phone.
  await using phone = await fixture.signIn({ ...member, phone: true, theme: 'dark' })
  const { page } = computer
  await page.goto('/dashboard/test/account')
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()

  const rows = page.getByRole('table', { name: 'Your sessions' }).getByRole('row')
  await expect.poll(() => rows.count()).toBe(3)
  await page.getByRole('row', { name: /Chrome, Linux.*This session.*Passkey/ }).waitFor()
  expect(await page.getByRole('button', { name: 'End the session in Chrome, Linux' }).count()).toBe(1)
  await takeScreenshot(page, 'account-sessions')
  await phone.page.goto('/dashboard/test/account')
  await phone.page.getByRole('button', { name: 'End the session in Chrome, Linux' }).scrollIntoViewIfNeeded()
  await takeScreenshot(phone.page, 'account-sessions-phone-dark')
  expect(await findViolations(phone.page)).toEqual([])

  await page.getByRole('button', { name: 'End the session in Chrome, Linux' }).click()
  await takeScreenshot(page, 'account-session-end', false)
  await page.getByRole('dialog').getByRole('button', { name: 'End session' }).click()
  await page.getByText('Session ended.').first().waitFor()
  await expect.poll(() => rows.count()).toBe(2)
  await phone.page.reload()
  await phone.page.getByRole('heading', { name: 'Sign in' }).waitFor()
})
