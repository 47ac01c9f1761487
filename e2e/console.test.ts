import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import type { OperatorRole } from '../packages/contract/src/index.ts'
import { createKey } from '../apps/service/src/accounts/api-keys/create-key.ts'
import { caller } from '../apps/service/test/caller.ts'
import { setClockOffset } from '../apps/service/test/database/clock.ts'
import { findViolations } from './fixture/axe.ts'
import { openBrowser } from './fixture/browser.ts'
import { startConsole } from './fixture/console-fixture.ts'
import { closeDashboard } from './fixture/dashboard-fixture.ts'
import { takeScreenshot } from './fixture/screenshot.ts'

const fixture = await startConsole()
const { service, console_address } = fixture
const owner = await fixture.signInOperator()
// Before the clock is turned: the wallet has its own.
const completed = await fixture.createCompletedVerification('adult')
const { page } = owner
afterAll(() => closeDashboard(fixture))

const dialog = page.getByRole('dialog')
const button = (name: string) => page.getByRole('button', { name, exact: true })

/** Opens a page of the console and waits for its data. */
async function open(path: string, title: string, on: Page = page): Promise<void> {
  await on.goto(`/console${path}`)
  await on.getByRole('heading', { level: 1, name: title }).waitFor()
  await expect.poll(() => on.getByText('Loading', { exact: true }).count()).toBe(0)
}

/** Creates a tenant over the console. Returns its id, and the link of its owner. */
async function createTenant(name: string): Promise<{ id: string; link: string }> {
  await open('/tenants', 'Tenants')
  await button('New tenant').first().click()
  await dialog.getByLabel('Name', { exact: true }).fill(name)
  await dialog.getByLabel('E-mail address of the owner').fill('owner@harbour.example')
  await dialog.getByRole('button', { name: 'Create tenant' }).click()
  await page.getByRole('heading', { name: 'Tenant created' }).waitFor()
  const link = (await dialog.locator('code').first().textContent()) ?? ''
  await dialog.getByRole('button', { name: 'I have copied it' }).click()
  await page.getByRole('heading', { level: 1, name }).waitFor()
  return { id: new URL(page.url()).pathname.split('/').at(-1) ?? '', link }
}

async function keyOf(tenant_id: string) {
  const by = { kind: 'operator', tenant_id } as const
  const scopes = ['verifications:create', 'verifications:read'] as const
  const { key } = await createKey(service.ctx, { by, environment: 'live', scopes })
  return caller(fixture.address, key)
}

const ask = { template: 'age_over_18' }

test('an operator creates a tenant, suspends it with a reason that its calls and its dashboard show, and resumes it', async () => {
  const { id, link } = await createTenant('Harbour Wines')
  await using member = await openBrowser({ address: fixture.address })
  await member.page.goto(link)
  await member.page.getByLabel('Your name').fill('Dana Weber')
  await member.page.getByRole('button', { name: 'Create a passkey' }).click()
  await member.page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  const shop = await keyOf(id)
  expect((await shop.post('/v1/verifications', ask)).status).toBe(201)

  await button('Suspend').click()
  // The focus begins where something has to be written.
  await expect
    .poll(() => dialog.getByLabel('What the tenant reads').evaluate((field) => field.matches(':focus')))
    .toBe(true)
  await takeScreenshot(page, 'console-suspend', false)
  await dialog.getByRole('button', { name: 'Suspend tenant' }).click()
  await dialog.getByText('Enter a reason.').waitFor()
  await dialog.getByLabel('What the tenant reads').fill('Your invoice of October is open.')
  await dialog.getByLabel('Type Harbour Wines to confirm').fill('Harbour Wine')
  await dialog.getByRole('button', { name: 'Suspend tenant' }).click()
  await dialog.getByText('This is not its name.').waitFor()
  expect((await shop.post('/v1/verifications', ask)).status).toBe(201)
  await dialog.getByLabel('Type Harbour Wines to confirm').fill('Harbour Wines')
  expect(await findViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Suspend tenant' }).click()
  await page.getByText('Harbour Wines is suspended.').first().waitFor()
  await page.getByText('The tenant reads: Your invoice of October is open.').waitFor()

  const refused = await shop.post('/v1/verifications', ask)
  expect([refused.status, refused.body.error.code]).toEqual([403, 'tenant_suspended'])
  expect(refused.body.error.message).toContain('Your invoice of October is open.')
  await member.page.reload()
  await member.page.getByText('Your invoice of October is open.').waitFor()

  await button('Resume').click()
  await dialog.getByRole('button', { name: 'Resume tenant' }).click()
  await page.getByText('Harbour Wines is active again.').first().waitFor()
  expect((await shop.post('/v1/verifications', ask)).status).toBe(201)
})

test('the list finds tenants by name and state, and open verifications end with the suspension if that was chosen', async () => {
  const { id } = await createTenant('Kiosk am Ring')
  const shop = await keyOf(id)
  const { body: pending } = await shop.post('/v1/verifications', ask)
  await button('Suspend').click()
  await dialog.getByLabel('What the tenant reads').fill('Closed for review.')
  await dialog.getByLabel('End open verifications too').check()
  await dialog.getByLabel('Type Kiosk am Ring to confirm').fill('Kiosk am Ring')
  await dialog.getByRole('button', { name: 'Suspend tenant' }).click()
  await page.getByText('Kiosk am Ring is suspended.').first().waitFor()
  await expect
    .poll(async () => (await shop.get(`/v1/verifications/${pending.id}`)).body.status)
    .toBe('expired')

  await open('/tenants', 'Tenants')
  await page.getByRole('link', { name: 'Harbour Wines', exact: true }).waitFor()
  await page.getByRole('button', { name: /^Suspended/ }).click()
  await expect.poll(() => page.getByRole('link', { name: 'Harbour Wines', exact: true }).count()).toBe(0)
  await page.getByRole('link', { name: 'Kiosk am Ring', exact: true }).waitFor()
  // It also needs attention, above the list.
  await page.getByRole('link', { name: 'Open Kiosk am Ring' }).waitFor()
  await page.getByRole('button', { name: /^All/ }).click()
  await page.getByRole('searchbox', { name: 'Name or id' }).fill('harb')
  await page.getByRole('link', { name: 'Harbour Wines', exact: true }).waitFor()
  await expect.poll(() => page.getByRole('link', { name: 'Kiosk am Ring', exact: true }).count()).toBe(0)
  // The filter is in the address.
  await page.reload()
  await page.getByRole('link', { name: 'Harbour Wines', exact: true }).waitFor()
  expect(await page.getByRole('searchbox', { name: 'Name or id' }).inputValue()).toBe('harb')
})

test('usage of the month is listed by outcome and exported as CSV', async () => {
  await open('/usage', 'Usage')
  const row = page.getByRole('row').filter({ hasText: 'Harbour Wines' })
  await row.waitFor()
  const cells = (await row.getByRole('cell').allTextContents()).map((text) => text.trim())
  const [downloaded] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download CSV' }).click(),
  ])
  expect(downloaded.suggestedFilename()).toMatch(/usage.*csv$/)
  const lines = readFileSync(await downloaded.path(), 'utf8')
    .trim()
    .split('\n')
  const exported = lines.find((line) => line.includes('Harbour Wines')) ?? ''
  // Created before the suspension, with a wrong name typed, and after it.
  expect(cells.slice(0, 2)).toEqual(['Harbour Wines', '3'])
  expect(exported.split(',')).toContain('3')
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await page.getByRole('row').filter({ hasText: 'A merchant' }).waitFor()
  expect(await page.getByRole('row').filter({ hasText: 'Harbour Wines' }).count()).toBe(0)
})

test('a tenant is deleted after its name is typed, and the deletion is withdrawn', async () => {
  await createTenant('Lumen Festival')
  await button('More actions').click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await dialog.getByLabel('Reason').fill('The festival is over.')
  await dialog.getByLabel('Type Lumen Festival to confirm').fill('Lumen')
  await dialog.getByRole('button', { name: 'Delete tenant' }).click()
  await dialog.getByText('This is not its name.').waitFor()
  await dialog.getByLabel('Type Lumen Festival to confirm').fill('Lumen Festival')
  await dialog.getByRole('button', { name: 'Delete tenant' }).click()
  await page.getByText(/It is deleted for good on/).waitFor()
  await button('Withdraw deletion').click()
  await dialog.getByRole('button', { name: 'Keep tenant' }).click()
  await expect.poll(() => page.getByText(/It is deleted for good on/).count()).toBe(0)
  await button('Resume').waitFor()
})

test('plan and quota of a tenant change, and a new plan is offered at once', async () => {
  await open('/plans', 'Plans')
  await button('New plan').click()
  await dialog.getByLabel('Name', { exact: true }).fill('growth')
  await dialog.getByLabel('Daily quota').fill('5000')
  await dialog.getByRole('button', { name: 'Save plan' }).click()
  await page.getByText('Plan growth saved.').first().waitFor()
  await open('/tenants?q=harbour', 'Tenants')
  await page.getByRole('link', { name: 'Harbour Wines' }).click()
  await button('Change plan').click()
  await dialog.getByLabel('Plan', { exact: true }).selectOption('growth')
  await dialog.getByRole('button', { name: 'Change plan' }).click()
  await page.getByText('Plan changed.').first().waitFor()
  await page.getByText('5,000').first().waitFor()
  await button('Change quota').click()
  await dialog.getByLabel('Use the quota of the plan').uncheck()
  await dialog.getByLabel('Verifications a day').fill('7000')
  await dialog.getByRole('button', { name: 'Change quota' }).click()
  await page.getByText('Quota changed.').first().waitFor()
  await page.getByText('its own', { exact: true }).waitFor()
})

test('what is lasting asks for the passkey after ten minutes, and nothing happens if it is cancelled', async () => {
  await open('/tenants?q=harbour', 'Tenants')
  await page.getByRole('link', { name: 'Harbour Wines' }).click()
  await setClockOffset(service.ctx.db, '15 minutes')
  await button('Change quota').click()
  await dialog.getByLabel('Use the quota of the plan').check()
  await dialog.getByRole('button', { name: 'Change quota' }).click()
  const confirmation = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await confirmation.waitFor()
  expect(await findViolations(page)).toEqual([])
  await takeScreenshot(page, 'console-confirmation', false)
  await confirmation.getByRole('button', { name: 'Cancel' }).click()
  await dialog.getByText('You did not confirm that it is you, so nothing was done.').waitFor()
  await dialog.getByRole('button', { name: 'Change quota' }).click()
  await confirmation.getByRole('button', { name: 'Use passkey' }).click()
  await page.getByText('Quota changed.').first().waitFor()
  await page.getByText('of its plan', { exact: true }).waitFor()
})

test('the search finds a tenant by name and a verification by id, without what was disclosed', async () => {
  await open('/health', 'Health')
  await page.keyboard.press('Control+K')
  const input = page.getByRole('combobox', { name: 'Name or id' })
  await input.fill('harb')
  await page.getByRole('option', { name: /Harbour Wines/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Harbour Wines' }).waitFor()

  await page.keyboard.press('Control+K')
  await input.fill(completed)
  await page.getByRole('option', { name: /A merchant/ }).waitFor()
  await takeScreenshot(page, 'console-search', false)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Verification' }).waitFor()
  await page.getByText('completed', { exact: true }).waitFor()
  expect(await page.getByRole('main').textContent()).not.toMatch(/age_over|true|birth/)
})

test('operators are added, get another role and are removed; the log names who did it and is verified', async () => {
  await open('/operators', 'Operators')
  await button('Add operator').click()
  await dialog.getByLabel('Name', { exact: true }).fill('Ole Brandt')
  await dialog.getByLabel('E-mail address').fill('ole.brandt@operator.example')
  await dialog.getByLabel('Billing').check()
  await dialog.getByLabel('Reason (optional)').fill('Joins billing in November')
  await dialog.getByRole('button', { name: 'Create sign-in link' }).click()
  const link = (await dialog.locator('code').first().textContent()) ?? ''
  await dialog.getByRole('button', { name: 'I have copied it' }).click()

  await using ole = await openBrowser({ address: console_address })
  await ole.page.goto(link)
  await ole.page.getByText('ole.brandt@operator.example').waitFor()
  expect(await findViolations(ole.page)).toEqual([])
  await ole.page.getByRole('button', { name: 'Create a passkey' }).click()
  await ole.page.getByRole('heading', { level: 1, name: 'Tenants' }).waitFor()

  await button('Role of Ole Brandt').click()
  await dialog.getByLabel('Auditor').check()
  await dialog.getByRole('button', { name: 'Change role' }).click()
  await page.getByText('Ole Brandt has another role.').first().waitFor()
  await button('Remove Ole Brandt').click()
  await dialog.getByRole('button', { name: 'Remove operator' }).click()
  await page.getByText('Ole Brandt removed.').first().waitFor()
  await ole.page.reload()
  await ole.page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()

  await expect
    .poll(async () => {
      await open('/log', 'Log')
      return page.getByRole('row').filter({ hasText: 'Joins billing in November' }).count()
    })
    .toBe(1)
  const row = page.getByRole('row').filter({ hasText: 'Joins billing in November' })
  expect(await row.textContent()).toContain('Mara König')
  await button('Check now').click()
  await page.getByText(/^Log intact: \d+ entries/).waitFor()
  await page.getByLabel('Action').selectOption('installation.tenant_state_changed')
  await expect.poll(() => page.getByRole('row').filter({ hasText: 'Operator added' }).count()).toBe(0)
  await page.getByRole('row').filter({ hasText: 'Your invoice of October is open.' }).waitFor()
})

test('a token reads what its role may, and nothing once it is revoked', async () => {
  await open('/tokens', 'API tokens')
  await button('New token').first().click()
  await dialog.getByLabel('Name', { exact: true }).fill('Billing export')
  await dialog.getByRole('button', { name: 'Create token' }).click()
  const token = (await dialog.locator('code').first().textContent()) ?? ''
  await dialog.getByRole('button', { name: 'I have copied it' }).click()
  const program = caller(console_address, token)
  const usage = `/operator/v1/usage?month=${new Date().toISOString().slice(0, 7)}`
  expect((await program.get(usage)).status).toBe(200)
  expect((await program.get('/operator/v1/log')).status).toBe(403)
  await button('Revoke Billing export').click()
  await dialog.getByRole('button', { name: 'Revoke token' }).click()
  await page.getByText('Token “Billing export” revoked.').first().waitFor()
  expect((await program.get(usage)).status).toBe(401)
})

const allPages = ['Tenants', 'Sign-ups', 'Plans', 'Usage', 'Health', 'Operators', 'API tokens', 'Log']

type TenantPage = Record<'create' | 'suspend' | 'more' | 'plan' | 'chart' | 'log', number>

/** How many of each the list and the page of a tenant have. */
async function readTenantPage(on: Page): Promise<TenantPage> {
  const countButtons = (name: string) => on.getByRole('button', { name, exact: true }).count()
  const countRegions = (name: string) => on.getByRole('region', { name }).count()
  await open('/tenants?q=harbour', 'Tenants', on)
  const create = await countButtons('New tenant')
  await on.getByRole('link', { name: 'Harbour Wines' }).click()
  await on.getByRole('heading', { level: 1, name: 'Harbour Wines' }).waitFor()
  // The chart is loaded by itself.
  await on.waitForLoadState('networkidle')
  return {
    create,
    suspend: await countButtons('Suspend'),
    more: await countButtons('More actions'),
    plan: await countButtons('Change plan'),
    chart: await countRegions('Outcomes per day'),
    log: await countRegions('What operators did here'),
  }
}

/** What a role finds in the navigation, and pages that are not for it. */
type RoleCase = {
  pages: string[]
  not: { path: string; title: string; who: string }[]
  /** What the page of a tenant offers. Undefined if the role reads no tenants. */
  tenantPage: TenantPage | undefined
}

const roles: Record<OperatorRole, RoleCase> = {
  owner: {
    pages: allPages,
    not: [],
    tenantPage: { create: 1, suspend: 1, more: 1, plan: 1, chart: 1, log: 1 },
  },
  support: {
    pages: ['Tenants', 'Sign-ups', 'Plans', 'Health', 'API tokens'],
    not: [
      { path: '/log', title: 'Log', who: 'Owner or Auditor' },
      { path: '/usage', title: 'Usage', who: 'Owner, Billing or Auditor' },
      { path: '/operators', title: 'Operators', who: 'Owner' },
    ],
    tenantPage: { create: 0, suspend: 0, more: 0, plan: 0, chart: 0, log: 0 },
  },
  billing: {
    pages: ['Tenants', 'Sign-ups', 'Plans', 'Usage', 'API tokens'],
    not: [
      { path: '/health', title: 'Health', who: 'Owner, Support or Auditor' },
      { path: '/log', title: 'Log', who: 'Owner or Auditor' },
    ],
    tenantPage: { create: 0, suspend: 0, more: 0, plan: 1, chart: 1, log: 0 },
  },
  auditor: {
    pages: ['Usage', 'Health', 'API tokens', 'Log'],
    not: [
      { path: '/tenants', title: 'Tenants', who: 'Owner, Support or Billing' },
      { path: '/plans', title: 'Plans', who: 'Owner, Support or Billing' },
      { path: '/operators', title: 'Operators', who: 'Owner' },
    ],
    tenantPage: undefined,
  },
}

test.for(Object.keys(roles) as OperatorRole[])('a role sees only what it may: %s', async (role) => {
  const { pages, not, tenantPage } = roles[role]
  await using user = await fixture.signInOperator({ role, name: `Role ${role}` })
  const links = user.page.getByRole('complementary').getByRole('navigation', { name: 'Pages' })
  const shown = await links.getByRole('link').allTextContents()
  expect(shown.map((text) => text.replace(/\d.*$/, '').trim())).toEqual(pages)
  for (const { path, title, who } of not) {
    await open(path, title, user.page)
    await user.page.getByText('Not for your role').waitFor()
    await user.page.getByText(`Ask an operator with one of these roles: ${who}.`).waitFor()
    expect(await user.page.getByRole('alert').count()).toBe(0)
    expect(await findViolations(user.page)).toEqual([])
  }
  expect(pages.includes('Tenants') ? await readTenantPage(user.page) : undefined).toEqual(tenantPage)
  expect({ foreign: user.foreignRequests, csp: user.cspViolations }).toEqual({ foreign: [], csp: [] })
})

test('an operator signs out, and in again with their passkey at the page they came from', async () => {
  await open('/health', 'Health')
  await page.getByRole('button', { name: /Mara König/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  expect(await findViolations(page)).toEqual([])
  await page.goto('/console/plans')
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  await button('Sign in with a passkey').click()
  await page.getByRole('heading', { level: 1, name: 'Plans' }).waitFor()
})

test('the first load has under 200 kB of compressed script, and nothing is inline', async () => {
  const scripts = new Set<string>()
  page.on('response', (response) => {
    if (response.url().endsWith('.js')) scripts.add(new URL(response.url()).pathname)
  })
  const response = await page.goto('/console/plans')
  await page.getByRole('heading', { level: 1, name: 'Plans' }).waitFor()
  const dist = new URL('../apps/dashboard/console/dist/', import.meta.url)
  const sizeOf = (path: string) => gzipSync(readFileSync(new URL(path.replace('/console/', ''), dist))).length
  const total = [...scripts].reduce((sum, path) => sum + sizeOf(path), 0) / 1000
  console.log(`first load of the console: ${total.toFixed(1)} kB in ${scripts.size} scripts`)
  expect(scripts.size).toBeGreaterThan(3)
  expect(total).toBeLessThan(200)
  expect(await response?.text()).not.toMatch(/<style|<script(?![^>]* src=)| style=| on\w+=/)
})

test('the console is served by the listener of operators only, and that listener serves nothing else', async () => {
  const [publicly, forOperators] = [caller(fixture.address), caller(console_address)]
  const { status, headers, text } = await forOperators.get('/console')
  expect(status).toBe(200)
  expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  const [script = ''] = /[/]console[/]assets[/][\w.-]+[.]js/.exec(text) ?? []
  expect((await forOperators.get(script)).status).toBe(200)
  for (const path of ['/console', script, script.replace('/console', '/dashboard'), '/operator/v1/me'])
    expect([path, (await publicly.get(path)).status]).toEqual([path, 404])
  for (const path of [
    '/dashboard',
    '/dashboard/api/me',
    '/v1/verifications',
    '/till',
    '/operator/v1/nothing',
  ])
    expect([path, (await forOperators.get(path)).status]).toEqual([path, 404])
})
