import { afterAll, expect, test } from 'vitest'
import { closeDashboard, startDashboard } from './fixture/dashboard-fixture.ts'

const fixture = await startDashboard()
const user = await fixture.signIn()
afterAll(() => closeDashboard(fixture))

test('a failed verification shows its reason in words', async () => {
  const { page } = user
  const id = await fixture.createCompletedVerification('minor')
  await page.goto(`/dashboard/test/verifications/${id}`)
  await page.getByText('Template condition not met.').waitFor()
})

test('list and detail show a completed verification without a reload', async () => {
  const { body } = await fixture.merchant.post('/v1/verifications', { template: 'age_over_18' })
  const detail = await user.context.newPage()
  await detail.goto(`/dashboard/test/verifications/${body.id}`)
  await detail.getByText('Pending', { exact: true }).waitFor()
  const list = user.page
  await list.goto('/dashboard/test/verifications')
  const row = list.getByRole('row', { name: new RegExp(body.id.slice(0, 14)) })
  await row.getByText('Pending').waitFor()

  await fixture.respond(body.wallet_uri, { persona: 'adult' })
  const responded = performance.now()
  await Promise.all([
    detail.getByText('Completed', { exact: true }).waitFor(),
    row.getByText('Completed').waitFor(),
  ])
  const took = performance.now() - responded
  console.log(`shown ${Math.round(took)} ms after the response`)
  // One second on an idle machine; this one also runs the service, its worker and the browser.
  expect(took).toBeLessThan(5000)
  await detail.close()
})

test('an erasure lists what will be deleted, and deletes it', async () => {
  const { page } = user
  const id = await fixture.createCompletedVerification('adult')
  await page.goto(`/dashboard/test/verifications/${id}`)
  await page.getByRole('button', { name: 'Erase…' }).click()
  await page.getByRole('dialog').getByText('1 result with its claims').waitFor()
  await page.getByRole('button', { name: 'Erase permanently' }).click()
  await page
    .getByText(/^Verification erased/)
    .first()
    .waitFor()
  expect((await fixture.merchant.get(`/v1/verifications/${id}`)).status).toBe(404)
})
