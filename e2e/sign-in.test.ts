import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  startIdentityProvider,
  type IdentityProvider,
} from '../apps/service/test/sign-in/identity-provider.ts'
import { findViolations } from './fixture/axe.ts'
import { closeContexts, openBrowser } from './fixture/browser.ts'
import { startDashboard, type DashboardFixture } from './fixture/dashboard-fixture.ts'

let fixture: DashboardFixture
let provider: IdentityProvider

beforeAll(async () => {
  fixture = await startDashboard(async (address) => {
    provider = await startIdentityProvider(address)
    return provider.environment
  })
})
afterAll(async () => {
  await closeContexts()
  await fixture[Symbol.asyncDispose]()
  provider.close()
})

test('an invited member joins with a passkey, signs out, and signs in with it', async () => {
  await using user = await fixture.signIn({ name: 'Marta Keller' })
  const { page } = user
  await page.getByRole('button', { name: /Marta Keller/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()

  await page.goto('/dashboard/test/devices')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()

  // Returns to the page that was requested.
  await page.getByRole('heading', { name: 'Devices', level: 1 }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/dashboard/test/devices')
})

test('a second device adds a passkey and signs in with it, and the first passkey is removed', async () => {
  await using user = await fixture.signIn({ name: 'Marta Keller' })
  const { page } = user
  const passkeys = page.getByRole('table', { name: 'Your passkeys' })
  await page.goto('/dashboard/test/account')
  // This device already has a passkey.
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await page.getByRole('alert').waitFor()
  await expect.poll(() => passkeys.getByRole('row').count()).toBe(2)

  await user.replaceAuthenticator()
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await page.getByText('Passkey added.').first().waitFor()
  await expect.poll(() => passkeys.getByRole('row').count()).toBe(3)
  await page.getByRole('button', { name: /Marta Keller/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()

  await page.goto('/dashboard/test/account')
  await page.getByRole('button', { name: 'Remove First passkey' }).click()
  await page.getByRole('button', { name: 'Remove passkey' }).click()
  await page.getByText('Passkey removed.').first().waitFor()
  await expect.poll(() => passkeys.getByRole('row').count()).toBe(2)
})

test('an invitation requires a name, works once, and is refused the second time', async () => {
  const link = await fixture.invite({ email: 'once@example.com', role: 'developer' })
  await using user = await openBrowser({ address: fixture.address })
  const { page } = user
  await page.goto(link)
  await page.getByText('once@example.com').waitFor()
  await page.getByRole('button', { name: 'Create a passkey' }).click()
  await page.getByText('Enter your name.').waitFor()
  await page.getByLabel('Your name').fill('Jo Brandt')
  await page.getByRole('button', { name: 'Create a passkey' }).click()
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()

  await using other = await openBrowser({ address: fixture.address })
  await other.page.goto(link)
  await other.page.getByRole('heading', { name: 'This link does not work' }).waitFor()
  // The next link, in the same tab: only the fragment differs.
  await other.page.goto(await fixture.invite({ email: 'twice@example.com', role: 'developer' }))
  await other.page.getByText('twice@example.com').waitFor()
})

test('a member joins and signs in with an identity provider', async () => {
  await using user = await openBrowser({ address: fixture.address })
  const { page } = user
  await page.goto(await fixture.invite({ email: 'kim@example.com', role: 'admin' }))
  await page.getByLabel('Your name').fill('Kim')
  await page.getByRole('button', { name: /Continue with/ }).click()
  await page.locator('input[name=login]').fill('kim')
  await page.locator('input[name=password]').fill('any')
  await page.getByRole('button', { name: /sign-in/i }).click()
  await page.getByRole('button', { name: /continue/i }).click()
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()

  await page.getByRole('button', { name: /Kim/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: /Sign in with 127/ }).click()
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
})

test('cookies are HttpOnly and SameSite', async () => {
  await using user = await fixture.signIn()
  const cookies = await user.context.cookies()
  expect(cookies.length).toBeGreaterThan(0)
  for (const { httpOnly, sameSite } of cookies)
    expect({ httpOnly, sameSite }).toEqual({ httpOnly: true, sameSite: 'Lax' })
})

test('the pages before sign-in have no accessibility or CSP violation, in either theme', async () => {
  const link = await fixture.invite({ email: 'looks@example.com' })
  for (const theme of ['light', 'dark'] as const) {
    await using user = await openBrowser({ address: fixture.address, theme })
    const { page, foreignRequests, cspViolations } = user
    await page.goto('/dashboard/sign-in')
    await page.getByRole('button', { name: /Sign in with 127/ }).waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.goto(link)
    await page.getByLabel('Your name').waitFor()
    expect(await findViolations(page)).toEqual([])
    expect({ foreignRequests, cspViolations }).toEqual({ foreignRequests: [], cspViolations: [] })
  }
})
