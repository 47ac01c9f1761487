import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { newAccessCertificate } from '../apps/service/test/trust/access-certificate.ts'
import { newAuthority, joinPem } from '../apps/service/test/trust/authorities.ts'
import type { Journey } from './actions.ts'
import { visit, type Visitor } from './browser.ts'
import { focused, reach } from './keyboard.ts'
import { open } from './walk.ts'
import { leave, startWorld } from './world.ts'

const world = await startWorld()
const visitor = await world.enter()
afterAll(() => leave(world))

/** Each to its end, by keys that are pressed and by nothing else; an address is opened as from a bookmark. */
const journeys: Record<Journey, (visitor: Visitor) => Promise<void>> = {
  async 'a test verification is made and erased'({ page }) {
    await open(page, { path: '/verifications', title: 'Verifications' })
    await press(page, 'New test verification')
    await write(page, 'Purpose (optional)', 'By keyboard')
    await press(page, 'Create')
    await page.getByRole('heading', { level: 1, name: 'Verification', exact: true }).waitFor()
    await page.getByText('Completed', { exact: true }).waitFor()
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
    await press(page, 'Erase…')
    await press(page, 'Erase for good')
    await told(page, /are gone for good/)
    expect((await world.merchant.get(`/v1/verifications/${id}`)).status).toBe(404)
  },
  async 'a template is duplicated'({ page }) {
    await open(page, { path: '/templates/age_over_18', title: 'Age over 18' })
    await press(page, 'Duplicate')
    await pressInDialog(page, 'Duplicate')
    await page.getByRole('heading', { level: 1, name: 'Age over 18 (copy)' }).waitFor()
  },
  async 'a template is written as text'({ page }) {
    await open(page, { path: '/templates/new', title: 'New template' })
    await write(page, 'Key', 'by_keyboard')
    await write(page, 'Name', 'By keyboard')
    await press(page, 'Edit as text')
    await expect.poll(async () => (await focused(page))?.name).toBe('JSON')
    await press(page, 'Save template')
    await page.getByRole('heading', { level: 1, name: 'By keyboard' }).waitFor()
  },
  async 'a device is registered and revoked'({ page }) {
    await open(page, { path: '/devices', title: 'Devices' })
    await press(page, 'Register device')
    await write(page, 'Name', 'Bar')
    await reach(page, 'Age over 18')
    await page.keyboard.press('Space')
    await press(page, 'Register and show code')
    await page.getByText(/^VD-/).waitFor()
    await press(page, 'Done')
    await expect.poll(async () => (await focused(page))?.name).toBe('Register device')
    await press(page, 'Revoke Bar')
    await press(page, 'Revoke device')
    await told(page, '“Bar” is revoked.')
    expect((await world.merchant.get('/v1/devices')).body.data[0]).toMatchObject({ status: 'revoked' })
  },
  async 'a key is made and revoked'({ page }) {
    await open(page, { path: '/keys', title: 'API keys' })
    await press(page, 'Create key')
    await write(page, 'Name', 'By keyboard')
    await reach(page, 'verifications:delete')
    await page.keyboard.press('Space')
    await reach(page, 'Never')
    await page.keyboard.press('ArrowDown')
    await press(page, 'Create key')
    const shown = page.getByRole('dialog', { name: 'Copy your key now' })
    const key = (await shown.locator('code').first().textContent()) ?? ''
    await press(page, 'I have copied it')
    await expect.poll(async () => (await focused(page))?.name).toBe('Create key')
    const call = async () =>
      (await fetch(`${world.address}/v1/usage`, { headers: { authorization: `Bearer ${key}` } })).status
    expect(await call()).toBe(200)
    await press(page, 'Revoke By keyboard')
    await press(page, 'Revoke key')
    await told(page, '“By keyboard” is revoked.')
    expect(await call()).toBe(401)
  },
  async 'a test event is sent'({ page }) {
    await open(page, { path: '/webhooks', title: 'Webhooks' })
    await press(page, 'Send test event')
    await write(page, 'Address', world.hook.url)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByText('Delivered').waitFor()
    expect(world.hook.bodies.at(-1)).toContain('webhook.test')
  },
  async 'the signing secret is rotated'({ page }) {
    await open(page, { path: '/webhooks?tab=secret', title: 'Webhooks' })
    await press(page, 'Rotate…')
    await press(page, 'Rotate secret')
    await page.getByRole('dialog', { name: 'Copy the new secret now' }).waitFor()
    await press(page, 'Copy secret')
    await press(page, 'I have copied it')
    await page.getByText('Both secrets sign').waitFor()
    const copied = await page.evaluate('navigator.clipboard.readText()')
    expect(copied).toMatch(/^whsec_/)
    expect(copied).not.toBe(world.merchant.webhook_secret)
    await expect.poll(async () => (await focused(page))?.name).toBe('Rotate…')
  },
  async 'somebody is invited, and the invitation withdrawn'({ page }) {
    await open(page, { path: '/team', title: 'Team' })
    await press(page, 'Invite')
    await write(page, 'E-mail address', 'lee@example.com')
    await reach(page, 'Developer')
    await page.keyboard.press('ArrowDown')
    await press(page, 'Make a link')
    const shown = page.getByRole('dialog', { name: 'Send them this link' })
    const link = (await shown.locator('code').first().textContent()) ?? ''
    await press(page, 'I have copied it')
    await press(page, 'Withdraw the invitation of lee@example.com')
    await press(page, 'Withdraw')
    await told(page, 'The invitation is withdrawn.')
    await using lee = await visit({ address: world.address })
    await lee.page.goto(link)
    await lee.page.getByRole('heading', { name: 'This link does not work' }).waitFor()
  },
  async 'a member is given another role and removed'({ page }) {
    await using sam = await world.enter({ name: 'Sam Ortiz', role: 'support' })
    await open(page, { path: '/team', title: 'Team' })
    await press(page, 'Change the role of Sam Ortiz')
    await reach(page, 'Support')
    await page.keyboard.press('ArrowDown')
    await press(page, 'Change role')
    await told(page, 'Sam Ortiz is auditor now.')
    await press(page, 'Remove Sam Ortiz')
    await press(page, 'Remove member')
    await told(page, 'Sam Ortiz is removed.')
    await sam.page.reload()
    await sam.page.getByRole('heading', { name: 'Sign in' }).waitFor()
  },
  async 'a certificate is put in, and taken out again'({ page }) {
    const { chain, key, client_id } = newAccessCertificate()
    await open(page, { path: '/settings', title: 'Settings' })
    await press(page, 'Use your own…')
    await write(page, 'Chain, leaf first', chain)
    await write(page, 'Private key', key)
    await press(page, 'Use this certificate')
    await page.getByText(client_id).waitFor()
    await press(page, 'Use the service’s own…')
    await press(page, 'Use the service’s own')
    await told(page, /signed with the service’s certificate/)
    await expect.poll(() => page.getByText(client_id).count()).toBe(0)
  },
  async 'the verifier information is changed'({ page }) {
    await open(page, { path: '/settings', title: 'Settings' })
    await press(page, 'Change…')
    await write(page, 'JSON', '[{"format": "registration_cert", "data": "e30"}]')
    await press(page, 'Save')
    await told(page, 'The verifier information is saved.')
  },
  async 'an anchor is trusted, and removed again'({ page }) {
    await open(page, { path: '/settings', title: 'Settings' })
    await press(page, 'Add anchor…')
    await write(page, 'Certificates', joinPem(newAuthority('Partner Root').certificate))
    await press(page, 'Read it')
    await page.getByRole('dialog').getByText('Partner Root').waitFor()
    await press(page, 'Trust it')
    await told(page, 'The anchor is trusted.')
    await press(page, /^Remove .*Partner Root/)
    await press(page, 'Remove anchor')
    await told(page, 'The anchor is removed.')
  },
  async 'a name is changed'({ page }) {
    await open(page, { path: '/account', title: 'Your account' })
    await write(page, 'Name', ' the Elder')
    await page.keyboard.press('Enter')
    await told(page, 'Your name is changed.')
  },
  async 'a passkey is added and another removed'(ada) {
    const { page } = ada
    await ada.changeAuthenticator()
    await open(page, { path: '/account', title: 'Your account' })
    await press(page, 'Add passkey')
    await told(page, 'The passkey is added.')
    await press(page, 'Remove First passkey')
    await press(page, 'Remove passkey')
    await told(page, 'The passkey is removed.')
    await expect.poll(() => page.getByText('First passkey').count()).toBe(0)
  },
  async 'every session is ended'({ page }) {
    await open(page, { path: '/account', title: 'Your account' })
    await press(page, 'Sign out everywhere')
    await pressInDialog(page, 'Sign out everywhere')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await press(page, 'Sign in with a passkey')
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  },
}

test.for(Object.entries(journeys))('by keyboard alone: %s', ([, go]) => go(visitor))

test('by keyboard alone: come in by a link, and sign out', async () => {
  await using ada = await visit({ address: world.address })
  const { page } = ada
  await page.goto(await world.invite({ email: 'ada@example.com' }))
  await page.getByLabel('Your name').waitFor()
  await write(page, 'Your name', 'Ada Byron')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  await press(page, /Ada Byron, owner$/)
  await expect.poll(async () => (await focused(page))?.where).toBe('menu')
  await reach(page, 'Sign out', 'ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
})

async function press(page: Page, name: string | RegExp): Promise<void> {
  await reach(page, name)
  await page.keyboard.press('Enter')
}

/** Where what opened the dialog has the same name. */
async function pressInDialog(page: Page, name: string): Promise<void> {
  await expect.poll(async () => (await focused(page))?.where).toBe('dialog')
  await press(page, name)
}

async function write(page: Page, label: string, text: string): Promise<void> {
  await reach(page, label)
  await page.keyboard.insertText(text)
}

/** It is said, and whoever pressed the key is still somewhere. */
async function told(page: Page, text: string | RegExp): Promise<void> {
  await page.getByText(text).first().waitFor()
  await expect.poll(() => focused(page), { message: `the focus after “${String(text)}”` }).toBeDefined()
}
