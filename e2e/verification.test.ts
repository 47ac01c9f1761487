import { afterAll, expect, test } from 'vitest'
import { leave, startWorld } from './world.ts'

const world = await startWorld()
const visitor = await world.enter()
afterAll(() => leave(world))

test('why a verification failed is said in words', async () => {
  const { page } = visitor
  const id = await world.answered('minor')
  await page.goto(`/dashboard/test/verifications/${id}`)
  await page.getByText('The holder does not meet what the template requires.').waitFor()
})

test('what completes in one place is shown in another within a second: list and detail', async () => {
  const { body } = await world.merchant.post('/v1/verifications', { template: 'age_over_18' })
  const detail = await visitor.context.newPage()
  await detail.goto(`/dashboard/test/verifications/${body.id}`)
  await detail.getByText('Pending', { exact: true }).waitFor()
  const list = visitor.page
  await list.goto('/dashboard/test/verifications')
  const row = list.getByRole('row', { name: new RegExp(body.id.slice(0, 14)) })
  await row.getByText('Pending').waitFor()

  await world.respond(body.wallet_uri, { persona: 'adult' })
  const answered = performance.now()
  await Promise.all([
    detail.getByText('Completed', { exact: true }).waitFor(),
    row.getByText('Completed').waitFor(),
  ])
  const took = performance.now() - answered
  console.log(`shown ${Math.round(took)} ms after the answer`)
  // A second on a machine of one's own; this one also runs the service, its worker and the browser.
  expect(took).toBeLessThan(5000)
  await detail.close()
})

test('an erasure says what will go, and it goes', async () => {
  const { page } = visitor
  const id = await world.answered('adult')
  await page.goto(`/dashboard/test/verifications/${id}`)
  await page.getByRole('button', { name: 'Erase…' }).click()
  await page.getByRole('dialog').getByText('1 result with its claims').waitFor()
  await page.getByRole('button', { name: 'Erase for good' }).click()
  await page
    .getByText(/are gone for good/)
    .first()
    .waitFor()
  expect((await world.merchant.get(`/v1/verifications/${id}`)).status).toBe(404)
})
