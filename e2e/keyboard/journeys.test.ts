import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { newAccessCertificate } from '../../apps/service/test/trust/access-certificate.ts'
import { newAuthority, joinPem } from '../../apps/service/test/trust/authorities.ts'
import type { Journey } from './actions.ts'
import { openBrowser, type BrowserUser } from '../fixture/browser.ts'
import { readFocus, moveFocusTo } from './focus.ts'
import { openPage } from './walk-page.ts'
import { closeDashboard, startDashboard } from '../fixture/dashboard-fixture.ts'

const fixture = await startDashboard()
const user = await fixture.signIn()
afterAll(() => closeDashboard(fixture))

/** Each to its end, by keys that are pressed and by nothing else; an address is opened as from a bookmark. */
const journeys: Record<Journey, (user: BrowserUser) => Promise<void>> = {
  async 'a test verification is made and erased'({ page }) {
    await openPage(page, { path: '/verifications', title: 'Verifications' })
    await press(page, 'New test verification')
    await typeInto(page, 'Purpose (optional)', 'By keyboard')
    await press(page, 'Create')
    await page.getByRole('heading', { level: 1, name: 'Verification', exact: true }).waitFor()
    await page.getByText('Completed', { exact: true }).waitFor()
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
    await press(page, 'Erase…')
    await press(page, 'Erase for good')
    await expectToast(page, /are gone for good/)
    expect((await fixture.merchant.get(`/v1/verifications/${id}`)).status).toBe(404)
  },
  async 'a template is duplicated'({ page }) {
    await openPage(page, { path: '/templates/age_over_18', title: 'Age over 18' })
    await press(page, 'Duplicate')
    await pressInDialog(page, 'Duplicate')
    await page.getByRole('heading', { level: 1, name: 'Age over 18 (copy)' }).waitFor()
  },
  async 'a template is written as text'({ page }) {
    await openPage(page, { path: '/templates/new', title: 'New template' })
    await typeInto(page, 'Key', 'by_keyboard')
    await typeInto(page, 'Name', 'By keyboard')
    await press(page, 'Edit as text')
    await expect.poll(async () => (await readFocus(page))?.name).toBe('JSON')
    await press(page, 'Save template')
    await page.getByRole('heading', { level: 1, name: 'By keyboard' }).waitFor()
  },
  async 'a device is registered and revoked'({ page }) {
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
    await expectToast(page, '“Bar” is revoked.')
    expect((await fixture.merchant.get('/v1/devices')).body.data[0]).toMatchObject({ status: 'revoked' })
  },
  async 'a key is made and revoked'({ page }) {
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
    await expectToast(page, '“By keyboard” is revoked.')
    expect(await call()).toBe(401)
  },
  async 'a test event is sent'({ page }) {
    await openPage(page, { path: '/webhooks', title: 'Webhooks' })
    await press(page, 'Send test event')
    await typeInto(page, 'Address', fixture.webhookReceiver.url)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByText('Delivered').waitFor()
    expect(fixture.webhookReceiver.bodies.at(-1)).toContain('webhook.test')
  },
  async 'the signing secret is rotated'({ page }) {
    await openPage(page, { path: '/webhooks?tab=secret', title: 'Webhooks' })
    await press(page, 'Rotate…')
    await press(page, 'Rotate secret')
    await page.getByRole('dialog', { name: 'Copy the new secret now' }).waitFor()
    await press(page, 'Copy secret')
    await press(page, 'I have copied it')
    await page.getByText('Both secrets sign').waitFor()
    const copied = await page.evaluate('navigator.clipboard.readText()')
    expect(copied).toMatch(/^whsec_/)
    expect(copied).not.toBe(fixture.merchant.webhook_secret)
    await expect.poll(async () => (await readFocus(page))?.name).toBe('Rotate…')
  },
  async 'somebody is invited, and the invitation withdrawn'({ page }) {
    await openPage(page, { path: '/team', title: 'Team' })
    await press(page, 'Invite')
    await typeInto(page, 'E-mail address', 'lee@example.com')
    await moveFocusTo(page, 'Developer')
    await page.keyboard.press('ArrowDown')
    await press(page, 'Make a link')
    const shown = page.getByRole('dialog', { name: 'Send them this link' })
    const link = (await shown.locator('code').first().textContent()) ?? ''
    await press(page, 'I have copied it')
    await press(page, 'Withdraw the invitation of lee@example.com')
    await press(page, 'Withdraw')
    await expectToast(page, 'The invitation is withdrawn.')
    await using lee = await openBrowser({ address: fixture.address })
    await lee.page.goto(link)
    await lee.page.getByRole('heading', { name: 'This link does not work' }).waitFor()
  },
  async 'a member is given another role and removed'({ page }) {
    await using sam = await fixture.signIn({ name: 'Sam Ortiz', role: 'support' })
    await openPage(page, { path: '/team', title: 'Team' })
    await press(page, 'Change the role of Sam Ortiz')
    await moveFocusTo(page, 'Support')
    await page.keyboard.press('ArrowDown')
    await press(page, 'Change role')
    await expectToast(page, 'Sam Ortiz is auditor now.')
    await press(page, 'Remove Sam Ortiz')
    await press(page, 'Remove member')
    await expectToast(page, 'Sam Ortiz is removed.')
    await sam.page.reload()
    await sam.page.getByRole('heading', { name: 'Sign in' }).waitFor()
  },
  async 'a certificate is put in, and taken out again'({ page }) {
    const { chain, key, client_id } = newAccessCertificate()
    await openPage(page, { path: '/settings', title: 'Settings' })
    await press(page, 'Use your own…')
    await typeInto(page, 'Chain, leaf first', chain)
    await typeInto(page, 'Private key', key)
    await press(page, 'Use this certificate')
    await page.getByText(client_id).waitFor()
    await press(page, 'Use the service’s own…')
    await press(page, 'Use the service’s own')
    await expectToast(page, /signed with the service’s certificate/)
    await expect.poll(() => page.getByText(client_id).count()).toBe(0)
  },
  async 'the verifier information is changed'({ page }) {
    await openPage(page, { path: '/settings', title: 'Settings' })
    await press(page, 'Change…')
    await typeInto(page, 'JSON', '[{"format": "registration_cert", "data": "e30"}]')
    await press(page, 'Save')
    await expectToast(page, 'The verifier information is saved.')
  },
  async 'an anchor is trusted, and removed again'({ page }) {
    await openPage(page, { path: '/settings', title: 'Settings' })
    await press(page, 'Add anchor…')
    await typeInto(page, 'Certificates', joinPem(newAuthority('Partner Root').certificate))
    await press(page, 'Read it')
    await page.getByRole('dialog').getByText('Partner Root').waitFor()
    await press(page, 'Trust it')
    await expectToast(page, 'The anchor is trusted.')
    await press(page, /^Remove .*Partner Root/)
    await press(page, 'Remove anchor')
    await expectToast(page, 'The anchor is removed.')
  },
  async 'a name is changed'({ page }) {
    await openPage(page, { path: '/account', title: 'Your account' })
    await typeInto(page, 'Name', ' the Elder')
    await page.keyboard.press('Enter')
    await expectToast(page, 'Your name is changed.')
  },
  async 'a passkey is added and another removed'(ada) {
    const { page } = ada
    await ada.replaceAuthenticator()
    await openPage(page, { path: '/account', title: 'Your account' })
    await press(page, 'Add passkey')
    await expectToast(page, 'The passkey is added.')
    await press(page, 'Remove First passkey')
    await press(page, 'Remove passkey')
    await expectToast(page, 'The passkey is removed.')
    await expect.poll(() => page.getByText('First passkey').count()).toBe(0)
  },
  async 'every session is ended'({ page }) {
    await openPage(page, { path: '/account', title: 'Your account' })
    await press(page, 'Sign out everywhere')
    await pressInDialog(page, 'Sign out everywhere')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await press(page, 'Sign in with a passkey')
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  },
}

test.for(Object.entries(journeys))('by keyboard alone: %s', ([, go]) => go(user))

test('by keyboard alone: come in by a link, and sign out', async () => {
  await using ada = await openBrowser({ address: fixture.address })
  const { page } = ada
  await page.goto(await fixture.invite({ email: 'ada@example.com' }))
  await page.getByLabel('Your name').waitFor()
  await typeInto(page, 'Your name', 'Ada Byron')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  await press(page, /Ada Byron, owner$/)
  await expect.poll(async () => (await readFocus(page))?.where).toBe('menu')
  await moveFocusTo(page, 'Sign out', 'ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
})

async function press(page: Page, name: string | RegExp): Promise<void> {
  await moveFocusTo(page, name)
  await page.keyboard.press('Enter')
}

/** Where what opened the dialog has the same name. */
async function pressInDialog(page: Page, name: string): Promise<void> {
  await expect.poll(async () => (await readFocus(page))?.where).toBe('dialog')
  await press(page, name)
}

async function typeInto(page: Page, label: string, text: string): Promise<void> {
  await moveFocusTo(page, label)
  await page.keyboard.insertText(text)
}

/** It is said, and whoever pressed the key is still somewhere. */
async function expectToast(page: Page, text: string | RegExp): Promise<void> {
  await page.getByText(text).first().waitFor()
  await expect.poll(() => readFocus(page), { message: `the focus after “${String(text)}”` }).toBeDefined()
}
