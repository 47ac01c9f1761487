import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { findViolations } from './fixture/axe.ts'
import { closeDashboard, startDashboard } from './fixture/dashboard-fixture.ts'
import { takeScreenshot } from './fixture/screenshot.ts'

const fixture = await startDashboard()
const user = await fixture.signIn()
afterAll(() => closeDashboard(fixture))

test('Ctrl+K opens the search; arrow keys and Enter lead to what was found', async () => {
  const { page } = user
  const id = await fixture.createCompletedVerification('adult', { metadata: { order: 'A-1042' } })
  await fixture.createCompletedVerification('adult', { metadata: { ticket: 'a-1042' } })
  await page.goto('/dashboard/test')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: 'Search for' })
  await expect.poll(() => field.and(page.locator(':focus')).count()).toBe(1)
  await page.keyboard.type('a-1042')
  await expect.poll(() => page.getByRole('option').count()).toBe(2)
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect.poll(() => findViolations(page)).toEqual([])
    await takeScreenshot(page, `search-${colorScheme}`, false)
  }
  const selected = () => page.getByRole('option', { selected: true }).innerText()
  const first = await selected()
  await page.keyboard.press('ArrowDown')
  const second = await selected()
  expect(second).not.toBe(first)
  await page.keyboard.press('ArrowDown')
  expect(await selected()).toBe(first)
  await page.keyboard.press('ArrowUp')
  expect(await field.getAttribute('aria-activedescendant')).toBeTruthy()
  expect(await selected()).toContain(id)
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/verifications/${id}`)
})

test('the search finds pages and actions, and lists the keys until something is searched', async () => {
  const { page } = user
  await page.goto('/dashboard/test/usage')
  await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor()
  for (const [text, option, address] of [
    ['invite', 'Invite member', '/team'],
    ['webhook', 'Endpoints', '/webhooks?tab=endpoints'],
    ['trusted', 'Trusted issuers', '/settings/trust'],
  ] as const) {
    await page.keyboard.press('Control+K')
    const dialog = page.getByRole('dialog', { name: 'Search' })
    await dialog.getByRole('region', { name: 'Keyboard' }).waitFor()
    await page.keyboard.type(text)
    await dialog
      .getByRole('option', { name: new RegExp(`^${option}`) })
      .first()
      .click()
    await page.waitForURL(`**/dashboard/test${address}`)
  }
})

test('a search without results says so, and Escape returns the focus', async () => {
  const { page } = user
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/dashboard/test/keys')
  const button = page.getByRole('button', { name: 'Search' }).last()
  await button.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByRole('combobox').and(page.locator(':focus')).waitFor()
  await page.keyboard.type('nothing like it')
  await page.getByText('Nothing found.').waitFor()
  await expect.poll(() => findViolations(page)).toEqual([])
  await takeScreenshot(page, 'search-390', false)
  await page.keyboard.press('Escape')
  await expect.poll(() => button.and(page.locator(':focus')).count()).toBe(1)
  await page.setViewportSize({ width: 1440, height: 900 })
})

test('a request is found by its id, an error leads to it, and a verification to its requests', async () => {
  const { page } = user
  const request_id = crypto.randomUUID()
  const { body } = await fixture.merchant.post(
    '/v1/verifications',
    { template: 'age_over_18' },
    { headers: { 'x-request-id': request_id, 'idempotency-key': 'order-1' } },
  )
  await fixture.merchant.post('/v1/verifications', { template: 'none' })
  await page.goto('/dashboard/test/requests')
  await page.getByLabel('Request ID', { exact: true }).fill(request_id)
  const row = page.getByRole('row', { name: /POST \/v1\/verifications/ })
  await expect.poll(() => row.count()).toBe(1)
  await row.getByText('New').waitFor()
  expect(page.url()).toContain(request_id)

  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByLabel('Error code').fill('unknown_temp')
  await expect.poll(() => row.count()).toBe(1)
  await row.getByText('unknown_template').waitFor()

  await page.goto(`/dashboard/test/verifications/${body.id}`)
  await page.getByRole('link', { name: 'API requests' }).click()
  await page.waitForURL('**/requests?verification_id=*')
  await expect.poll(() => row.count()).toBe(1)

  await page.goto('/dashboard/test/verifications/vs_unknown')
  await page.getByRole('alert').getByRole('link').click()
  await page.waitForURL('**/requests?request_id=*')
  await page.getByText('session_not_found').waitFor()
})

test('the filters of the verifications are in the address and match a part', async () => {
  const { page } = user
  await fixture.merchant.post('/v1/verifications', { template: 'identity_basic' })
  await page.goto('/dashboard/test/verifications?template=identity')
  const rows = page.getByRole('row', { name: /vs_/ })
  await expect.poll(() => rows.count()).toBe(1)
  expect(await page.getByLabel('Template').inputValue()).toBe('identity')
  await page.getByLabel('From').fill('2999-01-01')
  await page.getByText('No verifications match.').waitFor()
  expect(page.url()).toContain('from=2999-01-01')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect.poll(() => rows.count()).toBeGreaterThan(1)
})

test('a verification is filtered by its metadata, and its page leads back to the same list', async () => {
  const { page } = user
  const { id } = (
    await fixture.merchant.post('/v1/verifications', {
      template: 'age_over_18',
      metadata: { order: 'W-4711', shop: 'W-4712' },
    })
  ).body
  await fixture.merchant.post('/v1/verifications', {
    template: 'age_over_18',
    metadata: { order: 'W-4712' },
  })
  await page.goto('/dashboard/test/verifications?status=pending')
  const rows = page.getByRole('row', { name: /vs_/ })
  const field = page.getByLabel('Metadata')
  await field.fill('w-4712')
  await expect.poll(() => rows.count()).toBe(2)
  await field.fill('order=W-4711')
  await expect.poll(() => rows.count()).toBe(1)
  const address = page.url()
  expect(new URL(address).searchParams.get('metadata')).toBe('order=W-4711')
  await rows.getByRole('link', { name: /^vs_/ }).click()
  await page.waitForURL(`**/verifications/${id}?*`)
  await page.getByRole('link', { name: 'All verifications' }).click()
  await page.waitForURL(address)
  await expect.poll(() => rows.count()).toBe(1)
  expect(await field.inputValue()).toBe('order=W-4711')
})

test('what the filters show is downloaded, with claims on request', async () => {
  const { page } = user
  await page.goto('/dashboard/test/verifications?status=completed')
  const download = async (role: 'link' | 'button', name: string) => {
    const waiting = page.waitForEvent('download')
    await page.getByRole(role, { name, exact: true }).click()
    return readFileSync(await (await waiting).path(), 'utf8')
  }
  const plain = await download('link', 'Download CSV')
  expect(plain.split('\r\n')[0]).toBe(
    'id,status,template,error_code,device_id,created_at,expires_at,responded_at,purpose,metadata',
  )
  expect(plain).not.toContain(',pending,')
  expect(await download('button', 'Download CSV with claims')).toContain('age_over_18"":true')
})
