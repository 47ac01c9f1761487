import { afterAll, expect, test } from 'vitest'
import { openBrowser } from './fixture/browser.ts'
import { rotateAuditKey } from '../apps/service/src/audit/log/rotate-key.ts'
import { pairDevice } from '../apps/service/test/pair-device.ts'
import { closeDashboard, startDashboard } from './fixture/dashboard-fixture.ts'
import { takeScreenshot } from './fixture/screenshot.ts'

const fixture = await startDashboard()
const user = await fixture.signIn()
afterAll(() => closeDashboard(fixture))

test('usage shows today against the quota, and the same figures as a table and as CSV', async () => {
  const { page } = user
  await fixture.merchant.post('/v1/verifications', { template: 'age_over_18' })
  await page.goto('/dashboard/test/usage')
  await page.getByRole('img', { name: /Verifications created per day/ }).waitFor()
  await page.getByText('Show as table').click()
  await expect.poll(() => page.getByRole('table').getByRole('row').count()).toBe(31)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'CSV' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/usage.*\.csv$/)
})

test('the chain is listed, filtered and checked in the browser, and the check of an altered export names the entry', async () => {
  const { page } = user
  await fixture.merchant.post('/v1/verifications', {
    template: 'age_over_18',
    purpose: 'Age check at the till',
  })
  await page.goto('/dashboard/test/audit')
  await page.getByText('Age check at the till').first().waitFor()
  // New entries appear without a reload.
  await fixture.merchant.post('/v1/verifications', {
    template: 'age_over_18',
    purpose: 'Age check at the door',
  })
  await page.getByText('Age check at the door').first().waitFor()
  await page.getByRole('button', { name: 'Check now' }).click()
  await page.getByText(/Chain intact/).waitFor()
  await page.getByLabel('Action').selectOption('verification.created')
  await page.getByText('Age check at the till').first().waitFor()

  // After the key was replaced, what was exported before and what is exported now are both valid.
  const earlier = await page.evaluate('fetch("/dashboard/api/audit/export").then((answer) => answer.text())')
  await rotateAuditKey(fixture.service.ctx)
  await page.reload()
  await page.getByRole('button', { name: 'Check now' }).click()
  await page.getByText(/Chain intact/).waitFor()
  const saved = { name: 'earlier.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from(String(earlier)) }
  await page.reload()
  await page.getByLabel('Or check a saved export').setInputFiles(saved)
  await page.getByText(/Chain intact/).waitFor()

  const exported = await page.evaluate('fetch("/dashboard/api/audit/export").then((answer) => answer.text())')
  const lines = String(exported).split('\n')
  const altered = lines.with(1, (lines[1] ?? '').replace(/"action":"[a-z_.]+"/, '"action":"never.happened"'))
  expect(altered).not.toEqual(lines)
  const file = { name: 'audit.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from(altered.join('\n')) }
  await page.getByLabel('Or check a saved export').setInputFiles(file)
  await page.getByText(/Chain broken/).waitFor()
  await page
    .getByText(/line 2: entry 2/)
    .first()
    .waitFor()
})

test('brand and result settings are saved and shown again after a reload', async () => {
  const { page } = user
  await page.goto('/dashboard/test/settings')
  await page.getByLabel('Display name').fill('Corner Shop')
  await page.getByLabel('How many days you keep what you get').fill('a month')
  await page.getByRole('button', { name: 'Save brand' }).click()
  await page.getByText('Enter a number from 0 to 36500, or leave empty.').waitFor()
  await page.getByLabel('How many days you keep what you get').fill('90')
  await page.getByLabel(/^Without a wallet/).fill('https://shop.example/otherwise')
  await page.getByRole('button', { name: 'Save brand' }).click()
  await page.getByText('Brand saved.').first().waitFor()
  await page.reload()
  await page.getByLabel('Display name').waitFor()
  expect(await page.getByLabel('Display name').inputValue()).toBe('Corner Shop')
  expect(await page.getByLabel('How many days you keep what you get').inputValue()).toBe('90')
  expect(await page.getByLabel(/^Without a wallet/).inputValue()).toBe('https://shop.example/otherwise')
  await page.getByRole('link', { name: 'Results', exact: true }).click()
  await page.getByLabel('Attempts per verification').selectOption('3')
  await page.getByLabel('Keep results for (days)').fill('7')
  await page.getByLabel('Delete result after delivery').check()
  await page.getByRole('button', { name: 'Save result settings' }).click()
  await page.getByText('Settings saved.').first().waitFor()
  expect(new URL(page.url()).pathname).toBe('/dashboard/test/settings/policies')
  await page.reload()
  await page.getByLabel('Attempts per verification').waitFor()
  expect(await page.getByLabel('Attempts per verification').inputValue()).toBe('3')
  expect(await page.getByLabel('Keep results for (days)').inputValue()).toBe('7')
})

test('a device gets a PIN, another one and none, and its screen stays on', async () => {
  const { page } = user
  const { device: till } = await pairDevice(fixture.service, fixture.merchant, {
    name: 'Till at the back',
    allowed_templates: ['age_over_18'],
  })
  await page.goto('/dashboard/test/devices')
  const dialog = page.getByRole('dialog', { name: 'Edit “Till at the back”' })
  const change = async (fill: () => Promise<void>) => {
    await page.getByRole('button', { name: 'Edit Till at the back' }).click()
    await fill()
    await dialog.getByRole('button', { name: 'Save device' }).click()
    await dialog.waitFor({ state: 'hidden' })
  }
  await change(async () => {
    await dialog.getByLabel('PIN of the till (optional)').fill('123')
    await dialog.getByRole('button', { name: 'Save device' }).click()
    await dialog.getByText('Enter 4 to 8 digits.', { exact: true }).waitFor()
    await dialog.getByLabel('PIN of the till (optional)').fill('4711')
    await dialog.getByLabel('Screen stays on between customers').check()
    await dialog.getByLabel('Why the till asks').fill('Age check for alcohol')
  })
  const purpose = 'Age check for alcohol'
  expect((await till.get('/v1/devices/till')).body).toMatchObject({ pin: true, keep_awake: true, purpose })
  await change(async () => {
    expect(await dialog.getByLabel('New PIN').inputValue()).toBe('')
    expect(await dialog.getByLabel('Screen stays on between customers').isChecked()).toBe(true)
    await dialog.getByLabel('New PIN').fill('0815')
    await takeScreenshot(page, 'device-dialog', false)
  })
  expect((await till.post('/v1/devices/till/pin', { pin: '0815' })).body.correct).toBe(true)
  await change(async () => {
    await dialog.getByLabel('Remove the PIN').check()
    await dialog.getByLabel('Why the till asks').fill('')
  })
  expect((await till.get('/v1/devices/till')).body).not.toHaveProperty('purpose')
  expect((await till.get('/v1/devices/till')).body).toMatchObject({ pin: false, keep_awake: true })
})

test('allowed origins, the age app and the moving code are saved and shown again; a wrong origin is refused with its reason', async () => {
  const { page } = user
  await page.goto('/dashboard/test/settings/holder-page')
  const origins = page.getByLabel('Allowed origins')
  const save = page.getByRole('button', { name: 'Save page settings' })
  await origins.fill('https://shop.example/')
  await save.click()
  await page.getByText(/must be an https origin as a browser sends it/).waitFor()
  await origins.fill('https://shop.example\n\n http://localhost:3000 ')
  await page.getByLabel('Accept the EU age-verification app').check()
  await page.getByLabel('The QR code on the page changes every 20 seconds').check()
  await save.click()
  await page.getByText('Page settings saved.').first().waitFor()
  await page.reload()
  expect(await origins.inputValue()).toBe('https://shop.example\nhttp://localhost:3000')
  expect(await page.getByLabel('Accept the EU age-verification app').isChecked()).toBe(true)
  expect(await page.getByLabel('The QR code on the page changes every 20 seconds').isChecked()).toBe(true)
})

test('a member is invited, given another role and removed; an open invitation is withdrawn', async () => {
  const { page } = user
  await page.goto('/dashboard/test/team')
  await page.getByRole('button', { name: 'Invite' }).click()
  await page.getByLabel('E-mail address').fill('sam@example.com')
  await page.getByLabel('Support').check()
  await page.getByRole('button', { name: 'Create invitation link' }).click()
  const link = (await page.getByRole('dialog').locator('code').first().textContent()) ?? ''
  await page.getByRole('button', { name: 'I have copied it' }).click()

  await using sam = await openBrowser({ address: fixture.address })
  await sam.page.goto(link)
  await sam.page.getByLabel('Your name').fill('Sam Ortiz')
  await sam.page.getByRole('button', { name: 'Create a passkey' }).click()
  await sam.page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  // Actions that the role support may not perform are not offered.
  expect(await sam.page.getByRole('link', { name: 'Audit' }).count()).toBe(0)
  await sam.page.goto('/dashboard/test/keys')
  await sam.page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()
  expect(await sam.page.getByRole('button', { name: 'Create key' }).count()).toBe(0)

  await page.reload()
  await page.getByRole('button', { name: 'Change role of Sam Ortiz' }).click()
  await page.getByRole('dialog').getByLabel('Auditor').check()
  await page.getByRole('button', { name: 'Change role', exact: true }).click()
  await page.getByText('Sam Ortiz now has the role auditor.').first().waitFor()
  await page.getByRole('button', { name: 'Remove Sam Ortiz' }).click()
  await page.getByRole('button', { name: 'Remove member' }).click()
  await page.getByText('Sam Ortiz removed.').first().waitFor()
  await sam.page.goto('/dashboard/test/keys')
  await sam.page.getByRole('heading', { name: 'Sign in' }).waitFor()

  await fixture.invite({ email: 'lee@example.com', role: 'auditor' })
  await page.reload()
  await page.getByRole('button', { name: 'Withdraw invitation for lee@example.com' }).click()
  await page.getByRole('button', { name: 'Withdraw invitation', exact: true }).last().click()
  await page.getByText('Invitation withdrawn.').first().waitFor()
})

test('[ACCESS-2] before a member is removed or demoted the dialog lists what they set up, and afterwards what became of it', async () => {
  const { page } = user
  await using kim = await fixture.signIn({ name: 'Kim Vogt', role: 'developer' })
  const set = (path: string, body: object) =>
    kim.page.evaluate(
      `fetch('/dashboard/api/test/${path}', { method: 'POST', headers: { 'content-type': 'application/json' },
        body: ${JSON.stringify(JSON.stringify(body))} }).then(({ status }) => status)`,
    )
  const made = [
    await set('keys', { name: 'Checkout', scopes: ['verifications:read'] }),
    await set('devices', { name: 'Till at the door', allowed_templates: ['age_over_18'] }),
    await set('devices', { name: 'Till at the bar', allowed_templates: ['pid_full'] }),
    await set('webhook-endpoints', { url: 'https://8.8.8.8/kim', events: ['verification.completed'] }),
  ]
  expect(made).toEqual([201, 201, 201, 201])

  await page.goto('/dashboard/test/team')
  await page.getByRole('button', { name: 'Change role of Kim Vogt' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Support').check()
  await dialog.getByText('Till at the bar').waitFor()
  await dialog.getByLabel('Admin').check()
  await expect.poll(() => dialog.getByText('Till at the bar').count()).toBe(0)
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await page.getByRole('button', { name: 'Remove Kim Vogt' }).click()
  for (const name of ['Checkout', 'Till at the door', 'Till at the bar', '8.8.8.8'])
    await dialog.getByText(name).waitFor()
  const checked = (label: string) => dialog.getByLabel(label).isChecked()
  expect([
    await checked('Revoke these keys'),
    await checked('Revoke these devices'),
    await checked('Delete these endpoints'),
  ]).toEqual([true, true, false])
  await takeScreenshot(page, 'remove-member')
  await dialog.getByLabel('Revoke these devices').uncheck()
  await dialog.getByRole('button', { name: 'Remove member' }).click()

  await page.getByRole('heading', { name: 'Kim Vogt removed.' }).waitFor()
  const section = (heading: string) => dialog.locator('section', { hasText: heading }).getByRole('listitem')
  expect(await section('Ended').allTextContents()).toEqual(['Checkout API keys, Test'])
  expect(await section('Still works, and is now yours').allTextContents()).toEqual([
    'Till at the door Devices, Test',
    'Till at the bar Devices, Test',
    '8.8.8.8 Webhook endpoints, Test',
  ])
  await takeScreenshot(page, 'removed-member')
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
})

test('the last sign-in method cannot be removed, and signing out everywhere ends this session too', async () => {
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
