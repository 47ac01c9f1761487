import type { Locator, Page } from 'playwright-core'
import { test } from 'vitest'
import { openBrowser } from './fixture/browser.ts'
import { closeDashboard, startDashboard } from './fixture/dashboard-fixture.ts'
import type { PageName } from './fixture/pages.ts'
import { seed } from './fixture/seed.ts'
import { openPage } from './keyboard/walk-page.ts'

/** `E2E_GUIDE_IMAGES=docs/images npm run e2e -- guide-images` renews the images of the guides. */
const folder = process.env['E2E_GUIDE_IMAGES']

/** The content beside the navigation and below the bar of the test environment. */
const content = { x: 241, y: 32, width: 1199 }

const windows: readonly (readonly [image: string, page: PageName, theme: 'light' | 'dark'])[] = [
  ['overview', 'overview', 'light'],
  ['verifications', 'verifications', 'light'],
  ['verification', 'verification', 'light'],
  ['templates', 'templates', 'light'],
  ['template', 'template', 'light'],
  ['devices', 'devices', 'light'],
  ['keys-dark', 'keys', 'dark'],
  ['webhooks', 'webhooks', 'light'],
  ['delivery', 'delivery', 'light'],
  ['usage', 'usage', 'light'],
  ['team', 'team', 'light'],
  ['settings', 'settings', 'light'],
  ['account', 'account', 'light'],
]

test.skipIf(folder === undefined)(
  'the images of the guides are written',
  async () => {
    const fixture = await startDashboard()
    const user = await fixture.signIn({ email: 'marta.keller@harbour.example' })
    const { page } = user
    const pages = await seed(fixture)
    for (const [image, name, theme] of windows) {
      await page.emulateMedia({ colorScheme: theme })
      await openPage(page, pages[name])
      await save(page, image)
    }
    await page.emulateMedia({ colorScheme: 'light' })

    await openPage(page, pages.verification)
    await page.getByRole('button', { name: 'Erase…' }).click()
    await saveDialog(page, 'erase', { width: 640, height: 420 })

    await openPage(page, pages.devices)
    await page.getByRole('button', { name: 'Register device' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Bar, right till')
    await page.getByLabel('Age over 18', { exact: true }).check()
    await page.getByRole('button', { name: 'Register and show code' }).click()
    await page.getByRole('img', { name: /QR code/ }).waitFor()
    await saveDialog(page, 'pair', { width: 640, height: 640 })

    await openPage(page, pages['template-new'])
    await page.getByRole('textbox', { name: 'Key' }).fill('club_entry_with_name')
    await page.getByRole('textbox', { name: 'Name' }).fill('Club entry')
    await page.getByLabel('Given name', { exact: true }).check()
    await page.getByText('No issues found').waitFor()
    await save(page, 'template-new', { ...content, height: 868 })

    await openPage(page, pages.audit)
    await page.getByRole('button', { name: 'Check now' }).click()
    await page.getByText(/^Chain intact/).waitFor()
    await save(page, 'audit', { ...content, height: 690 })

    await openPage(page, pages['webhooks-debugger'])
    await page.getByLabel('X-Service-Signature').fill(`t=1794735751,v1=${'3f'.repeat(32)}`)
    await page.getByLabel('Raw body').fill('{\n  "type": "verification.completed",\n  "verification": {}\n}')
    await page.getByLabel('Signing secret', { exact: true }).last().fill('whsec_of_another_environment')
    await page.getByRole('button', { name: 'Check signature' }).click()
    await page.getByText('No signature matches.').waitFor()
    await save(page, 'debugger', { ...content, height: 868 })

    await openPage(page, pages['webhooks-secret'])
    await page.getByRole('button', { name: 'Rotate…' }).click()
    await page.getByRole('button', { name: 'Rotate secret' }).click()
    await page.getByRole('button', { name: 'I have copied it' }).click()
    await page.getByText('Rotation in progress').waitFor()
    await save(page, 'secret', { ...content, height: 780 })

    await page.setViewportSize({ width: 390, height: 844 })
    await openPage(page, pages.devices)
    await save(page, 'devices-phone')

    const visitor = await openBrowser({ address: fixture.address })
    await visitor.page.goto('/dashboard/sign-in')
    await visitor.page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
    await save(visitor.page, 'sign-in')
    await closeDashboard(fixture)
  },
  300_000,
)

type Area = { x: number; y: number; width: number; height: number }

async function save(page: Page, image: string, clip?: Area): Promise<void> {
  await page.mouse.move(0, 0)
  await page.evaluate('document.fonts.ready')
  await page.screenshot({
    path: `${folder}/dashboard-${image}.png`,
    animations: 'disabled',
    ...(clip !== undefined && { clip }),
  })
}

/** The dialog and a little of the page around it. */
async function saveDialog(page: Page, image: string, size: { width: number; height: number }): Promise<void> {
  const box = await boxOf(page.getByRole('dialog'))
  const x = Math.round(box.x + box.width / 2 - size.width / 2)
  const y = Math.round(box.y + box.height / 2 - size.height / 2)
  await save(page, image, { x, y, ...size })
}

async function boxOf(element: Locator): Promise<Area> {
  await element.waitFor()
  const box = await element.boundingBox()
  if (box === null) throw new Error('the element is not visible')
  return box
}
