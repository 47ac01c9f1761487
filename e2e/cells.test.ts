import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { inviteMember } from '../apps/service/src/accounts/members/invitations/invite.ts'
import { createTenant } from '../apps/service/src/accounts/tenants/create.ts'
import {
  startIdentityProvider,
  type IdentityProvider,
} from '../apps/service/test/sign-in/identity-provider.ts'
import { startCells, type CellName, type Cells } from '../apps/service/test/cells/start-cells.ts'
import { findViolations } from './fixture/axe.ts'
import { closeContexts, openBrowser } from './fixture/browser.ts'

let fixture: Cells
let provider: IdentityProvider
const tenants = { a: '', b: '' }

beforeAll(async () => {
  fixture = await startCells({
    environment: async (address) => {
      provider = await startIdentityProvider(address)
      return provider.environment
    },
  })
  for (const cell of ['a', 'b'] as const)
    tenants[cell] = (
      await createTenant(fixture.cells[cell].ctx, { name: `Shop ${cell.toUpperCase()}` })
    ).tenant_id
})
afterAll(async () => {
  await closeContexts()
  await fixture[Symbol.asyncDispose]()
  provider.close()
})

test('a member of tenants in two cells signs in by passkey and switches in the menu, behind one address', async () => {
  await using user = await openBrowser({ address: fixture.address })
  const { page } = user
  await joinWithPasskey(page, 'a')
  await openMenu(page, 'Shop A')
  await page.getByRole('menuitem', { name: 'Sign in to another tenant' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  // On another device, so that each has one passkey.
  await user.replaceAuthenticator()
  await joinWithPasskey(page, 'b')

  await openMenu(page, 'Shop B')
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('menuitem', { name: 'Switch to Shop A' }).click()
  await openMenu(page, 'Shop A')
  await page.getByRole('menuitem', { name: 'Switch to Shop B' }).click()
  await openMenu(page, 'Shop B')

  // Signing out ends both sessions. Then the passkey alone leads to its cell.
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect(await user.context.cookies()).toEqual([])
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await openMenu(page, 'Shop B')
  expect(await page.getByRole('menuitem', { name: /Switch to/ }).count()).toBe(0)
  expect(user.foreignRequests).toEqual([])
})

test('a member signs in with the identity provider and is found in the second cell', async () => {
  await using user = await openBrowser({ address: fixture.address })
  const { page } = user
  await page.goto(await invite('b', 'kim@example.com'))
  await page.getByLabel('Your name').fill('Kim')
  await page.getByRole('button', { name: /Continue with/ }).click()
  await page.locator('input[name=login]').fill('kim')
  await page.locator('input[name=password]').fill('any')
  await page.getByRole('button', { name: /sign-in/i }).click()
  await page.getByRole('button', { name: /continue/i }).click()
  await openMenu(page, 'Shop B')
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()

  // A browser that has not been here asks the first cell first.
  await page.evaluate(() => localStorage.clear())
  await page.getByRole('button', { name: /Sign in with 127/ }).click()
  await openMenu(page, 'Shop B')
})

async function invite(cell: CellName, email: string): Promise<string> {
  const by = { kind: 'operator', tenant_id: tenants[cell] } as const
  return (await inviteMember(fixture.cells[cell].ctx, { by, email, role: 'owner' })).link
}

async function joinWithPasskey(page: Page, cell: CellName): Promise<void> {
  await page.goto(await invite(cell, `${crypto.randomUUID()}@example.com`))
  await page.getByLabel('Your name').fill('Marta Keller')
  await page.getByRole('button', { name: 'Create a passkey' }).click()
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
}

async function openMenu(page: Page, tenant: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(tenant) }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
}
