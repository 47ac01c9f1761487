import { afterAll, expect, test } from 'vitest'
import { scopes } from '@vidimus/contract'
import { sql } from '../apps/service/src/engine/db/sql.ts'
import { expirePairing } from './fixture/seed.ts'
import { closeDashboard, startDashboard } from './fixture/dashboard-fixture.ts'

const fixture = await startDashboard()
const user = await fixture.signIn()
afterAll(() => closeDashboard(fixture))

test('[DASH-1] a key is created with two scopes ticked and a chosen expiry, is shown once, works, and stops working when revoked', async () => {
  const { page } = user
  await page.getByRole('link', { name: 'API keys', exact: true }).first().click()
  await page.getByRole('button', { name: 'Create key' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').waitFor()
  expect(await dialog.getByRole('checkbox').count()).toBe(scopes.length)
  for (const scope of ['verifications:create', 'verifications:read']) {
    expect(await dialog.getByLabel(scope).isChecked()).toBe(true)
  }
  for (const scope of ['devices:manage', 'webhooks:manage', 'verifications:delete']) {
    expect(await dialog.getByLabel(scope).isChecked()).toBe(false)
  }
  expect(await dialog.getByRole('radio').count()).toBe(4)
  expect(await dialog.getByLabel('Never').isChecked()).toBe(true)
  await dialog.getByLabel('Name').fill('Web shop')
  await dialog.getByLabel('After 90 days').check()
  await dialog.getByRole('button', { name: 'Create key' }).click()

  const shown = page.getByRole('dialog', { name: 'Copy your key now' })
  const secret = (await shown.locator('code').first().textContent()) ?? ''
  expect(secret).toMatch(/^vk_test_/)
  const call = () =>
    fetch(`${fixture.address}/v1/usage`, { headers: { authorization: `Bearer ${secret}` } }).then(
      ({ status }) => status,
    )
  expect(await call()).toBe(200)
  // Escape would lose it.
  await page.keyboard.press('Escape')
  await shown.getByText('Close without copying? It is not shown again.').waitFor()
  await shown.getByRole('button', { name: 'Go back' }).click()
  await shown.getByText(secret, { exact: true }).waitFor()
  await shown.getByRole('button', { name: 'I have copied it' }).click()
  await expect.poll(() => page.content()).not.toContain(secret)

  await page.getByRole('button', { name: 'Revoke Web shop' }).click()
  await page.getByRole('button', { name: 'Revoke key' }).click()
  await page.getByText('“Web shop” revoked.').first().waitFor()
  expect(await call()).toBe(401)
})

test('[DASH-2] [HOOK-10] the secret is revealed on request, rotated and shown once, and for 24 hours both secrets sign', async () => {
  const { page } = user
  await page.goto('/dashboard/test/webhooks?tab=secret')
  expect(await page.content()).not.toContain(fixture.merchant.webhook_secret)
  await page.getByRole('button', { name: 'Show secret' }).click()
  await page.getByText(fixture.merchant.webhook_secret).waitFor()

  await page.getByRole('button', { name: 'Rotate…' }).click()
  await page.getByRole('button', { name: 'Rotate secret' }).click()
  const shown = page.getByRole('dialog', { name: 'Copy the new secret now' })
  const secret = (await shown.locator('code').first().textContent()) ?? ''
  expect(secret).toMatch(/^whsec_/)
  expect(secret).not.toBe(fixture.merchant.webhook_secret)
  await shown.getByRole('button', { name: 'I have copied it' }).click()

  await page.getByText('Rotation in progress').waitFor()
  expect(await page.getByRole('timer').textContent()).toMatch(/^2[34]:/)
  await expect.poll(() => page.content()).not.toContain(secret)
})

test('[HOOK-7] the log shows every attempt, an event can be resent, and claims are revealed only on request', async () => {
  const { page } = user
  const id = await fixture.createCompletedVerification('adult', { webhook_url: fixture.webhookReceiver.url })
  await page.goto('/dashboard/test/webhooks')
  await page.getByRole('link', { name: new RegExp(id.slice(0, 12)) }).click()
  await page.getByText('Delivered').first().waitFor()
  expect(await page.getByText('"age_over_18": true').count()).toBe(0)
  await page.getByRole('button', { name: 'Show claims' }).click()
  await page.getByText('"age_over_18": true').first().waitFor()

  const before = fixture.webhookReceiver.bodies.length
  await page.getByRole('button', { name: 'Resend' }).click()
  await page.getByText('Attempt 2').waitFor()
  expect(fixture.webhookReceiver.bodies.length).toBe(before + 1)
})

test('an event that was forwarded to `vidimus listen` is in the log and marked as such', async () => {
  const { page } = user
  const { body } = await fixture.merchant.post('/v1/verifications', { template: 'age_over_18' })
  const id: string = body.id
  // As if a listener had received the event and not reported back yet.
  await fixture.service.ctx.db.execute(sql`
    insert into webhook_forwards (verification_day, verification_id, tenant_id, listener_id, sent_at)
    values (service_day(), ${id}, ${fixture.merchant.tenant_id}, gen_random_uuid(), service_now())`)

  await page.goto('/dashboard/test/webhooks')
  const row = page.getByRole('row').filter({ hasText: id.slice(0, 16) })
  await row.getByText('Forwarded by listen').waitFor()
  await row.getByText('Not reported').waitFor()
  await row.getByRole('link').click()
  await page.waitForURL(`**/verifications/${id}`)
})

test('a test event is sent and signed; the debugger accepts it and explains why a changed one does not match', async () => {
  const { page } = user
  await page.goto('/dashboard/test/webhooks?tab=debugger')
  await page.getByRole('button', { name: 'Send test event' }).click()
  await page.getByLabel('URL').fill(fixture.webhookReceiver.url)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('dialog').getByText('Delivered').waitFor()
  const [line = '', body = ''] = ((await page.getByRole('dialog').locator('pre').textContent()) ?? '').split(
    '\n\n',
  )
  await page.getByRole('button', { name: 'Cancel' }).click()

  await page.getByRole('tab', { name: 'Signing secret' }).click()
  await page.getByRole('button', { name: 'Show secret' }).click()
  await page.getByRole('button', { name: 'Copy secret' }).waitFor()
  const secret = (await page.locator('code', { hasText: 'whsec_' }).first().textContent()) ?? ''
  await page.getByRole('tab', { name: 'Signature debugger' }).click()
  await page.getByLabel('X-Service-Signature').fill(line)
  await page.getByLabel('Raw body').fill(body)
  await page.getByLabel('Signing secret', { exact: true }).last().fill(secret)
  await page.getByRole('button', { name: 'Check signature' }).click()
  await page.getByText(/The signature matches/).waitFor()

  await page.getByLabel('Raw body').fill(JSON.stringify(JSON.parse(body), undefined, 2))
  await page.getByRole('button', { name: 'Check signature' }).click()
  await page.getByText(/parsed and re-serialised/).waitFor()
})

test('a device is registered, shows its code until it is paired, and stops working when revoked', async () => {
  const { page } = user
  await page.goto('/dashboard/test/devices')
  await page.getByRole('button', { name: 'Register device' }).first().click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Bar, left till')
  await page.getByLabel('Age over 18', { exact: true }).check()
  await page.getByRole('button', { name: 'Register and show code' }).click()
  await page.getByRole('img', { name: /QR code/ }).waitFor()
  const code = (await page.getByText(/^VD-/).textContent()) ?? ''
  expect(await page.getByRole('timer').textContent()).toMatch(/^1[45]:/)

  const enrolled = await fixture.service.anonymous.post('/v1/devices/enroll', { pairing_code: code })
  expect(enrolled.status).toBe(200)
  await page.getByRole('heading', { name: 'Bar, left till is paired' }).waitFor()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByText('Paired', { exact: true }).waitFor()

  await page.getByRole('button', { name: 'Revoke Bar, left till' }).click()
  await page.getByText(/All its tokens stop working/).waitFor()
  await page.getByRole('button', { name: 'Revoke device' }).click()
  await page.getByText('“Bar, left till” revoked.').first().waitFor()
  const refreshed = await fixture.service.anonymous.post('/v1/devices/token', {
    refresh_token: enrolled.body.refresh_token,
  })
  expect(refreshed.status).toBe(400)
})

test('an unused pairing code is shown as expired, in its dialog and in the list', async () => {
  const { page } = user
  await page.goto('/dashboard/test/devices')
  await page.getByRole('button', { name: 'Register device' }).first().click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Door, tablet')
  await page.getByLabel('Age over 18', { exact: true }).check()
  await page.clock.install()
  await page.getByRole('button', { name: 'Register and show code' }).click()
  const code = (await page.getByText(/^VD-/).textContent()) ?? ''
  await page.clock.runFor(16 * 60_000)
  await page.getByText('The code has expired. Create a new one.').waitFor()
  await expect.poll(() => page.getByText(code).count()).toBe(0)
  await page.getByRole('button', { name: 'Done' }).click()

  const { id } = (await fixture.merchant.get('/v1/devices')).body.data[0]
  await expirePairing(fixture.service, id)
  await page.goto('/dashboard/test/devices')
  const row = page.getByRole('row', { name: /Door, tablet/ })
  await row.getByText('Code expired').waitFor()
  await row.getByText('Create a new code').waitFor()
  expect((await fixture.service.anonymous.post('/v1/devices/enroll', { pairing_code: code })).status).toBe(
    400,
  )
})
