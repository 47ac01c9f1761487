import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import {
  startIdentityProvider,
  type IdentityProvider,
} from '../apps/service/test/sign-in/identity-provider.ts'
import { openBrowser } from './fixture/browser.ts'
import { startConsole, type ConsoleFixture } from './fixture/console-fixture.ts'
import { closeDashboard } from './fixture/dashboard-fixture.ts'

let fixture: ConsoleFixture
let provider: IdentityProvider
beforeAll(async () => {
  fixture = await startConsole(async (console_address) => {
    provider = await startIdentityProvider('http://localhost:8080', console_address)
    return provider.environment
  })
})
afterAll(async () => {
  await closeDashboard(fixture)
  provider.close()
})

/** On the pages of the provider, which accepts any name. */
async function signInThere(page: Page, login: string): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill(login)
  await page.getByPlaceholder('and password').fill('any')
  await page.getByRole('button', { name: 'Sign-in' }).click()
}

/** The first time, the provider asks whether the console may know who it is. */
async function consentThere(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Continue' }).click()
}

test('an operator accepts an invitation at the provider, signs in there, and confirms there what is lasting', async () => {
  await using visitor = await openBrowser({ address: fixture.console_address })
  const { page, cspViolations } = visitor
  await page.goto(await fixture.addOperator({ name: 'Ada Berg', role: 'owner' }))
  await page.getByRole('button', { name: /^Continue with 127[.]0[.]0[.]1/ }).click()
  await signInThere(page, 'ada')
  await consentThere(page)
  await page.getByRole('heading', { level: 1, name: 'Tenants' }).waitFor()

  await page.getByRole('button', { name: /Ada Berg/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.goto('/console/operators')
  await page.getByRole('button', { name: /^Sign in with 127[.]0[.]0[.]1/ }).click()
  // The provider still has a session and asks nothing.
  await page.getByRole('heading', { level: 1, name: 'Operators' }).waitFor()
  await page.getByRole('cell', { name: 'Identity provider' }).waitFor()

  const add = async () => {
    await page.getByRole('button', { name: 'Add operator' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Ole Brandt')
    await page.getByRole('textbox', { name: 'E-mail address' }).fill('ole@operator.example')
    await page.getByRole('button', { name: 'Create sign-in link' }).click()
  }
  await add()
  await page.getByRole('button', { name: 'Sign in again' }).click()
  await signInThere(page, 'ada')
  await page.getByRole('heading', { level: 1, name: 'Operators' }).waitFor()
  await add()
  await page.getByText('Send this link to').waitFor()
  expect(cspViolations).toEqual([])
})

test('an account that no operator has leads back to the sign-in page, which says so', async () => {
  await using visitor = await openBrowser({ address: fixture.console_address })
  const { page } = visitor
  await page.goto('/console/sign-in')
  await page.getByRole('button', { name: /^Sign in with 127[.]0[.]0[.]1/ }).click()
  await signInThere(page, 'stranger')
  await consentThere(page)
  await page.getByText('this account belongs to no operator').waitFor()
  expect(new URL(page.url()).pathname).toBe('/console/sign-in')
})
