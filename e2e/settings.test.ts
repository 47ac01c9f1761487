import { createHash } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { newAccessCertificate } from '../apps/service/test/trust/access-certificate.ts'
import { newAuthority, joinPem } from '../apps/service/test/trust/authorities.ts'
import { closeDashboard, startDashboard } from './fixture/dashboard-fixture.ts'
import { takeScreenshot } from './fixture/screenshot.ts'

const fixture = await startDashboard()
const user = await fixture.signIn()
afterAll(() => closeDashboard(fixture))

/** The client id of a new request, as a wallet reads it. */
async function readRequest(): Promise<{ client_id: string }> {
  const { body } = await fixture.merchant.post('/v1/verifications', { template: 'age_over_18' })
  const [, payload = ''] = (await (await fetch(body.request_uri)).text()).split('.')
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) // the service signed it just now
}

test('[WREQ-2] the tenant’s own certificate signs new requests, is refused with the wrong key, and can be removed', async () => {
  const { page } = user
  const [own, other] = [newAccessCertificate(), newAccessCertificate()]
  const before = await readRequest()
  await page.goto('/dashboard/test/settings/identity')
  await page.getByRole('button', { name: 'Use your own…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Use your own certificate' })
  await dialog.getByLabel('Certificate chain, leaf first').fill(own.chain)
  await dialog.getByLabel('Private key').fill(other.key)
  await dialog.getByRole('button', { name: 'Use this certificate' }).click()
  await dialog.getByRole('alert').waitFor()
  expect((await readRequest()).client_id).toBe(before.client_id)

  await dialog.getByLabel('Private key').fill(own.key)
  await dialog.getByRole('button', { name: 'Use this certificate' }).click()
  await page.getByText('O=Corner Shop, CN=shop.example').waitFor()
  await page.getByText(own.client_id).waitFor()
  expect((await readRequest()).client_id).toBe(own.client_id)
  expect(await page.content()).not.toContain(own.key.slice(40, 80))

  await page.getByRole('button', { name: 'Use the service’s…' }).click()
  await page.getByRole('button', { name: 'Use the service’s certificate', exact: true }).click()
  await page.getByText(before.client_id).waitFor()
  expect((await readRequest()).client_id).toBe(before.client_id)
})

test('a logo is previewed, saved, shown again after a reload and removed; a file that is too large is refused', async () => {
  const { page } = user
  const logo =
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><circle cx="20" cy="20" r="18" fill="#7a1f3d"/></svg>'
  await page.goto('/dashboard/test/settings/brand')
  const file = page.getByLabel('Logo')
  const shown = page.getByRole('figure').locator('img')
  await file.setInputFiles({ name: 'large.png', mimeType: 'image/png', buffer: Buffer.alloc(60 * 1024) })
  await page.getByText('The file has 60 kB; the maximum is 48 kB.').waitFor()
  expect(await shown.count()).toBe(0)

  await file.setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(logo) })
  await shown.waitFor()
  await expect.poll(() => page.getByText('maximum is 48 kB').count()).toBe(0)
  await page.getByRole('button', { name: 'Save brand' }).click()
  await page.getByText('Brand saved.').first().waitFor()
  await page.reload()
  await shown.waitFor()
  await expect.poll(() => page.evaluate('document.querySelector("figure img").naturalWidth')).toBe(40)
  expect(user.cspViolations).toEqual([])

  await page.getByRole('button', { name: 'Remove logo' }).click()
  await page.getByRole('button', { name: 'Save brand' }).click()
  await page.getByText('Brand saved.').first().waitFor()
  await page.reload()
  await page.getByLabel('Logo').waitFor()
  expect(await shown.count()).toBe(0)
})

test('[TRUST-1] an anchor is reviewed, trusted and removed; the policy is chosen; the role support may only read', async () => {
  const { page } = user
  const { certificate } = newAuthority('Partner Root')
  const fingerprint = createHash('sha256').update(certificate).digest('hex')
  await page.goto('/dashboard/test/settings/trust')
  await page.getByText('Issuers that the service trusts are accepted.').waitFor()
  await page.getByRole('button', { name: 'Add anchor…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Certificates').fill('not a certificate')
  await dialog.getByRole('button', { name: 'Review certificate' }).click()
  await dialog.getByRole('alert').waitFor()
  await dialog.getByLabel('Certificates').fill(joinPem(certificate))
  await dialog.getByRole('button', { name: 'Review certificate' }).click()
  await dialog.getByText('Partner Root').waitFor()
  await dialog.getByText(fingerprint).waitFor()
  await dialog.getByRole('button', { name: 'Trust certificate' }).click()
  await page.getByText('Anchor added.').first().waitFor()
  await page.getByRole('row').filter({ hasText: fingerprint }).getByText('Partner Root').waitFor()

  await page.getByLabel('Only my anchors').check()
  await page.getByText('Only your anchors are trusted now.').first().waitFor()
  await using support = await fixture.signIn({ role: 'support', name: 'Kim' })
  await support.page.goto('/dashboard/test/settings/trust')
  await support.page.getByText(fingerprint).waitFor()
  expect(await support.page.getByLabel('Only my anchors').isChecked()).toBe(true)
  expect(await support.page.getByLabel('Only my anchors').isDisabled()).toBe(true)
  expect(await support.page.getByRole('button', { name: /Add anchor|Remove/ }).count()).toBe(0)

  await page.getByRole('button', { name: /^Remove .*Partner Root/ }).click()
  await page.getByRole('button', { name: 'Remove anchor' }).click()
  await page.getByText('Anchor removed.').first().waitFor()
  await expect.poll(() => page.getByText(fingerprint).count()).toBe(0)
  await page.getByLabel('The service’s anchors and mine').check()
  await page.getByText('The service’s anchors and yours are trusted now.').first().waitFor()
  await page.goto('/dashboard/test/audit')
  const entries = page.getByRole('row').filter({ hasText: 'tenant.trust_changed' })
  await expect.poll(() => entries.count(), { timeout: 10_000 }).toBe(4)
  expect(await entries.filter({ hasText: 'Marta Keller' }).count()).toBe(4)
})

test('an anchor is added in another role for an organisation, and the anchors of the service name their source', async () => {
  const { page } = user
  const { certificate } = newAuthority('Agency Status')
  await page.goto('/dashboard/test/settings/trust')
  await page.getByRole('button', { name: 'Add anchor…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Certificates').fill(joinPem(certificate))
  await dialog.getByLabel('Role').selectOption({ label: 'Signs status lists' })
  await dialog.getByText('It cannot issue credentials.').waitFor()
  await dialog.getByLabel('Operating organisation (optional)').fill('Example Agency')
  await dialog.getByRole('button', { name: 'Review certificate' }).click()
  await dialog.getByText('Agency Status').waitFor()
  await dialog.getByRole('button', { name: 'Trust certificate' }).click()
  const row = page.getByRole('row').filter({ hasText: 'Agency Status' })
  await row.getByText('Operated by Example Agency').waitFor()
  await row.getByText('Signs status lists').waitFor()

  const service = page.getByRole('region', { name: 'Anchors of the service' })
  await service.getByRole('row').filter({ hasText: 'Issues credentials' }).first().waitFor()
  await service.getByText('The sandbox').first().waitFor()
  await row.getByRole('button', { name: /^Remove/ }).click()
  await page.getByRole('button', { name: 'Remove anchor' }).click()
  await expect.poll(() => page.getByText('Operated by Example Agency').count()).toBe(0)
})

test('a certificate for Apple Wallet is added with what published rules say about it, and removed', async () => {
  const { page } = user
  const { chain, key } = newAccessCertificate()
  await page.goto('/dashboard/test/settings/identity')
  await page.getByRole('button', { name: 'Add certificate…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a certificate for other wallets' })
  await dialog.getByLabel('Wallets').selectOption('Google Wallet')
  await dialog.getByLabel('Google’s metadata (gw_rp_metadata_bytes)').waitFor()
  await dialog.getByLabel('Wallets').selectOption('Apple Wallet')
  await dialog.getByLabel('Certificate chain, leaf first').fill(chain)
  await dialog.getByLabel('Private key').fill(key)
  await takeScreenshot(page, 'identity-dialog', false)
  await dialog.getByRole('button', { name: 'Use this certificate' }).click()
  const table = page.getByRole('table', { name: 'Certificates for other wallets' })
  await table.getByText('It ends within 30 days. Renew it.').waitFor()
  await table.scrollIntoViewIfNeeded()
  await takeScreenshot(page, 'identity-table')
  expect(await page.content()).not.toContain(key.slice(40, 80))

  await table.getByRole('button', { name: 'Remove the certificate for Apple Wallet' }).click()
  await page.getByRole('button', { name: 'Remove certificate', exact: true }).click()
  await page.getByText('There is none: only wallets that trust the access certificate respond.').waitFor()
})
