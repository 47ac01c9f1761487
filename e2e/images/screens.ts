import type { Page } from 'playwright-core'
import { openBrowser, type BrowserUser } from '../fixture/browser.ts'
import { expireSession, type HolderFixture } from '../fixture/holder-fixture.ts'
import { ask, fetchRequest, openPairedTill, readWord, reportWalletError } from '../fixture/till.ts'
import { openVirtualWallet } from '../fixture/virtual-wallet.ts'

const themes = ['light', 'dark'] as const
const height = 200

type Size = readonly [width: number, height: number]
type Screen = { name: string; shots: Buffer[] }

/** What a page is shown on decides what it offers. */
const devices: readonly { phone: boolean; sizes: readonly Size[] }[] = [
  {
    phone: true,
    sizes: [
      [360, 640],
      [390, 844],
    ],
  },
  { phone: true, sizes: [[768, 1024]] },
  { phone: false, sizes: [[1440, 900]] },
]
const allSizes = devices.flatMap(({ sizes }) => sizes)

/** Every screen of the holder's page, in both themes and four sizes. */
export async function composePageScreens(fixture: HolderFixture): Promise<Page> {
  const columns: Screen[][] = []
  for (const { phone, sizes } of devices) {
    await using user = await openBrowser({ address: fixture.address, phone })
    const column: Screen[] = []
    columns.push(column)
    for (const [name, show] of Object.entries(pageScreens)) {
      const [width, full] = sizes[0] ?? [0, 0]
      await user.page.setViewportSize({ width, height: full })
      await show(fixture, user)
      column.push({ name, shots: await shootAll(user.page, sizes) })
    }
  }
  const { page } = await openBrowser({ address: fixture.address })
  const screens = Object.keys(pageScreens).map((name, index) => {
    const shots = columns.map((column) => column[index]?.shots ?? [])
    const light = shots.flatMap((each) => each.slice(0, each.length / 2))
    return { name, shots: [...light, ...shots.flatMap((each) => each.slice(each.length / 2))] }
  })
  return composeSheet(page, screens)
}

const title = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor()

async function openPage(fixture: HolderFixture, page: Page, more: Record<string, unknown> = {}) {
  const alternative_url = 'https://shop.example/other'
  const verification = await fixture.create({ redirect_url: fixture.shop, alternative_url, ...more })
  await page.goto(`/verify/${verification.id}`)
  await page.locator('vidimus-verify [part~=button]').first().waitFor()
  return verification
}

const pageScreens: Record<string, (fixture: HolderFixture, user: BrowserUser) => Promise<unknown>> = {
  Age: (fixture, { page }) => openPage(fixture, page),
  async Details(fixture, { page }) {
    await openPage(fixture, page, { template: 'pid_full', purpose: 'Opening your account' })
    await page.getByText('Details', { exact: true }).click()
  },
  async 'Another way'(fixture, { page }) {
    await openPage(fixture, page)
    await page.getByRole('button', { name: 'Another way' }).click()
    await title(page, 'Another way')
  },
  async 'No wallet'(fixture, { page }) {
    await openPage(fixture, page)
    await page.getByRole('button', { name: 'I have no wallet' }).click()
    await title(page, 'No wallet yet?')
  },
  async Opened(fixture, { page }) {
    const { id } = await openPage(fixture, page)
    await fixture.service.anonymous.get(`/wallet/request/${id}`)
    await title(page, 'Continue in your wallet')
  },
  async Checking(fixture, user) {
    const { page } = user
    const { id } = await openPage(fixture, page)
    const wallet = await openVirtualWallet(fixture, user)
    await wallet.respond({ id, origin: fixture.address, channel: 'dc_api' })
    // Its response never arrives.
    await page.route(`**/wallet/dc/${id}*`, async (route) => {
      if (route.request().method() !== 'POST') await route.continue()
    })
    await page.getByRole('button', { name: 'Continue with your wallet' }).click()
    await title(page, 'Checking your document')
  },
  async Completed(fixture, { page }) {
    const opened = await openPage(fixture, page, { redirect_url: undefined })
    await fixture.respondToCode(opened, { persona: 'adult' })
    await title(page, 'Done')
  },
  async Declined(fixture, { page }) {
    await fixture.respondToCode(await openPage(fixture, page), { persona: 'declines' })
    await title(page, 'Nothing was shared')
  },
  async 'Try again'(fixture, { page }) {
    await fixture.respondToCode(await openPage(fixture, page, { max_attempts: 3 }), { persona: 'expired' })
    await title(page, 'Your document could not be accepted')
  },
  async Expired(fixture, { page }) {
    await expireSession(fixture, (await openPage(fixture, page)).id)
    await page.reload()
    await title(page, 'The time is up')
  },
}

/** Every screen of the till, likewise. */
export async function composeTillScreens(fixture: HolderFixture): Promise<Page> {
  const till = await openBrowser({ address: fixture.address })
  const { page } = till
  const screens: Screen[] = []
  const shoot = async (name: string) => void screens.push({ name, shots: await shootAll(page, allSizes) })
  const done = () => page.getByRole('button', { name: 'Done' }).click()

  await page.goto('/till')
  await page.getByLabel('Pairing code').fill('VD-7K3M-9QWX')
  await shoot('Pairing')
  await openPairedTill(fixture, till, ['age_over_18', 'age_over_18_photo', 'identity_basic'])
  await shoot('Home')
  const asked = await ask(page)
  await shoot('Asking')
  await fetchRequest(asked)
  await page.getByText('Scanned', { exact: true }).waitFor()
  await shoot('Scanned')
  await fixture.respond(asked, { persona: 'adult' })
  await readWord(page)
  await shoot('Yes')
  await done()
  await fixture.respond(await ask(page), { persona: 'minor' })
  await readWord(page)
  await shoot('No')
  await done()
  await reportWalletError(await ask(page))
  await readWord(page)
  await shoot('Not checked')
  await done()
  await fixture.respond(await ask(page, '18 or over, with photo You compare the photo'), { persona: 'adult' })
  await page.getByRole('img', { name: 'Photo from the document' }).waitFor()
  await shoot('Compare')
  return composeSheet(page, screens)
}

/** All sizes in the light theme, then in the dark one. */
async function shootAll(page: Page, sizes: readonly Size[]): Promise<Buffer[]> {
  const shots: Buffer[] = []
  for (const colorScheme of themes)
    for (const [width, full] of sizes) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: full })
      shots.push(await page.screenshot({ animations: 'disabled' }))
    }
  return shots
}

async function composeSheet(page: Page, screens: readonly Screen[]): Promise<Page> {
  const rows = screens.map(({ name, shots }) => {
    const images = shots.map((png) => `<img src="data:image/png;base64,${png.toString('base64')}" alt="">`)
    return `<h2>${name}</h2><div>${images.join('')}</div>`
  })
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto('about:blank')
  await page.setViewportSize({ width: 1480, height: screens.length * (height + 29) + 20 })
  await page.setContent(`<style>${style}</style><main>${rows.join('')}</main>`)
  return page
}

const style = `
  body { margin: 0; background: #eef1f4; font: 14px system-ui, sans-serif }
  main { padding: 8px 16px }
  h2 { font-size: 14px; margin: 8px 0 4px; color: #1b2734 }
  div { display: flex; gap: 8px }
  img { height: ${height}px; border-radius: 4px; outline: 1px solid #c9d1d9 }
`
