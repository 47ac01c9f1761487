import { afterAll, beforeAll, expect, test } from 'vitest'
import { authenticateClient } from '../apps/service/src/holder/openid-provider/clients/authenticate-client.ts'
import { findViolations } from './fixture/axe.ts'
import type { BrowserUser } from './fixture/browser.ts'
import { closeDashboard, startDashboard, type DashboardFixture } from './fixture/dashboard-fixture.ts'
import { takeScreenshot } from './fixture/screenshot.ts'

let fixture: DashboardFixture
let user: BrowserUser

beforeAll(async () => {
  fixture = await startDashboard()
  user = await fixture.signIn()
})
afterAll(() => closeDashboard(fixture))

const sizes = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
] as const

/** Checks what is shown at desktop and phone width, in both themes. */
async function checkEveryLook(name: string): Promise<void> {
  const { page } = user
  for (const size of sizes) {
    await page.setViewportSize(size)
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      await expect.poll(() => findViolations(page)).toEqual([])
      await takeScreenshot(page, `${name}-${colorScheme}-${size.width}`, false)
    }
  }
  const overflow = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
  expect(overflow).toBe(0)
  await page.setViewportSize(sizes[0])
}

test('a member creates a client, copies what to enter at the site, rolls its secret and deletes it by name', async () => {
  const { page } = user
  const { tenant_id } = fixture.merchant
  await page.goto('/dashboard/test/openid-clients')
  await page.getByText('No OpenID clients yet').waitFor()
  await page.getByText('This is verification, not login').waitFor()
  await checkEveryLook('openid-clients-empty')

  await page.getByRole('button', { name: 'Create client' }).first().click()
  const form = page.getByRole('dialog', { name: 'Create a test client' })
  await form.getByRole('button', { name: 'Create client' }).click()
  for (const missing of ['Enter a name.', 'Enter at least one address.', 'Select at least one template.'])
    await form.getByText(missing).waitFor()
  await form.getByLabel('Name', { exact: true }).fill('Web shop')
  await form.getByLabel('Redirect addresses').fill('http://shop.example/callback')
  await form.getByRole('checkbox', { name: 'Age over 18', exact: true }).check()
  await form.getByRole('button', { name: 'Create client' }).click()
  await form.getByText('must be https, except for localhost').waitFor()
  await checkEveryLook('openid-clients-form')
  await form.getByLabel('Redirect addresses').fill('https://shop.example/callback')
  await form.getByRole('button', { name: 'Create client' }).click()

  const values = page.getByRole('dialog', { name: 'Copy the secret now' })
  const read = (name: string) => values.getByRole('group', { name, exact: true }).locator('code').innerText()
  const [issuer, client_id, secret] = [
    await read('Issuer'),
    await read('Client ID'),
    await read('Client secret'),
  ]
  expect(issuer).toMatch(new RegExp(`^${fixture.address}/oidc/.?${tenant_id}$`))
  expect(await read('Discovery address')).toBe(`${issuer}/.well-known/openid-configuration`)
  expect(await read('Scope')).toBe('openid vidimus:age_over_18')
  const accepts = async (presented: string) =>
    (await authenticateClient(fixture.service.ctx, { tenant_id, client_id, secret: presented })) !== undefined
  expect(await accepts(secret)).toBe(true)
  await checkEveryLook('openid-clients-values')
  await values.getByRole('button', { name: 'I have copied it' }).click()

  await page.getByRole('button', { name: 'Edit Web shop' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit client' })
  const anyDevice = edit.getByLabel('Accept a wallet on another device')
  expect(await anyDevice.count()).toBe(0)
  await edit.getByLabel('Claim for the subject').fill('email')
  expect(await anyDevice.isChecked()).toBe(false)
  await edit.getByText('the sender is signed in as them').waitFor()
  await edit.getByRole('button', { name: 'Save' }).click()
  await edit.getByText('not every wallet returns email').waitFor()
  await edit.getByLabel('Claim for the subject').fill('')
  await edit.getByLabel('Name', { exact: true }).fill('Wine shop')
  await edit.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Edit Wine shop' }).waitFor()
  await checkEveryLook('openid-clients')

  await page.getByRole('button', { name: 'Roll secret of Wine shop' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Roll secret' }).click()
  const newest = await read('Client secret')
  await values.getByRole('button', { name: 'I have copied it' }).click()
  expect([await accepts(secret), await accepts(newest)]).toEqual([true, true])
  await page.getByText('Two work').waitFor()
  await page.getByRole('button', { name: 'Values to set up Wine shop' }).click()
  const again = page.getByRole('dialog', { name: 'Set up “Wine shop”' })
  expect(await again.getByText(newest).count()).toBe(0)
  await again.getByRole('button', { name: 'Close' }).last().click()
  await again.waitFor({ state: 'detached' })

  // Whoever sets the site up sees why it was refused.
  await fetch(`${issuer}/authorize?client_id=${client_id}&redirect_uri=https://shop.example/wrong`)
  await page.getByText('Last request refused').waitFor()
  await checkEveryLook('openid-clients-refused')
  await page.getByRole('button', { name: 'Values to set up Wine shop' }).click()
  await again.getByText('Edit: https://shop.example/wrong').waitFor()
  await checkEveryLook('openid-clients-last-problem')
  await again.getByRole('button', { name: 'Close' }).last().click()
  await again.waitFor({ state: 'detached' })

  // The search leads to it, and so does the audit log, from the other environment too.
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('wine')
  await page.getByRole('option', { name: /^Wine shop/ }).waitFor()
  await takeScreenshot(page, 'openid-clients-search', false)
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/test/openid-clients?client=${client_id}`)
  await again.waitFor()
  await page.goto('/dashboard/live/audit')
  await page.getByRole('link', { name: 'Wine shop' }).first().click()
  await page.waitForURL(`**/test/openid-clients?client=${client_id}`)
  await again.waitFor()
  await again.getByRole('button', { name: 'Close' }).last().click()
  await page.waitForURL('**/test/openid-clients')

  await page.getByRole('button', { name: 'Delete Wine shop' }).click()
  const remove = page.getByRole('dialog', { name: 'Delete “Wine shop”?' })
  const confirm = remove.getByRole('button', { name: 'Delete client' })
  expect(await confirm.isDisabled()).toBe(true)
  await remove.getByLabel('Type Wine shop to confirm').fill('Wine shop')
  await takeScreenshot(page, 'openid-clients-delete', false)
  await confirm.click()
  await page.getByText('No OpenID clients yet').waitFor()
  expect(await accepts(newest)).toBe(false)
})

test('a member who may not manage keys sees the clients and no buttons to change them', async () => {
  const owner = await fixture.signIn({ email: 'owner2@example.com' })
  await owner.page.goto('/dashboard/test/openid-clients')
  await owner.page.getByRole('button', { name: 'Create client' }).first().waitFor()
  const auditor = await fixture.signIn({ role: 'auditor', email: 'auditor@example.com' })
  await auditor.page.goto('/dashboard/test/openid-clients')
  await auditor.page.getByText('No OpenID clients yet').waitFor()
  expect(await auditor.page.getByRole('button', { name: 'Create client' }).count()).toBe(0)
})
