import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findViolations, runAxe } from './fixture/axe.ts'
import { openBrowser } from './fixture/browser.ts'
import { closeDashboard, startDashboard, type DashboardFixture } from './fixture/dashboard-fixture.ts'
import { takeScreenshot } from './fixture/screenshot.ts'
import {
  ask,
  fetchRequest,
  openPairedTill,
  readOutcomes,
  readWord,
  registerTill,
  reportWalletError,
} from './fixture/till.ts'
import { startVersionedProxy } from './fixture/versioned-proxy.ts'

const maxWeight_kB = 120
const maxFirstPaint_ms = 1000
let fixture: DashboardFixture

beforeAll(async () => {
  fixture = await startDashboard()
})
afterAll(() => closeDashboard(fixture))

for (const theme of ['light', 'dark'] as const) {
  test(`axe finds no violation in any state and text has a contrast of 7:1, ${theme}`, async () => {
    await using user = await openBrowser({ address: fixture.address, theme })
    const { page } = user
    await page.setViewportSize({ width: 768, height: 1024 })
    const found: Record<string, string[]> = {}
    const check = async (state: string) => {
      found[state] = [...(await findViolations(page)), ...(await findLowContrast(page))]
      await takeScreenshot(page, `till-${state}-${theme}`, false)
    }
    await page.goto('/till')
    await page.getByLabel('Pairing code').waitFor()
    await check('unpaired')
    await page.getByLabel('Pairing code').fill('VD-AAAA-AAAA')
    await page.getByRole('button', { name: 'Pair' }).click()
    await page.getByText('This code is not known or has expired').waitFor()
    await check('wrong-code')

    const { device_id } = await openPairedTill(fixture, user, ['age_over_18', 'age_over_18_photo'])
    await check('ready')
    const link = await registerTill(fixture)
    await page.goto(`/till#${link.pairing_code}`)
    await page.getByRole('button', { name: 'Keep the current pairing' }).waitFor()
    await check('replace-pairing')
    await page.getByRole('button', { name: 'Keep the current pairing' }).click()

    const wallet_uri = await ask(page)
    await check('asking')
    await fetchRequest(wallet_uri)
    await page.getByText('Waiting for the customer').waitFor()
    await check('scanned')
    await user.context.setOffline(true)
    await page.getByText('No connection. The answer appears once it is back.').waitFor()
    await check('asking-offline')
    await user.context.setOffline(false)
    await fixture.respond(wallet_uri, { persona: 'minor' })
    await readWord(page)
    await check('no')
    await page.getByRole('button', { name: 'Done' }).click()
    await fixture.respond(await ask(page, '18 or over, with photo You compare the photo'), {
      persona: 'adult',
    })
    await page.getByRole('img', { name: 'Photo from the document' }).waitFor()
    await check('compare')
    await page.getByRole('button', { name: 'Not this person' }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    await fixture.respond(await ask(page), { persona: 'adult' })
    await readWord(page)
    await check('yes')
    await page.getByRole('button', { name: 'Done' }).click()
    await reportWalletError(await ask(page))
    await readWord(page)
    await check('not-checked')
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Last checks' }).click()
    await page.getByRole('heading', { name: 'Last checks' }).waitFor()
    await check('outcomes')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Settings' }).click()
    await page.getByRole('heading', { name: 'Settings' }).waitFor()
    await check('settings')
    await page.getByRole('button', { name: 'Done' }).click()
    await fixture.merchant.request('PATCH', `/v1/devices/${device_id}`, { body: { pin: '4711' } })
    await page.reload()
    // It learns of the PIN when it has loaded.
    await page.waitForLoadState('networkidle')
    await page.getByRole('button', { name: 'Settings' }).click()
    await page.getByRole('heading', { name: 'PIN for the settings' }).waitFor()
    await check('pin')
    await page.getByRole('button', { name: 'Cancel' }).click()

    const other = await user.context.newPage()
    await other.goto('/till')
    await other.getByRole('button', { name: 'Use this tab' }).waitFor()
    found['other-tab'] = [...(await findViolations(other)), ...(await findLowContrast(other))]
    await other.close()

    await user.context.setOffline(true)
    await page.getByText('No connection. Checks are possible again').waitFor()
    await check('ready-offline')
    await user.context.setOffline(false)
    await ask(page)
    await fixture.merchant.delete(`/v1/devices/${device_id}`)
    await page.getByRole('heading', { name: 'Pair this till again' }).waitFor()
    await check('pair-again')

    expect(Object.keys(found)).toHaveLength(17)
    expect(Object.entries(found).filter(([, violations]) => violations.length > 0)).toEqual([])
    expect(user.cspViolations).toEqual([])
  })
}

test(`the app is smaller than ${maxWeight_kB} kB gzip, and every asset has a hash in its name`, () => {
  const folder = new URL('../apps/till/dist/', import.meta.url)
  const assets = readdirSync(new URL('assets', folder))
  const files = ['index.html', 'sw.js', 'manifest.webmanifest', ...assets.map((name) => `assets/${name}`)]
  const total_kB =
    files.reduce((sum, name) => sum + gzipSync(readFileSync(new URL(name, folder))).length, 0) / 1000
  console.log(`the till: ${total_kB.toFixed(1)} kB gzip in ${files.length} files`)
  expect(assets.length).toBeGreaterThanOrEqual(2)
  expect(assets.filter((name) => !/-[\w-]{8}\.\w+$/.test(name))).toEqual([])
  expect(total_kB).toBeLessThan(maxWeight_kB)
})

test('the first paint comes within a second at a quarter of the CPU speed', async () => {
  await using user = await openBrowser({ address: fixture.address })
  const { page, context } = user
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  const times: number[] = []
  for (let round = 0; round < 5; round += 1) {
    await devtools.send('Network.clearBrowserCache')
    await page.goto('/till')
    await page.getByLabel('Pairing code').waitFor()
    times.push(
      Number(await page.evaluate(`performance.getEntriesByName('first-contentful-paint')[0].startTime`)),
    )
  }
  console.log(`first paint of the till: ${times.map(Math.round).join(', ')} ms at a quarter of the CPU speed`)
  // The service and other work share the two cores, so the best of five counts.
  expect(Math.min(...times)).toBeLessThan(maxFirstPaint_ms)
})

test('the till is installable, and its service worker stores the shell and nothing of the API', async () => {
  await using user = await openBrowser({ address: fixture.address })
  const { page } = await openPairedTill(fixture, user, ['age_over_18_photo'])
  const devtools = await user.context.newCDPSession(page)
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors')
  // The browser of the tests is always in incognito mode.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([])
  const manifest = await devtools.send('Page.getAppManifest')
  expect(manifest.errors).toEqual([])
  expect(JSON.parse(manifest.data ?? '{}')).toMatchObject({ start_url: '/till', display: 'standalone' })

  await expect.poll(() => page.evaluate('navigator.serviceWorker.controller !== null')).toBe(true)
  await fixture.respond(await ask(page, '18 or over, with photo You compare the photo'), { persona: 'adult' })
  await page.getByRole('button', { name: 'Same person' }).click()
  expect(await readWord(page)).toBe('Yes')
  const stored = await readCaches(page)
  expect(stored.map((url) => new URL(url).pathname).toSorted()).toEqual([
    '/till',
    ...readdirSync(new URL('../apps/till/dist/assets', import.meta.url))
      .map((name) => `/till/assets/${name}`)
      .toSorted(),
  ])
})

test('a new version replaces the old one: by itself if nothing is lost, and otherwise on request', async () => {
  await using proxy = await startVersionedProxy(fixture.address)
  await using user = await openBrowser({ address: proxy.address })
  const { page } = await openPairedTill(fixture, user)
  await expect.poll(() => page.evaluate('navigator.serviceWorker.controller !== null')).toBe(true)
  await page.reload()
  const ready = page.getByRole('heading', { name: 'What do you want to check?' })
  await ready.waitFor()
  expect(await readVersion(page)).toBe('')

  proxy.release('second')
  await page.evaluate('navigator.serviceWorker.getRegistration().then((found) => found.update())')
  await expect.poll(() => readVersion(page).catch(() => '')).toBe('second')
  await ready.waitFor()
  expect(await page.evaluate('caches.keys()')).toEqual(['vidimus-till-second'])

  // With outcomes of the shift on the screen, staff decide when.
  await ask(page)
  await page.getByRole('button', { name: 'Stop' }).click()
  proxy.release('third')
  await page.evaluate('navigator.serviceWorker.getRegistration().then((found) => found.update())')
  await page.getByText('A new version is ready.').waitFor()
  expect(await readVersion(page)).toBe('second')
  expect(await readOutcomes(page)).toHaveLength(1)
  await page.getByRole('button', { name: 'Restart' }).click()
  await expect.poll(() => readVersion(page).catch(() => '')).toBe('third')
  await ready.waitFor()
})

/** WCAG 1.4.6: 7:1, and 4.5:1 for large text. `findViolations` asks for less. */
function findLowContrast(page: Page): Promise<string[]> {
  return runAxe(page, ['color-contrast-enhanced'])
}

async function readCaches(page: Page): Promise<string[]> {
  return (await page.evaluate(`(async () => {
    const found = []
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys()) found.push(url)
    return found
  })()`)) as string[]
}

/** The version in the page, which only the proxy writes. */
async function readVersion(page: Page): Promise<string> {
  return (await page.evaluate(`document.querySelector('meta[name=version]')?.content ?? ''`)) as string
}
