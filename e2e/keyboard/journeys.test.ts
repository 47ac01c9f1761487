import { afterAll, expect, test } from 'vitest'
import { sql } from '../../apps/service/src/engine/db/sql.ts'
import { newAccessCertificate } from '../../apps/service/test/trust/access-certificate.ts'
import { newRegistration } from '../../apps/service/test/trust/registrations.ts'
import { setIdentity } from '../../apps/service/src/trust/identity/set-identity.ts'
import { requestErasure } from '../../apps/service/src/verifications/erasure-requests/request-erasure.ts'
import { newAuthority, joinPem } from '../../apps/service/test/trust/authorities.ts'
import type { Journey } from './actions.ts'
import { openBrowser, type BrowserUser } from '../fixture/browser.ts'
import { readFocus, moveFocusTo } from './focus.ts'
import { expectToast, press, pressInDialog, typeInto } from './press.ts'
import { openPage, pages, waitUntilLoaded } from '../fixture/pages.ts'
import { webhookJourneys } from './webhook-journeys.ts'
import { closeDashboard, startDashboard } from '../fixture/dashboard-fixture.ts'

const fixture = await startDashboard()
const user = await fixture.signIn()
afterAll(() => closeDashboard(fixture))

/** Each journey uses the keyboard only; the first page is opened by its address. */
const journeys: Record<Journey, (user: BrowserUser) => Promise<void>> = {
  ...webhookJourneys(fixture),
  async 'create and erase a test verification'({ page }) {
    await openPage(page, { path: '/verifications', title: 'Verifications' })
    await press(page, 'New test verification')
    await typeInto(page, 'Purpose (optional)', 'By keyboard')
    await press(page, 'Create verification')
    await page.getByRole('heading', { level: 1, name: 'Verification', exact: true }).waitFor()
    await page.getByText('Completed', { exact: true }).waitFor()
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
    await press(page, 'Erase…')
    await press(page, 'Erase permanently')
    await expectToast(page, /^Verification erased/)
    expect((await fixture.merchant.get(`/v1/verifications/${id}`)).status).toBe(404)
  },
  async 'duplicate a template'({ page }) {
    await openPage(page, { path: '/templates/age_over_18', title: 'Age over 18' })
    await press(page, 'Duplicate')
    await pressInDialog(page, 'Duplicate')
    await page.getByRole('heading', { level: 1, name: 'Age over 18 (copy)' }).waitFor()
  },
  async 'edit a template as JSON'({ page }) {
    await openPage(page, { path: '/templates/new', title: 'New template' })
    await typeInto(page, 'Name', 'By keyboard')
    await typeInto(page, 'Key', '_2')
    await press(page, 'Edit as JSON')
    await expect.poll(async () => (await readFocus(page))?.name).toBe('JSON')
    await press(page, 'Save template')
    await page.getByRole('heading', { level: 1, name: 'By keyboard' }).waitFor()
  },
  async 'delete a template'({ page }) {
    await openPage(page, { path: '/templates/age_over_16', title: 'Age over 16' })
    await press(page, 'Duplicate')
    await pressInDialog(page, 'Duplicate')
    await page.getByRole('heading', { level: 1, name: 'Age over 16 (copy)' }).waitFor()
    await openPage(page, { path: '/templates', title: 'Templates' })
    await press(page, 'Delete Age over 16 (copy)')
    await press(page, 'Delete template')
    await expectToast(page, '“Age over 16 (copy)” deleted.')
    const refused = await fixture.merchant.post('/v1/verifications', { template: 'my_age_over_16' })
    expect(refused.body.error.code).toBe('unknown_template')
  },
  async 'edit a device and pair it again'({ page }) {
    const { device, pairing_code } = (
      await fixture.merchant.post('/v1/devices', { name: 'Cellar', allowed_templates: ['age_over_18'] })
    ).body
    const { body: tokens } = await fixture.service.anonymous.post('/v1/devices/enroll', { pairing_code })
    await openPage(page, { path: '/devices', title: 'Devices' })
    await press(page, 'Edit Cellar')
    await typeInto(page, 'Name', 'Cellar, left')
    await moveFocusTo(page, 'Age over 16')
    await page.keyboard.press('Space')
    await press(page, 'Save device')
    await expectToast(page, '“Cellar, left” saved.')
    const read = async () =>
      (await fixture.merchant.get('/v1/devices')).body.data.find(({ id }: { id: string }) => id === device.id)
    expect(await read()).toMatchObject({
      name: 'Cellar, left',
      allowed_templates: ['age_over_18', 'age_over_16'],
    })
    await press(page, 'New code for Cellar, left')
    await press(page, 'Create code')
    await page.getByText(/^VD-/).waitFor()
    const refused = await fetch(`${fixture.address}/v1/verifications`, {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    })
    expect(refused.status).toBe(401)
    await press(page, 'Done')
    expect(await read()).toMatchObject({ status: 'pending' })
  },
  async 'register and revoke a device'({ page }) {
    await openPage(page, { path: '/devices', title: 'Devices' })
    await press(page, 'Register device')
    await typeInto(page, 'Name', 'Bar')
    await moveFocusTo(page, 'Age over 18')
    await page.keyboard.press('Space')
    await press(page, 'Register and show code')
    await page.getByText(/^VD-/).waitFor()
    await press(page, 'Done')
    await expect.poll(async () => (await readFocus(page))?.name).toBe('Register device')
    await press(page, 'Revoke Bar')
    await press(page, 'Revoke device')
    await expectToast(page, '“Bar” revoked.')
    expect((await fixture.merchant.get('/v1/devices')).body.data[0]).toMatchObject({ status: 'revoked' })
  },
  async 'create, edit, deactivate and delete a link'({ page }) {
    await openPage(page, pages.links)
    await press(page, 'Create link')
    await typeInto(page, 'Name', 'By keyboard')
    await press(page, 'Create link')
    await waitUntilLoaded(page, 'By keyboard')
    const address = (await page.locator('code').first().textContent()) ?? ''
    const open = async () => (await fetch(address)).status
    expect(await open()).toBe(200)
    await press(page, 'Edit')
    await typeInto(page, 'Purpose', 'Age check')
    await press(page, 'Save')
    await expectToast(page, 'Link saved.')
    await press(page, 'Deactivate')
    await expectToast(page, 'Link deactivated.')
    expect(await open()).toBe(410)
    await press(page, 'Delete')
    await press(page, 'Delete link')
    await expectToast(page, '“By keyboard” deleted.')
    expect(await open()).toBe(404)
  },
  async 'refuse what a holder asks, and erase it'({ page }) {
    const { service, merchant } = fixture
    const ids = await Promise.all(
      [1, 2].map(async () => (await merchant.post('/v1/verifications', { template: 'age_over_18' })).body.id),
    )
    for (const id of ids)
      await requestErasure(service.ctx, {
        tenant_id: merchant.tenant_id,
        id,
        reference_hash: Buffer.alloc(32),
        mode: 'ask_merchant',
      })
    await openPage(page, pages.erasures)
    await press(page, 'Refuse…')
    await press(page, 'Refuse')
    await expectToast(page, 'Request refused.')
    await press(page, 'Erase…')
    await press(page, 'Erase permanently')
    await expectToast(page, 'Verification erased.')
    const { body } = await merchant.get('/v1/erasure_requests')
    expect(body.data).toEqual([])
  },
  async 'create and revoke a key'({ page }) {
    await openPage(page, { path: '/keys', title: 'API keys' })
    await press(page, 'Create key')
    await typeInto(page, 'Name', 'By keyboard')
    await moveFocusTo(page, 'verifications:delete')
    await page.keyboard.press('Space')
    await moveFocusTo(page, 'Never')
    await page.keyboard.press('ArrowDown')
    await press(page, 'Create key')
    const shown = page.getByRole('dialog', { name: 'Copy your key now' })
    const key = (await shown.locator('code').first().textContent()) ?? ''
    await press(page, 'I have copied it')
    await expect.poll(async () => (await readFocus(page))?.name).toBe('Create key')
    const call = async () =>
      (await fetch(`${fixture.address}/v1/usage`, { headers: { authorization: `Bearer ${key}` } })).status
    expect(await call()).toBe(200)
    await press(page, 'Revoke By keyboard')
    await press(page, 'Revoke key')
    await expectToast(page, '“By keyboard” revoked.')
    expect(await call()).toBe(401)
  },
  async 'roll a key'({ page }) {
    const old = await fixture.merchant.as({ scopes: ['verifications:read'] })
    await fixture.service.ctx.db.execute(sql`update api_keys set name = 'Rolling' where id = ${old.key_id}`)
    await openPage(page, { path: '/keys', title: 'API keys' })
    await press(page, 'Roll Rolling')
    await moveFocusTo(page, 'For 24 hours')
    for (let step = 0; step < 2; step += 1) await page.keyboard.press('ArrowUp')
    await press(page, 'Roll key')
    const shown = page.getByRole('dialog', { name: 'Copy your key now' })
    const key = (await shown.locator('code').first().textContent()) ?? ''
    await press(page, 'I have copied it')
    const call = async (secret: string) =>
      (await fetch(`${fixture.address}/v1/usage`, { headers: { authorization: `Bearer ${secret}` } })).status
    expect([await call(old.key), await call(key)]).toEqual([401, 200])
  },
  async 'invite a member and withdraw the invitation'({ page }) {
    await openPage(page, { path: '/team', title: 'Team' })
    await press(page, 'Invite member')
    await typeInto(page, 'E-mail address', 'lee@example.com')
    await moveFocusTo(page, 'Developer')
    await page.keyboard.press('ArrowDown')
    await press(page, 'Create invitation link')
    const shown = page.getByRole('dialog', { name: 'Invitation link' })
    const link = (await shown.locator('code').first().textContent()) ?? ''
    await press(page, 'I have copied it')
    await press(page, 'Withdraw invitation for lee@example.com')
    await press(page, 'Withdraw invitation')
    await expectToast(page, 'Invitation withdrawn.')
    await using lee = await openBrowser({ address: fixture.address })
    await lee.page.goto(link)
    await lee.page.getByRole('heading', { name: 'This link does not work' }).waitFor()
  },
  async 'change the role of a member and remove them'({ page }) {
    await using sam = await fixture.signIn({ name: 'Sam Ortiz', role: 'support' })
    await openPage(page, { path: '/team', title: 'Team' })
    await press(page, 'Change role of Sam Ortiz')
    await moveFocusTo(page, 'Support')
    await page.keyboard.press('ArrowDown')
    // What the member set up is read first.
    const whenEnabled = (name: string) =>
      page.getByRole('button', { name, exact: true, disabled: false }).waitFor()
    await whenEnabled('Change role')
    await press(page, 'Change role')
    await expectToast(page, 'Sam Ortiz now has the role auditor.')
    await press(page, 'Remove Sam Ortiz')
    await whenEnabled('Remove member')
    await press(page, 'Remove member')
    await expectToast(page, 'Sam Ortiz removed.')
    await sam.page.reload()
    await sam.page.getByRole('heading', { name: 'Sign in' }).waitFor()
  },
  async 'set and remove a certificate'({ page }) {
    const { chain, key, client_id } = newAccessCertificate()
    await openPage(page, pages['settings-identity'])
    await press(page, 'Use your own…')
    await typeInto(page, 'Certificate chain, leaf first', chain)
    await typeInto(page, 'Private key', key)
    await press(page, 'Use this certificate')
    await page.getByText(client_id).waitFor()
    await press(page, 'Use the service’s…')
    await press(page, 'Use the service’s certificate')
    await expectToast(page, /signed with the service’s certificate/)
    await expect.poll(() => page.getByText(client_id).count()).toBe(0)
  },
  async 'add, choose and remove a registration'({ page }) {
    const { ctx } = fixture.service
    const { tenant_id } = fixture.merchant
    await setIdentity(ctx, { tenant_id, certificate: newAccessCertificate({ identifier: 'NTRUT-1234' }) })
    const add = async (name: string) => {
      await openPage(page, { path: '/registrations', title: 'Registrations' })
      await press(page, 'Add registration')
      await typeInto(page, 'Registration certificate', newRegistration({ intended_use_id: name }))
      await typeInto(page, 'Name (optional)', name)
      await press(page, 'Check certificate')
      await page.getByText('It can be added.').waitFor()
      await press(page, 'Add registration')
      await expectToast(page, 'Registration added.')
      await page.getByRole('heading', { level: 1, name }).waitFor()
    }
    await add('Age check')
    await add('Name check')
    await press(page, 'Make default')
    await page.getByRole('dialog').waitFor()
    await press(page, 'Make default')
    await expectToast(page, '“Name check” is the default now.')

    await openPage(page, { path: '/templates/age_over_18', title: 'Age over 18' })
    await moveFocusTo(page, 'Ask under')
    await page.keyboard.type('Age')
    await press(page, 'Save registration')
    await expectToast(page, 'Registration of the template saved.')

    await openPage(page, { path: '/registrations', title: 'Registrations' })
    await press(page, 'Name check')
    await page.getByRole('heading', { level: 1, name: 'Name check' }).waitFor()
    await press(page, 'Remove…')
    await press(page, 'Remove registration')
    await expectToast(page, '“Name check” removed.')
    await page.getByRole('heading', { level: 1, name: 'Registrations' }).waitFor()
    await setIdentity(ctx, { tenant_id, certificate: null })
  },
  async 'add and remove a trust anchor'({ page }) {
    await openPage(page, pages['settings-trust'])
    await press(page, 'Add anchor…')
    await typeInto(page, 'Certificates', joinPem(newAuthority('Partner Root').certificate))
    await press(page, 'Review certificate')
    await page.getByRole('dialog').getByText('Partner Root').waitFor()
    await press(page, 'Trust certificate')
    await expectToast(page, 'Anchor added.')
    await press(page, /^Remove .*Partner Root/)
    await press(page, 'Remove anchor')
    await expectToast(page, 'Anchor removed.')
  },
  async 'add and remove a certificate for other wallets'({ page }) {
    const { chain, key } = newAccessCertificate()
    await openPage(page, pages['settings-identity'])
    await press(page, 'Add certificate…')
    await moveFocusTo(page, 'Wallets')
    await page.keyboard.type('Apple')
    await typeInto(page, 'Certificate chain, leaf first', chain)
    await typeInto(page, 'Private key', key)
    await press(page, 'Use this certificate')
    await press(page, 'Remove the certificate for Apple Wallet')
    await press(page, 'Remove certificate')
    await page.getByText('There is none: only wallets that trust the access certificate respond.').waitFor()
  },
  async 'allow and end the access of the support'({ page }) {
    await openPage(page, { path: '/settings/support', title: 'Settings' })
    await press(page, 'Allow for 24 hours')
    await expectToast(page, 'Support may look for 24 hours.')
    await press(page, 'End access')
    await expectToast(page, 'Support may no longer look.')
  },
  async 'change the name'({ page }) {
    await openPage(page, { path: '/account', title: 'Your account' })
    await typeInto(page, 'Name', ' the Elder')
    await page.keyboard.press('Enter')
    await expectToast(page, 'Name saved.')
  },
  async 'add a passkey and remove another'(ada) {
    const { page } = ada
    await ada.replaceAuthenticator()
    await openPage(page, { path: '/account', title: 'Your account' })
    await press(page, 'Add passkey')
    await expectToast(page, 'Passkey added.')
    await press(page, 'Remove First passkey')
    await press(page, 'Remove passkey')
    await expectToast(page, 'Passkey removed.')
    await expect.poll(() => page.getByText('First passkey').count()).toBe(0)
  },
  async 'sign out everywhere'({ page }) {
    await openPage(page, { path: '/account', title: 'Your account' })
    await press(page, 'Sign out everywhere')
    await pressInDialog(page, 'Sign out everywhere')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await press(page, 'Sign in with a passkey')
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  },
}

test.for(Object.entries(journeys))('by keyboard: %s', ([, go]) => go(user))

test('by keyboard: accept an invitation and sign out', async () => {
  await using ada = await openBrowser({ address: fixture.address })
  const { page } = ada
  await page.goto(await fixture.invite({ email: 'ada@example.com' }))
  await page.getByLabel('Your name').waitFor()
  await typeInto(page, 'Your name', 'Ada Byron')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  await press(page, /Ada Byron, Owner$/)
  await expect.poll(async () => (await readFocus(page))?.where).toBe('menu')
  await moveFocusTo(page, 'Sign out', 'ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
})
