import { afterAll, expect, test } from 'vitest'
import { openBrowser } from './fixture/browser.ts'
import { closeDashboard, startDashboard } from './fixture/dashboard-fixture.ts'

const fixture = await startDashboard()
const user = await fixture.signIn()
afterAll(() => closeDashboard(fixture))

test('usage shows today against the quota, with the same as a table and as CSV', async () => {
  const { page } = user
  await fixture.merchant.post('/v1/verifications', { template: 'age_over_18' })
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

test('[AUD-4] the chain is read, searched, and checked in the browser; an altered export is refused at the right entry', async () => {
  const { page } = user
  await fixture.merchant.post('/v1/verifications', {
    template: 'age_over_18',
    purpose: 'Age check at the till',
  })
  await page.goto('/dashboard/test/audit')
  await page.getByText('Age check at the till').first().waitFor()
  // What is done meanwhile comes by itself.
  await fixture.merchant.post('/v1/verifications', {
    template: 'age_over_18',
    purpose: 'Age check at the door',
  })
  await page.getByText('Age check at the door').first().waitFor()
  await page.getByRole('button', { name: 'Check now' }).click()
  await page.getByText(/The chain is whole/).waitFor()
  await page.getByLabel('Action').fill('verification.created')
  await page.getByText('Age check at the till').first().waitFor()

  const exported = await page.evaluate('fetch("/dashboard/api/audit/export").then((answer) => answer.text())')
  const lines = String(exported).split('\n')
  const altered = lines.with(1, (lines[1] ?? '').replace(/"action":"[a-z_.]+"/, '"action":"never.happened"'))
  expect(altered).not.toEqual(lines)
  const file = { name: 'audit.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from(altered.join('\n')) }
  await page.getByLabel('Or check an export that you kept').setInputFiles(file)
  await page.getByText(/The chain is broken/).waitFor()
  await page
    .getByText(/line 2: entry 2/)
    .first()
    .waitFor()
})

test('brand and policies are saved and are there again', async () => {
  const { page } = user
  await page.goto('/dashboard/test/settings')
  await page.getByLabel('Display name').fill('Corner Shop')
  await page.getByRole('button', { name: 'Save brand' }).click()
  await page.getByText('The brand is saved.').first().waitFor()
  await page.getByLabel('Keep results for (days)').fill('7')
  await page.getByLabel('Forget on delivery').check()
  await page.getByRole('button', { name: 'Save results and trust' }).click()
  await page.getByText('The settings are saved.').first().waitFor()
  await page.reload()
  await page.getByLabel('Display name').waitFor()
  expect(await page.getByLabel('Display name').inputValue()).toBe('Corner Shop')
  expect(await page.getByLabel('Keep results for (days)').inputValue()).toBe('7')
})

test('somebody is invited, given another role, and removed; an open invitation is withdrawn', async () => {
  const { page } = user
  await page.goto('/dashboard/test/team')
  await page.getByRole('button', { name: 'Invite' }).click()
  await page.getByLabel('E-mail address').fill('sam@example.com')
  await page.getByLabel('Support').check()
  await page.getByRole('button', { name: 'Make a link' }).click()
  const link = (await page.getByRole('dialog').locator('code').first().textContent()) ?? ''
  await page.getByRole('button', { name: 'I have copied it' }).click()

  await using sam = await openBrowser({ address: fixture.address })
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

  await fixture.invite({ email: 'lee@example.com', role: 'auditor' })
  await page.reload()
  await page.getByRole('button', { name: 'Withdraw the invitation of lee@example.com' }).click()
  await page.getByRole('button', { name: 'Withdraw', exact: true }).last().click()
  await page.getByText('The invitation is withdrawn.').first().waitFor()
})

test('the last way in cannot be removed, and signing out everywhere ends this session too', async () => {
  await using other = await fixture.signIn({ name: 'Ada' })
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
