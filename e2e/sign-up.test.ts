import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMailServer } from '../apps/service/test/network/mail-server.ts'
import { findViolations } from './fixture/axe.ts'
import { openBrowser } from './fixture/browser.ts'
import { closeDashboard, startDashboard, type DashboardFixture } from './fixture/dashboard-fixture.ts'
import { takeScreenshot } from './fixture/screenshot.ts'

let fixture: DashboardFixture
let mails: Awaited<ReturnType<typeof startMailServer>>

beforeAll(async () => {
  mails = await startMailServer()
  fixture = await startDashboard({
    SIGN_UP: 'open',
    SMTP_URL: mails.url,
    MAIL_FROM: 'Vidimus <vidimus@vidimus.example>',
  })
})
afterAll(async () => {
  await closeDashboard(fixture)
  await mails[Symbol.asyncDispose]()
})

test('a stranger opens an account from the sign-in page, by mail and passkey, and is told what waits', async () => {
  await using user = await openBrowser({ address: fixture.address })
  const { page } = user
  await page.goto('/dashboard/sign-in')
  await page.getByRole('link', { name: 'Open an account' }).click()
  await page.getByRole('heading', { name: 'Open an account' }).waitFor()
  expect(await findViolations(page)).toEqual([])
  await takeScreenshot(page, 'sign-up')
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.getByText('Enter the name of your organisation.').waitFor()
  await page.getByLabel('Organisation').fill('Corner shop')
  await page.getByLabel('E-mail address').fill('ada@shop.example')
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.getByRole('heading', { name: 'Look into your mail' }).waitFor()
  await page.getByText('ada@shop.example').waitFor()

  await expect.poll(() => mails.received.length, { timeout: 30_000 }).toBe(1)
  const link = /http\S+/.exec(mails.received[0]?.text ?? '')?.[0] ?? ''
  await page.goto(link)
  await page.getByRole('heading', { name: 'Open the account of Corner shop' }).waitFor()
  await page.getByLabel('Your name').fill('Ada Lovelace')
  await page.getByRole('button', { name: 'Create a passkey' }).click()
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  await page.getByText('wait for the operator’s approval').waitFor()
  await takeScreenshot(page, 'sign-up-pending')
})

test('an owner lets the support look and ends it; every page says so meanwhile', async () => {
  await using user = await fixture.signIn()
  const { page } = user
  await page.goto('/dashboard/test/settings/support')
  await page.getByText('Nobody may look now.').waitFor()
  await page.getByRole('button', { name: 'Allow for 24 hours' }).click()
  await page.getByRole('button', { name: 'End access' }).waitFor()
  expect(await findViolations(page)).toEqual([])
  await takeScreenshot(page, 'support-access')
  await page.goto('/dashboard/live/keys')
  await page.getByRole('status').getByText('lets the operator’s support look until').waitFor()
  await page.getByRole('status').getByRole('link', { name: 'End it' }).click()
  await page.getByRole('button', { name: 'End access' }).click()
  await page.getByText('Nobody may look now.').waitFor()
  expect(await page.getByText('lets the operator’s support look').count()).toBe(0)
})
