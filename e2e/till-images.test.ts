import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { openBrowser } from './fixture/browser.ts'
import { closeDashboard, startDashboard } from './fixture/dashboard-fixture.ts'
import { takeScreenshot } from './fixture/screenshot.ts'
import { ask, openPairedTill, readWord, reportWalletError } from './fixture/till.ts'

/** `E2E_GUIDE_IMAGES=/absolute/folder npm run e2e -- till-images` renews the images of the guide to the till. */
const folder = process.env['E2E_GUIDE_IMAGES']

const tablets = [
  { width: 768, height: 1024 },
  { width: 1280, height: 800 },
] as const
const deficiencies = ['none', 'protanopia', 'deuteranopia', 'tritanopia', 'achromatopsia'] as const

test.skipIf(folder === undefined)(
  "the images of the till's guide are written, at half the size of a tablet",
  async () => {
    const fixture = await startDashboard()
    await using user = await openBrowser({ address: fixture.address, scale: 0.5 })
    const { page } = user
    const save = (name: string) =>
      page.screenshot({ path: `${folder}/till-${name}.png`, animations: 'disabled' })
    await page.setViewportSize(tablets[0])
    await page.goto('/till')
    await page.getByLabel('Pairing code').fill('VD-7K3M-9QWX')
    await save('pair')
    const { device_id } = await openPairedTill(fixture, user, [
      'age_over_18',
      'age_over_18_photo',
      'identity_basic',
    ])
    await save('ready')
    const wallet_uri = await ask(page)
    await save('asking')
    await fixture.respond(wallet_uri, { persona: 'adult' })
    await readWord(page)
    await save('yes')
    await saveForJudging(page, 'yes')
    await page.getByRole('button', { name: 'Next' }).click()
    await fixture.respond(await ask(page), { persona: 'minor' })
    await readWord(page)
    await save('no')
    await saveForJudging(page, 'no')
    await page.getByRole('button', { name: 'Next' }).click()
    await reportWalletError(await ask(page))
    await readWord(page)
    await save('not-checked')
    await saveForJudging(page, 'not-checked')
    await page.getByRole('button', { name: 'Next' }).click()
    await fixture.respond(await ask(page, '18 or over with photo'), { persona: 'adult' })
    await page.getByRole('img', { name: 'Photo from the document' }).waitFor()
    await save('photo')
    await page.getByRole('button', { name: 'Next' }).click()
    await save('outcomes')
    await user.context.setOffline(true)
    await page.getByText('No connection. Checks are possible again').waitFor()
    await save('offline')
    await user.context.setOffline(false)
    await ask(page)
    await saveForJudging(page, 'asking')
    await fixture.merchant.delete(`/v1/devices/${device_id}`)
    await page.getByRole('heading', { name: 'Pair this till again' }).waitFor()
    await save('pair-again')
    await closeDashboard(fixture)
  },
  300_000,
)

/** On both tablets, in both themes, and as people with a colour vision deficiency see it. Only with `E2E_PICTURES`. */
async function saveForJudging(page: Page, name: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  for (const tablet of tablets) {
    await page.setViewportSize(tablet)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      for (const type of deficiencies) {
        await devtools.send('Emulation.setEmulatedVisionDeficiency', { type })
        await takeScreenshot(page, `judge-${name}-${tablet.width}-${colorScheme}-${type}`, false)
      }
    }
  }
  await devtools.send('Emulation.setEmulatedVisionDeficiency', { type: 'none' })
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(tablets[0])
}
