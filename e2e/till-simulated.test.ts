import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeDashboard, startDashboard, type DashboardFixture } from './fixture/dashboard-fixture.ts'
import { openPairedTill } from './fixture/till.ts'

let fixture: DashboardFixture

beforeAll(async () => {
  fixture = await startDashboard()
})
afterAll(() => closeDashboard(fixture))

test('the dashboard opens a simulated till in a window and a store of its own', async () => {
  await using user = await fixture.signIn()
  const { page, context } = user
  // A real till in the same browser.
  const real = await context.newPage()
  await openPairedTill(fixture, { ...user, page: real }, ['age_over_21'])

  await page.goto('/dashboard/test/devices')
  await page.getByRole('button', { name: 'Register device' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Simulated')
  await page.getByLabel('Age over 18', { exact: true }).check()
  await page.getByRole('button', { name: 'Register and show code' }).click()
  const [till] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('button', { name: 'Open a simulated till' }).click(),
  ])
  await till.getByRole('button', { name: '18 or over' }).waitFor()
  await till.getByText('Simulated till: test data only').waitFor()
  expect(till.url()).toMatch(/\/till\?simulated=[0-9a-f-]{36}$/)
  expect(await till.evaluate('window.opener')).toBeNull()
  await page.getByRole('heading', { name: 'Simulated is paired' }).waitFor()
  await page.getByRole('button', { name: 'Done' }).click()

  // The real till kept its pairing, and neither waits for the other.
  await real.bringToFront()
  await real.reload()
  await real.getByRole('button', { name: '21 or over' }).waitFor()

  // The sandbox wallet responds from the link below the QR code.
  await till.bringToFront()
  await till.getByRole('button', { name: '18 or over' }).click()
  const [wallet] = await Promise.all([
    context.waitForEvent('page'),
    till.getByRole('link', { name: 'Respond with the sandbox wallet' }).click(),
  ])
  await wallet.getByRole('button', { name: 'Respond' }).click()
  await wallet.getByText('The verification is completed').waitFor()
  expect(await till.locator('main.answer h1').innerText()).toBe('Yes')

  // A closed simulated till can be opened again.
  await till.close()
  await page.bringToFront()
  await page.reload()
  const [again] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('button', { name: 'Open till' }).click(),
  ])
  await again.getByRole('button', { name: '18 or over' }).waitFor()
})

test('the live environment has no simulated till', async () => {
  await using user = await fixture.signIn()
  const { page } = user
  await page.goto('/dashboard/live/devices')
  await page.getByRole('button', { name: 'Register device' }).first().click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Real')
  await page.getByLabel('Age over 18', { exact: true }).check()
  await page.getByRole('button', { name: 'Register and show code' }).click()
  await page.getByRole('img', { name: /QR code/ }).waitFor()
  expect(await page.getByRole('button', { name: 'Open a simulated till' }).count()).toBe(0)
})
