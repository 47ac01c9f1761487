import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import type * as Sdk from '@vidimus/sdk'
import { startService } from '../apps/service/test/service.ts'
import { closeContexts, openBrowser, type BrowserUser } from './fixture/browser.ts'

/** What the page under test puts on its window object. */
type Till = { client: (skew_ms: number) => Sdk.DeviceClient }
declare const window: Till

const service = await startService()
afterAll(async () => {
  await closeContexts()
  await service[Symbol.asyncDispose]()
})

const html = `<!doctype html><title>Till</title><script type="module">
  import * as sdk from './sdk.js'
  const store = sdk.indexedDbStore()
  window.client = (skewMs) => sdk.createDeviceClient({
    baseUrl: location.origin, store, retries: 0, now: () => Date.now() + skewMs,
  })
  document.title = 'Ready'
</script>`
const hour_ms = 3_600_000

test('two tabs share one pairing, and no refresh token is sent twice', async () => {
  await using user = await openBrowser({ address: service.address })
  const sent = watchRefreshes(user)
  const merchant = await service.tenant()
  const registered = await merchant.post('/v1/devices', { name: 'Till', allowed_templates: ['age_over_18'] })
  const [one, two] = [await openTab(user), await openTab(user)]

  await one.evaluate((code) => window.client(0).pair(code), registered.body.pairing_code)
  expect(await readState(two)).toBe('paired')

  // In both tabs the access token has expired at the same time.
  const requests = [one, two, one, two].map((tab) => createVerification(tab, hour_ms))
  expect(new Set(await Promise.all(requests)).size).toBe(4)
  expect(sent).toHaveLength(1)

  // The response is lost: the service has rotated the token, and the browser did not receive the new one.
  await user.context.route('**/v1/devices/token', async (route) => {
    const carriesRefreshToken = route.request().postData()?.includes('refresh_token') === true
    if (carriesRefreshToken) await route.fetch()
    await (carriesRefreshToken ? route.abort() : route.continue())
  })
  await expect(createVerification(one, 2 * hour_ms)).rejects.toThrow('Pair the device again')
  await user.context.unroute('**/v1/devices/token')
  await expect(createVerification(two, 2 * hour_ms)).rejects.toThrow('Pair the device again')
  expect([await readState(one), await readState(two)]).toEqual(['pair_again', 'pair_again'])
  // The current access token still works, and the device was not revoked.
  expect(await createVerification(two, 0)).toMatch(/^vs_/)
  expect(sent).toHaveLength(2)
  expect(new Set(sent).size).toBe(2)
})

test('an offline browser does not send its refresh token', async () => {
  await using user = await openBrowser({ address: service.address })
  const sent = watchRefreshes(user)
  const merchant = await service.tenant()
  const registered = await merchant.post('/v1/devices', { name: 'Till', allowed_templates: ['age_over_18'] })
  const tab = await openTab(user)
  await tab.evaluate((code) => window.client(0).pair(code), registered.body.pairing_code)

  await user.context.setOffline(true)
  await expect(createVerification(tab, hour_ms)).rejects.toThrow('/v1/devices/token')
  expect([sent, await readState(tab)]).toEqual([[], 'paired'])

  await user.context.setOffline(false)
  expect(await createVerification(tab, hour_ms)).toMatch(/^vs_/)
  expect(sent).toHaveLength(1)
})

/** A page on the service's origin that loads the SDK as published. */
async function openTab({ context }: BrowserUser): Promise<Page> {
  const sdk = readFileSync(new URL('../packages/sdk/dist/esm/index.js', import.meta.url), 'utf8')
  const page = await context.newPage()
  await page.route('**/tab/', (route) => route.fulfill({ contentType: 'text/html', body: html }))
  await page.route('**/tab/sdk.js', (route) => route.fulfill({ contentType: 'text/javascript', body: sdk }))
  await page.goto('/tab/')
  await expect.poll(() => page.title()).toBe('Ready')
  return page
}

function createVerification(tab: Page, skew_ms: number): Promise<string> {
  return tab.evaluate(
    async (skew) => (await window.client(skew).verifications.create({ template: 'age_over_18' })).id,
    skew_ms,
  )
}

function readState(tab: Page): Promise<string> {
  return tab.evaluate(async () => (await window.client(0).state()).status)
}

/** Collects every refresh token that the browser sends, in order. */
function watchRefreshes({ context }: BrowserUser): string[] {
  const sent: string[] = []
  context.on('request', (request) => {
    const body = request.url().endsWith('/v1/devices/token') ? request.postDataJSON() : {}
    if (typeof body?.refresh_token === 'string') sent.push(body.refresh_token)
  })
  return sent
}
