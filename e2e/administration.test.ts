import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeBrowser, visit, type Visitor } from './browser.ts'
import { startWorld, type World } from './world.ts'

let world: World
let visitor: Visitor

beforeAll(async () => {
  world = await startWorld()
  visitor = await world.enter()
})
afterAll(async () => {
  await closeBrowser()
  await world[Symbol.asyncDispose]()
})

test('usage shows today against the quota, with the same as a table and as CSV', async () => {
  const { page } = visitor
  await world.merchant.post('/v1/verifications', { template: 'age_over_18' })
  await page.goto('/dashboard/test/usage')
  await page.getByRole('img', { name: /Verifications created on each/ }).waitFor()
  await page.getByText('The same as a table').click()
  expect(await page.getByRole('table').getByRole('row').count()).toBe(31)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'CSV' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/usage.*\.csv$/)
})

test('somebody is invited, given another role, and removed; an open invitation is withdrawn', async () => {
  const { page } = visitor
  await page.goto('/dashboard/test/team')
  await page.getByRole('button', { name: 'Invite' }).click()
  await page.getByLabel('E-mail address').fill('sam@example.com')
  await page.getByLabel('Support').check()
  await page.getByRole('button', { name: 'Make a link' }).click()
  const link = (await page.getByRole('dialog').locator('code').first().textContent()) ?? ''
  await page.getByRole('button', { name: 'I have copied it' }).click()

  await using sam = await visit({ address: world.address })
  await sam.page.goto(link)
  await sam.page.getByLabel('Your name').fill('Sam Ortiz')
  await sam.page.getByRole('button', { name: 'Create a passkey' }).click()
  await sam.page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  // What support may not do is not offered.
  expect(await sam.page.getByRole('link', { name: 'Audit' }).count()).toBe(0)
  await sam.page.goto('/dashboard/test/keys')
  await sam.page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()
  expect(await sam.page.getByRole('button', { name: 'Create key' }).count()).toBe(0)

  await page.reload()
  await page.getByRole('button', { name: 'Change the role of Sam Ortiz' }).click()
  await page.getByRole('dialog').getByLabel('Auditor').check()
  await page.getByRole('button', { name: 'Change role' }).click()
  await page.getByText('Sam Ortiz is auditor now.').first().waitFor()
  await page.getByRole('button', { name: 'Remove Sam Ortiz' }).click()
  await page.getByRole('button', { name: 'Remove member' }).click()
  await page.getByText('Sam Ortiz is removed.').first().waitFor()
  await sam.page.goto('/dashboard/test/keys')
  await sam.page.getByRole('heading', { name: 'Sign in' }).waitFor()

  await world.invite({ email: 'lee@example.com', role: 'auditor' })
  await page.reload()
  await page.getByRole('button', { name: 'Withdraw the invitation of lee@example.com' }).click()
  await page.getByRole('button', { name: 'Withdraw', exact: true }).last().click()
  await page.getByText('The invitation is withdrawn.').first().waitFor()
})

test('a second passkey is added and removed, and the last way in stays', async () => {
  await using other = await world.enter({ name: 'Ada' })
  const { page } = other
  await page.goto('/dashboard/test/account')
  await page.getByRole('button', { name: /^Remove/ }).click()
  await page.getByRole('button', { name: 'Remove passkey' }).click()
  await page.getByRole('alert').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
})
