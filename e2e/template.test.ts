import { afterAll, expect, test } from 'vitest'
import { closeDashboard, startDashboard } from './fixture/dashboard-fixture.ts'

const fixture = await startDashboard()
const user = await fixture.signIn()
afterAll(() => closeDashboard(fixture))

test('a persona responds to a test verification; claims are masked until revealed', async () => {
  const { page } = user
  await page.goto('/dashboard/test/verifications')
  await page.getByRole('button', { name: 'New test verification' }).first().click()
  await page.getByLabel('Template').last().selectOption('age_over_18')
  await page.getByLabel('Persona').selectOption('adult')
  await page.getByRole('button', { name: 'Create verification', exact: true }).click()
  await page.getByRole('heading', { name: 'Verification', level: 1, exact: true }).waitFor()
  await page.getByText('Completed', { exact: true }).waitFor()
  await page.getByText('masked').first().waitFor()
  await page.getByRole('button', { name: 'Show claims' }).click()
  await page.getByText('Recorded in the audit log.').waitFor()
})

test('a template created in the form works in the API and is answered in both formats', async () => {
  const { page } = user
  await page.goto('/dashboard/test/templates')
  await page.getByRole('link', { name: 'New template' }).first().click()
  await page.getByRole('textbox', { name: 'Key' }).fill('club_entry')
  await page.getByRole('textbox', { name: 'Name' }).fill('Club entry')
  await page.getByLabel('Given name', { exact: true }).check()
  // The sandbox's PID has no age attribute as SD-JWT.
  await page.getByLabel('derive it from the date of birth').check()
  await page.getByRole('button', { name: 'Save template' }).click()
  await page.getByRole('heading', { name: 'Club entry', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Run test' }).click()
  await page.getByText('Completed', { exact: true }).waitFor()

  for (const format of ['dc+sd-jwt', 'mso_mdoc'] as const) {
    const { status, body } = await fixture.merchant.post('/v1/verifications', { template: 'club_entry' })
    expect(status).toBe(201)
    await fixture.respond(body.wallet_uri, { persona: 'adult', format })
    const response = await fixture.merchant.get(`/v1/verifications/${body.id}`)
    expect(response.body).toMatchObject({ status: 'completed' })
    expect(response.body.claims).toMatchObject({ age_over_18: true, given_name: expect.any(String) })
    expect(response.body.claims).not.toHaveProperty('birth_date')
  }
})

test('a built-in template is read-only, can be duplicated, and its copy edited', async () => {
  const { page } = user
  await page.goto('/dashboard/test/templates/age_over_18')
  await page.getByText(/It cannot be edited/).waitFor()
  await page.getByRole('button', { name: 'Duplicate' }).click()
  await page.getByLabel('Key of the copy').fill('my_age')
  await page.getByRole('dialog').getByRole('button', { name: 'Duplicate' }).click()
  await page.getByLabel('JSON').waitFor()
  const text = await page.getByLabel('JSON').inputValue()
  await page.getByLabel('JSON').fill(text.replace(/"name": "[^"]*"/, '"name": "Age at the door"'))
  await page.getByRole('button', { name: 'Save template' }).click()
  await page.getByRole('heading', { name: 'Age at the door', level: 1 }).waitFor()
})

test('a template of the form compares, accepts sets and ranges, and is tried with what is expected', async () => {
  const { page } = user
  await page.goto('/dashboard/test/templates')
  await page.getByRole('link', { name: 'New template' }).first().click()
  await page.getByRole('textbox', { name: 'Key' }).fill('known_customer')
  await page.getByRole('textbox', { name: 'Name' }).fill('Known customer')
  await page.getByLabel('16 or older', { exact: true }).uncheck()
  await page.getByLabel('18 or older', { exact: true }).uncheck()
  for (const claim of ['Family name', 'Expiry date', 'Issuing country'])
    await page.getByLabel(claim, { exact: true }).check()
  const conditions = page.getByRole('group', { name: 'Required values' })
  await conditions.getByLabel('Family name').selectOption('Must match what I have')
  await conditions.getByLabel('Issuing country', { exact: true }).selectOption('Must be one of')
  await conditions.getByLabel('Issuing country: accepted values').fill('UT, DE')
  await conditions.getByLabel('Expiry date', { exact: true }).selectOption('Must be a date in a range')
  await conditions.getByLabel('Expiry date: from').fill('2020-01-01')
  await page.getByText('Family name, only to compare it with details already on file').waitFor()
  await page.getByRole('button', { name: 'Save template' }).click()
  await page.getByRole('heading', { name: 'Known customer', level: 1 }).waitFor()

  await page.getByLabel('What you expect: family_name').fill('mustermann')
  await page.getByRole('button', { name: 'Run test' }).click()
  await page.getByText('Completed', { exact: true }).waitFor()
  await page.getByText('family_name_matches', { exact: true }).waitFor()
  await page.getByLabel('What you expect: family_name').fill('Musterfrau')
  await page.getByRole('button', { name: 'Run test' }).click()
  await page.getByText('Failed', { exact: true }).waitFor()
  await page.reload()
  expect(await conditions.getByLabel('Family name').inputValue()).toBe('compare')
})

test('the parameters of a template are given when it is tried', async () => {
  const { page } = user
  await page.goto('/dashboard/test/templates/age_over')
  await page.getByText('Proof that you are 18 or older').waitFor()
  await page.getByLabel('Parameter age').fill('65')
  await page.getByRole('button', { name: 'Run test' }).click()
  await page.getByText('Failed', { exact: true }).waitFor()
  await page.getByLabel('Parameter age').fill('30')
  await page.getByRole('button', { name: 'Run test' }).click()
  await page.getByText('age_over_30', { exact: true }).waitFor()
})

test('a test verification is created with parameters and with what is expected', async () => {
  const { page } = user
  const create = async (template: string, fill: () => Promise<unknown>) => {
    await page.goto('/dashboard/test/verifications')
    await page.getByRole('button', { name: 'New test verification' }).first().click()
    await page.getByLabel('Template').last().selectOption(template)
    await fill()
    await page.getByRole('button', { name: 'Create verification', exact: true }).click()
    await page.getByRole('heading', { name: 'Verification', level: 1, exact: true }).waitFor()
    await page.getByText('Completed', { exact: true }).waitFor()
  }

  await create('age_over', () => page.getByLabel('Parameter age').fill('25'))
  await page.getByText('age_over_25').first().waitFor()
  await create('known_customer', () => page.getByLabel('What you expect: family_name').fill('Mustermann'))
  await page.getByText('family_name_matches').first().waitFor()
})

test('a template says why it asks in several languages, and its page is in that of the holder', async () => {
  const { page } = user
  await page.goto('/dashboard/test/templates/club_entry')
  await page.getByRole('button', { name: 'Add a purpose' }).click()
  await page.getByRole('textbox', { name: 'Purpose in English' }).fill('Entry to the club')
  await page.getByRole('button', { name: 'Add a language' }).click()
  await page.getByRole('combobox', { name: 'Language' }).last().selectOption('de')
  await page.getByRole('textbox', { name: 'Purpose in Deutsch' }).fill('Einlass in den Club')
  await page.getByText('Entry to the club', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Save template' }).click()
  await page.getByText('Template saved').first().waitFor()
  await page.reload()
  expect(await page.getByRole('textbox', { name: 'Purpose in Deutsch' }).inputValue()).toBe(
    'Einlass in den Club',
  )

  const { body } = await fixture.merchant.post('/v1/verifications', { template: 'club_entry' })
  expect(body.purpose).toBe('Entry to the club')
  for (const [lang, text] of [
    ['de', 'Einlass in den Club'],
    ['fr', 'Entry to the club'],
  ]) {
    await page.goto(`/verify/${body.id}?lang=${lang}`)
    await page
      .getByText(text ?? '', { exact: true })
      .first()
      .waitFor()
  }
  expect(await page.locator('html').getAttribute('lang')).toBe('en')
})
