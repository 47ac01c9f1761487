import type { Page } from 'playwright-core'
import { openBrowser } from '../fixture/browser.ts'
import { expireSession, type HolderFixture } from '../fixture/holder-fixture.ts'
import { ask, fetchRequest, openPairedTill, readWord, reportWalletError } from '../fixture/till.ts'

const themes = ['light', 'dark'] as const
const sizes = [
  [360, 640],
  [390, 844],
  [768, 1024],
  [1440, 900],
] as const
const height = 200

type Screen = { name: string; shots: Buffer[] }

/** Every screen of the holder's page, in both themes and four sizes. */
export async function composePageScreens(fixture: HolderFixture): Promise<Page> {
  const { page } = await openBrowser({ address: fixture.address })
  const screens: Screen[] = []
  const open = async (more: Record<string, unknown> = {}) => {
    const verification = await fixture.create({ redirect_url: fixture.shop, ...more })
    await page.goto(`/verify/${verification.id}`)
    await page.locator('vidimus-verify [part~=button]').first().waitFor()
    return verification
  }
  const shoot = async (name: string) => void screens.push({ name, shots: await shootAll(page) })
  const title = (name: string) => page.getByRole('heading', { name }).waitFor()

  await open()
  await shoot('Age')
  await open({ template: 'pid_full', purpose: 'Opening your account' })
  await shoot('Identity')
  await page.getByRole('button', { name: 'I have no wallet' }).click()
  await title('No wallet yet?')
  await shoot('No wallet')
  const opened = await open()
  await fixture.service.anonymous.get(`/wallet/request/${opened.id}`)
  await title('Continue in your wallet')
  await shoot('Opened')
  await fixture.respondToCode(await open({ redirect_url: undefined }), { persona: 'adult' })
  await title('Done')
  await shoot('Completed')
  await fixture.respondToCode(await open(), { persona: 'declines' })
  await title('Nothing was shared')
  await shoot('Declined')
  const late = await open()
  await expireSession(fixture, late.id)
  await page.reload()
  await title('The time is up')
  await shoot('Expired')
  return composeSheet(page, screens)
}

/** Every screen of the till, likewise. */
export async function composeTillScreens(fixture: HolderFixture): Promise<Page> {
  const till = await openBrowser({ address: fixture.address })
  const { page } = till
  const screens: Screen[] = []
  const shoot = async (name: string) => void screens.push({ name, shots: await shootAll(page) })
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

async function shootAll(page: Page): Promise<Buffer[]> {
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
