import { afterAll, beforeAll, expect, test } from 'vitest'
import { setIdentity } from '../apps/service/src/trust/identity/set-identity.ts'
import { newAccessCertificate } from '../apps/service/test/trust/access-certificate.ts'
import { newRegistration } from '../apps/service/test/trust/registrations.ts'
import { findViolations } from './fixture/axe.ts'
import type { BrowserUser } from './fixture/browser.ts'
import { closeDashboard, startDashboard, type DashboardFixture } from './fixture/dashboard-fixture.ts'
import { takeScreenshot } from './fixture/screenshot.ts'

let fixture: DashboardFixture
let user: BrowserUser

beforeAll(async () => {
  fixture = await startDashboard()
  user = await fixture.signIn()
  const { tenant_id } = fixture.merchant
  const certificate = newAccessCertificate({ identifier: 'NTRUT-1234' })
  await setIdentity(fixture.service.ctx, { tenant_id, certificate })
})
afterAll(() => closeDashboard(fixture))

type Attestation = { format: string; data: unknown }

/** Creates a verification and reads its request as a wallet does. */
async function create(template: string) {
  const response = await fixture.merchant.post('/v1/verifications', { template })
  const read = async (): Promise<Attestation[] | undefined> => {
    const [, payload = ''] = (await (await fetch(response.body.request_uri)).text()).split('.')
    return JSON.parse(Buffer.from(payload, 'base64url').toString()).verifier_info // the service signed it just now
  }
  return { response, read }
}

async function openList(): Promise<void> {
  await user.page.goto('/dashboard/test/registrations')
  await user.page.getByRole('heading', { level: 1, name: 'Registrations' }).waitFor()
}

test('the empty page explains registrations, and a certificate that fails a check is not added', async () => {
  const { page } = user
  await openList()
  await page.getByText('No registrations yet').waitFor()
  await expect.poll(() => findViolations(page)).toEqual([])
  await takeScreenshot(page, 'registrations-none')
  await page.getByRole('button', { name: 'Add registration' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add a registration' })
  await dialog.getByRole('button', { name: 'Check certificate' }).click()
  await dialog.getByText('Paste the certificate or choose its file.').waitFor()

  for (const [certificate, finding] of [
    ['not a certificate', 'This is not a registration certificate.'],
    [newRegistration({ identifier: 'NTRUT-OTHER' }), 'It belongs to somebody else'],
    [newRegistration({}, { fault: 'expired' }), 'It has expired.'],
    [newRegistration({}, { fault: 'other_key' }), 'Its signature does not match'],
  ] as const) {
    await dialog.getByLabel('Registration certificate').fill(certificate)
    await dialog.getByRole('button', { name: 'Check certificate' }).click()
    await dialog.getByText(finding).waitFor()
    await dialog.getByText('It cannot be added.').waitFor()
    expect(await dialog.getByRole('button', { name: 'Add registration' }).count()).toBe(0)
  }
  await expect.poll(() => findViolations(page)).toEqual([])
  await takeScreenshot(page, 'registrations-refused', false)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
})

test('a certificate from a file is checked, added and shown; requests carry it in the chosen encoding', async () => {
  const { page } = user
  const token = newRegistration()
  await openList()
  await page.getByRole('button', { name: 'Add registration' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add a registration' })
  const file = dialog.getByLabel('File of the certificate')
  await file.setInputFiles({ name: 'large.jwt', mimeType: 'text/plain', buffer: Buffer.alloc(40 * 1024) })
  await dialog.getByText('The file has 40 kB; the maximum is 32 kB.').waitFor()
  await file.setInputFiles({ name: 'wrprc.jwt', mimeType: 'text/plain', buffer: Buffer.from(`${token}\n`) })
  await expect.poll(() => dialog.getByLabel('Registration certificate').inputValue()).toBe(token)
  await dialog.getByLabel('Name (optional)').fill('Age check')
  await dialog.getByRole('button', { name: 'Check certificate' }).click()
  await dialog.getByText('It can be added.').waitFor()
  await dialog.getByText('It belongs to the access certificate').waitFor()
  await dialog.getByText('Corner Shop Ltd').waitFor()
  await takeScreenshot(page, 'registrations-accepted', false)
  await dialog.getByRole('button', { name: 'Add registration' }).click()

  await page.getByRole('heading', { level: 1, name: 'Age check' }).waitFor()
  for (const shown of [
    'NTRUT-1234',
    'age-check',
    'To check the age of customers',
    'family_name',
    'birthdate',
  ])
    await page.getByText(shown, { exact: true }).first().waitFor()
  await page.getByText('Its signature is valid.').waitFor()
  await page.getByText('Every template that names no other').waitFor()

  const asBase64url = await create('age_over_18')
  expect(await asBase64url.read()).toEqual([
    { format: 'registration_cert', data: Buffer.from(token).toString('base64url') },
  ])
  await openList()
  await page.getByLabel('JWT', { exact: true }).check()
  await page.getByRole('button', { name: 'Save settings' }).click()
  await page.getByText('Registration settings saved.').first().waitFor()
  const asJwt = await create('age_over_18')
  expect(await asJwt.read()).toEqual([{ format: 'registration_cert', data: token }])

  await page.goto(`/dashboard/test/verifications/${asJwt.response.body.id}`)
  await page.getByRole('link', { name: 'Age check' }).click()
  await page.getByRole('heading', { level: 1, name: 'Age check' }).waitFor()
})

test('the editor of a template shows what a registration does not cover before it is saved, and keeps the choice', async () => {
  const { page } = user
  await openList()
  await page.getByRole('button', { name: 'Add registration' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add a registration' })
  const names = newRegistration({
    intended_use_id: 'names',
    // Nothing remains of the template under it, so that the settings decide.
    credentials: [
      { format: 'dc+sd-jwt', meta: { vct_values: ['urn:eudi:pid:1'] }, claims: [['given_name']] },
    ],
  })
  await dialog.getByLabel('Registration certificate').fill(names)
  await dialog.getByLabel('Name (optional)').fill('Names')
  await dialog.getByRole('button', { name: 'Check certificate' }).click()
  await dialog.getByRole('button', { name: 'Add registration' }).click()
  await page.getByRole('heading', { level: 1, name: 'Names' }).waitFor()

  await page.goto('/dashboard/test/templates/new')
  await page.getByRole('textbox', { name: 'Key' }).fill('club')
  await page.getByRole('textbox', { name: 'Name' }).fill('Club')
  const card = page.getByRole('region', { name: 'Registration', exact: true })
  await card.getByLabel('Ask under').selectOption({ label: 'Names' })
  await card.getByText(/outside this registration/).waitFor()
  await expect.poll(() => findViolations(page)).toEqual([])
  await takeScreenshot(page, 'template-outside-registration')
  await page.getByRole('button', { name: 'Save template' }).click()
  await page.getByRole('heading', { name: 'Club', level: 1 }).waitFor()
  expect(await card.getByLabel('Ask under').locator('option:checked').innerText()).toBe('Names')
  expect(await (await create('club')).read()).toEqual([{ format: 'registration_cert', data: names }])
  expect((await create('club')).response.headers.get('x-service-warning')).toContain(
    'outside the registration',
  )

  await openList()
  await page.getByLabel('Refuse it').check()
  await page.getByRole('button', { name: 'Save settings' }).click()
  await page.getByText('Registration settings saved.').first().waitFor()
  expect((await create('club')).response).toMatchObject({
    status: 422,
    body: { error: { code: 'registration_exceeded' } },
  })
  await page.goto('/dashboard/test/templates/club')
  await card.getByText('Your settings refuse such requests').waitFor()
})

test('a registration that a template names cannot be removed; support may only read', async () => {
  const { page } = user
  await openList()
  await page.getByRole('link', { name: 'Names' }).click()
  await page.getByRole('button', { name: 'Remove…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('1 template names it: club.').waitFor()
  expect(await dialog.getByRole('button', { name: 'Remove registration' }).isEnabled()).toBe(false)
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await using support = await fixture.signIn({ role: 'support', name: 'Kim', phone: true })
  await support.page.goto('/dashboard/test/registrations')
  await support.page.getByRole('link', { name: 'Names' }).waitFor()
  expect(await support.page.getByRole('button', { name: 'Add registration' }).count()).toBe(0)
  expect(await support.page.getByLabel('Refuse it').isDisabled()).toBe(true)
  await support.page.getByRole('link', { name: 'Names' }).click()
  await support.page.getByText('Its signature is valid.').waitFor()
  expect(await support.page.getByRole('button', { name: /Remove|Check again|Make default/ }).count()).toBe(0)
  await takeScreenshot(support.page, 'registration-phone-light')
})
