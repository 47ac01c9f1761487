import type { Locator, Page } from 'playwright-core'
import { setHolderPage } from '../../apps/service/src/accounts/tenants/holder-page.ts'
import { openBrowser, type BrowserOptions, type BrowserUser } from '../fixture/browser.ts'
import type { HolderFixture } from '../fixture/holder-fixture.ts'
import { openPage, type DashboardPage, type PageName } from '../fixture/pages.ts'
import { ask, openPairedTill, readWord, reportWalletError } from '../fixture/till.ts'
import { composePageScreens, composeTillScreens } from './screens.ts'
import { composeSides } from './three-sides.ts'

type Area = { x: number; y: number; width: number; height: number }

/** What the steps work with: the page of a member who signed in, and a till whose pictures are half the size of a tablet. */
type Stage = {
  fixture: HolderFixture
  pages: Record<PageName, DashboardPage>
  member: Page
  till: BrowserUser
}

/** Steps to what the picture shows: the window, a part of it, or the whole length of the page. */
type Picture = (
  stage: Stage,
) => Promise<{ page: Page; clip?: Area; fullPage?: boolean; omitBackground?: boolean }>

/** By file name in docs/images, in the order in which they are taken: each continues where the one before it ended. */
export const pictures: Record<string, Picture> = {
  'dashboard-overview': window('overview'),
  'dashboard-verifications': window('verifications'),
  'dashboard-verification': window('verification'),
  'dashboard-erase': async ({ member, pages }) => {
    await openPage(member, pages.verification)
    await member.getByRole('button', { name: 'Erase…' }).click()
    return dialog(member, { width: 640, height: 420 })
  },
  'dashboard-templates': window('templates'),
  'dashboard-template': window('template'),
  'dashboard-template-new': async ({ member, pages }) => {
    await openPage(member, pages['template-new'])
    await member.getByRole('textbox', { name: 'Key' }).fill('club_entry_with_name')
    await member.getByRole('textbox', { name: 'Name' }).fill('Club entry')
    await member.getByLabel('Given name', { exact: true }).check()
    await member.getByText('No issues found').waitFor()
    return content(member, 868)
  },
  'dashboard-devices': window('devices'),
  'dashboard-devices-phone': async ({ member, pages }) => {
    await member.setViewportSize({ width: 390, height: 844 })
    await openPage(member, pages.devices)
    return { page: member }
  },
  'dashboard-pair': async ({ member, pages }) => {
    await member.setViewportSize({ width: 1440, height: 900 })
    await openPage(member, pages.devices)
    await member.getByRole('button', { name: 'Register device' }).click()
    await member.getByRole('textbox', { name: 'Name' }).fill('Bar, right till')
    await member.getByLabel('Age over 18', { exact: true }).check()
    await member.getByRole('button', { name: 'Register and show code' }).click()
    await member.getByRole('img', { name: /QR code/ }).waitFor()
    return dialog(member, { width: 640, height: 640 })
  },
  'dashboard-keys-dark': window('keys', 'dark'),
  'dashboard-webhooks': window('webhooks'),
  'dashboard-delivery': window('delivery'),
  'dashboard-debugger': async ({ member, pages }) => {
    await openPage(member, pages['webhooks-debugger'])
    await member.getByLabel('X-Service-Signature').fill(`t=1794735751,v1=${'3f'.repeat(32)}`)
    await member
      .getByLabel('Raw body')
      .fill('{\n  "type": "verification.completed",\n  "verification": {}\n}')
    await member.getByLabel('Signing secret', { exact: true }).last().fill('whsec_of_another_environment')
    await member.getByRole('button', { name: 'Check signature' }).click()
    await member.getByText('No signature matches.').waitFor()
    return content(member, 868)
  },
  'dashboard-secret': async ({ member, pages }) => {
    await openPage(member, pages['webhooks-secret'])
    await member.getByRole('button', { name: 'Rotate…' }).click()
    await member.getByRole('button', { name: 'Rotate secret' }).click()
    await member.getByRole('button', { name: 'I have copied it' }).click()
    await member.getByText('Rotation in progress').waitFor()
    return content(member, 780)
  },
  'dashboard-usage': window('usage'),
  'dashboard-audit': async ({ member, pages }) => {
    await openPage(member, pages.audit)
    await member.getByRole('button', { name: 'Check now' }).click()
    await member.getByText(/^Chain intact/).waitFor()
    return content(member, 690)
  },
  'dashboard-team': window('team'),
  'dashboard-settings': window('settings'),
  'dashboard-account': window('account'),
  'dashboard-sign-in': async ({ fixture }) => {
    const { page } = await openBrowser({ address: fixture.address })
    await page.goto('/dashboard/sign-in')
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
    return { page, clip: { x: 370, y: 210, width: 700, height: 480 } }
  },

  'page-computer': async ({ fixture }) => openHolderPage(fixture, {}),
  'page-dark': async ({ fixture }) =>
    openHolderPage(fixture, { theme: 'dark', locale: 'de-DE' }, 'Altersprüfung für Ihre Bestellung'),
  'page-phone': async ({ fixture }) => openHolderPage(fixture, { phone: true }),
  'page-opened': async ({ fixture }) => {
    const shot = await openHolderPage(fixture, { phone: true })
    await fixture.service.anonymous.get(`/wallet/request/${shot.session.id}`)
    await shot.page.getByRole('heading', { name: 'Continue in your wallet' }).waitFor()
    return shot
  },
  'page-card': async ({ fixture }) => {
    const by = { kind: 'operator', tenant_id: fixture.merchant.tenant_id } as const
    await setHolderPage(fixture.service.ctx, { by, holder_erasure: 'ask_merchant' })
    const shot = await openHolderPage(fixture, { phone: true })
    await fixture.respondToCode(shot.session, { persona: 'adult' })
    await shot.page.getByRole('heading', { name: 'Done' }).waitFor()
    await shot.page.goto(`/verify/${shot.session.id}/card`)
    await shot.page.getByRole('link', { name: 'Save the card' }).waitFor()
    return shot
  },
  'page-declined': async ({ fixture }) => {
    const shot = await openHolderPage(fixture, { phone: true })
    await fixture.respondToCode(shot.session, { persona: 'declines' })
    await shot.page.getByRole('heading', { name: 'Nothing was shared' }).waitFor()
    return shot
  },

  'till-pair': async ({ till: { page } }) => {
    await page.goto('/till')
    await page.getByLabel('Pairing code').fill('VD-7K3M-9QWX')
    return { page }
  },
  'till-ready': async ({ fixture, till }) =>
    openPairedTill(fixture, till, ['age_over_18', 'age_over_18_photo', 'identity_basic']),
  'till-yes': async ({ fixture, till: { page } }) => {
    await fixture.respond(await ask(page), { persona: 'adult' })
    await readWord(page)
    return { page }
  },
  'till-no': async ({ fixture, till: { page } }) => {
    await page.getByRole('button', { name: 'Done' }).click()
    await fixture.respond(await ask(page), { persona: 'minor' })
    await readWord(page)
    return { page }
  },
  'till-not-checked': async ({ till: { page } }) => {
    await page.getByRole('button', { name: 'Done' }).click()
    await reportWalletError(await ask(page))
    await readWord(page)
    return { page }
  },
  'till-photo': async ({ fixture, till: { page } }) => {
    await page.getByRole('button', { name: 'Done' }).click()
    await fixture.respond(await ask(page, '18 or over, with photo You compare the photo'), {
      persona: 'adult',
    })
    await page.getByRole('img', { name: 'Photo from the document' }).waitFor()
    return { page }
  },
  'till-outcomes': async ({ till: { page } }) => {
    await page.getByRole('button', { name: 'Same person' }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Last checks' }).click()
    await page.getByRole('heading', { name: 'Last checks' }).waitFor()
    return { page }
  },
  'till-offline': async ({ till: { page, context } }) => {
    await page.keyboard.press('Escape')
    await context.setOffline(true)
    await page.getByText('No connection. Checks are possible again').waitFor()
    return { page }
  },
  'till-asking': async ({ till: { page, context } }) => {
    await context.setOffline(false)
    await ask(page)
    return { page }
  },
  'till-pair-again': async ({ fixture, till: { page } }) => {
    const { body } = await fixture.merchant.get('/v1/devices?limit=1')
    await fixture.merchant.delete(`/v1/devices/${body.data[0].id}`)
    await page.getByRole('heading', { name: 'Pair this till again' }).waitFor()
    return { page }
  },

  'page-screens': async ({ fixture }) => ({ page: await composePageScreens(fixture) }),
  'till-screens': async ({ fixture }) => ({ page: await composeTillScreens(fixture) }),

  'three-sides': async ({ fixture, pages }) => {
    const phone = await openHolderPage(fixture, { phone: true, scale: 2 })
    await phone.page.setViewportSize({ width: 390, height: 802 })
    const till = await openBrowser({ address: fixture.address })
    await till.page.setViewportSize({ width: 768, height: 1024 })
    await openPairedTill(fixture, till)
    await fixture.respond(await ask(till.page), { persona: 'adult' })
    await readWord(till.page)
    const member = await fixture.signIn({ scale: 2 })
    await member.page.setViewportSize({ width: 1280, height: 900 })
    await openPage(member.page, pages.overview)
    const { page } = await openBrowser({ address: fixture.address, scale: 2 })
    await composeSides(page, {
      dashboard: await member.page.screenshot(),
      phone: await phone.page.screenshot(),
      till: await till.page.screenshot(),
    })
    return { page, omitBackground: true }
  },
}

/** A page of the dashboard, with its navigation. */
function window(name: PageName, colorScheme: 'light' | 'dark' = 'light'): Picture {
  return async ({ member, pages }) => {
    await member.emulateMedia({ colorScheme })
    await openPage(member, pages[name])
    return { page: member }
  }
}

/** What is beside the navigation and below the bar of the test environment. */
function content(page: Page, height: number): { page: Page; clip: Area } {
  return { page, clip: { x: 241, y: 32, width: 1199, height } }
}

/** The dialog and a little of the page around it. */
async function dialog(
  page: Page,
  size: { width: number; height: number },
): Promise<{ page: Page; clip: Area }> {
  const box = await boxOf(page.getByRole('dialog'))
  const x = Math.round(box.x + box.width / 2 - size.width / 2)
  const y = Math.round(box.y + box.height / 2 - size.height / 2)
  return { page, clip: { x, y, ...size } }
}

async function boxOf(element: Locator): Promise<Area> {
  await element.waitFor()
  const box = await element.boundingBox()
  if (box === null) throw new Error('the element is not visible')
  return box
}

async function openHolderPage(
  fixture: HolderFixture,
  options: Omit<BrowserOptions, 'address'>,
  purpose = 'Age check for your order',
) {
  const { page } = await openBrowser({ address: fixture.address, ...options })
  const session = await fixture.create({ redirect_url: fixture.shop, purpose })
  await page.goto(`/verify/${session.id}`)
  await page.locator('vidimus-verify [part~=button]').first().waitFor()
  return { page, session, fullPage: true }
}
