import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findViolations } from './fixture/axe.ts'
import { closeDashboard, startDashboard, type DashboardFixture } from './fixture/dashboard-fixture.ts'
import { takeScreenshot } from './fixture/screenshot.ts'

let fixture: DashboardFixture

beforeAll(async () => {
  fixture = await startDashboard()
})
afterAll(() => closeDashboard(fixture))

test('[SEAL-2] a key is made in the browser, opens what is sealed to it there and nowhere else, and its proof is checked', async () => {
  await using owner = await fixture.signIn()
  await using other = await fixture.signIn({ name: 'Bea Brandt', role: 'owner' })
  const { page } = owner
  await page.goto('/dashboard/test/settings/sealing')
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Create a key' }).click(),
  ])
  await page.getByText(/^The key is active/).waitFor()
  expect(await findViolations(page)).toEqual([])
  await takeScreenshot(page, 'settings-sealing')
  const key = JSON.parse(await readFile(await saved.path(), 'utf8'))
  expect(saved.suggestedFilename()).toBe('sealing-key-test.json')
  expect(key).toMatchObject({ kty: 'EC', crv: 'P-256', d: expect.any(String) })

  const id = await fixture.createCompletedVerification('adult', { template: 'identity_basic' })
  const { body } = await fixture.merchant.get(`/v1/verifications/${id}`)
  expect(body.claims).toEqual({ _sealed: expect.any(Object) })
  await page.goto(`/dashboard/test/verifications/${id}`)
  await page.getByRole('button', { name: 'Open in this browser' }).click()
  await page.getByText(/^Opened in this browser/).waitFor()
  await page.getByText('family_name', { exact: true }).first().waitFor()
  await takeScreenshot(page, 'verification-sealed')

  await other.page.goto(`/dashboard/test/verifications/${id}`)
  await other.page.getByRole('button', { name: 'Open in this browser' }).click()
  await other.page.getByText(/^No private key in this browser opens this result/).waitFor()
  expect(await other.page.getByText('family_name', { exact: true }).count()).toBe(0)
  const { data: registered } = (await fixture.merchant.get('/v1/sealing_keys')).body
  const [{ kid }] = registered
  await other.page
    .getByText(`None of the given keys opens this. It was sealed to ${kid}; you gave none.`)
    .waitFor()

  // A second key: its owner opens what both open, and the older result says which key it needs.
  await other.page.goto('/dashboard/test/settings/sealing')
  await other.page.getByRole('button', { name: 'Create a key' }).click()
  await other.page.getByText(/^The key is active/).waitFor()
  await other.page.getByRole('cell', { name: '1', exact: true }).waitFor()
  const both = await fixture.createCompletedVerification('adult', { template: 'identity_basic' })
  for (const each of [page, other.page]) {
    await each.goto(`/dashboard/test/verifications/${both}`)
    await each.getByRole('button', { name: 'Open in this browser' }).click()
    await each.getByText(/^Opened in this browser/).waitFor()
  }
  const [, second] = (await fixture.merchant.get('/v1/sealing_keys')).body.data
  await other.page.goto(`/dashboard/test/verifications/${id}`)
  await other.page.getByRole('button', { name: 'Open in this browser' }).click()
  await other.page
    .getByText(`None of the given keys opens this. It was sealed to ${kid}; you gave ${second.kid}.`)
    .waitFor()
  await fixture.merchant.delete(`/v1/sealing_keys/${second.kid}`)
  await page.goto(`/dashboard/test/verifications/${id}`)

  await page.getByRole('link', { name: 'Proof for an inspector' }).click()
  await page.getByText('The signed audit log has exactly this receipt.').waitFor({ timeout: 60_000 })
  expect(await findViolations(page)).toEqual([])
  await takeScreenshot(page, 'receipt')

  await page.goto('/dashboard/test/settings/sealing')
  await page.getByRole('button', { name: 'Retire…' }).click()
  await page.getByText('Stored results that its private key opens: 2.').waitFor()
  await page.getByRole('button', { name: 'End sealing' }).click()
  await page.getByText('No key. Claims are stored as they are.').waitFor()
  const later = await fixture.createCompletedVerification('adult', { template: 'identity_basic' })
  expect((await fixture.merchant.get(`/v1/verifications/${later}`)).body.claims).toMatchObject({
    family_name: expect.any(String),
  })
})
