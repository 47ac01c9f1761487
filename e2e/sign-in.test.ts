import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Service } from '../apps/service/test/service.ts'
import { violations } from './axe.ts'
import { closeBrowser, visit } from './browser.ts'
import { startWorld } from './world.ts'

let service: Service

beforeAll(async () => {
  service = await startWorld()
})
afterAll(async () => {
  await closeBrowser()
  await service[Symbol.asyncDispose]()
})

test('the sign-in page asks nothing of another origin, breaks no policy and no rule of access', async () => {
  for (const theme of ['light', 'dark'] as const) {
    await using visitor = await visit({ address: service.address, theme })
    const { page, strayed, refused } = visitor
    await page.goto('/dashboard/sign-in')
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()

    expect(await violations(page)).toEqual([])
    expect({ strayed, refused }).toEqual({ strayed: [], refused: [] })
  }
})
