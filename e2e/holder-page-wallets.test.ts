import { afterAll, expect, test } from 'vitest'
import { setHolderPage } from '../apps/service/src/accounts/tenants/holder-page.ts'
import { openBrowser } from './fixture/browser.ts'
import { closeDashboard } from './fixture/dashboard-fixture.ts'
import { openShop, settle, startHolderFixture } from './fixture/holder-fixture.ts'
import { openVirtualWallet } from './fixture/virtual-wallet.ts'

const fixture = await startHolderFixture()
const { address, merchant, service } = fixture
const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
await setHolderPage(service.ctx, { by, age_app: true })
afterAll(() => closeDashboard(fixture))

const readSession = async (id: string) => (await service.anonymous.get(`/verify/${id}/session`)).body
const readClaims = async (id: string) => (await merchant.get(`/v1/verifications/${id}`)).body.claims

test.each([
  { channel: 'dc_api', format: 'dc+sd-jwt', phone: false },
  { channel: 'dc_api', format: 'mso_mdoc', phone: true },
  { channel: 'annex_c', format: 'mso_mdoc', phone: false },
] as const)(
  'the hosted page passes on an answer over $channel in $format, and follows the redirect with its code once (phone: $phone)',
  async ({ channel, format, phone }) => {
    await using user = await openBrowser({ address, phone })
    const visited = await openShop(user.page, fixture)
    const { id } = await fixture.create({ redirect_url: fixture.shop })
    const wallet = await openVirtualWallet(fixture, user)
    await wallet.respond({ id, origin: address, channel, format })
    await user.page.goto(`/verify/${id}`)

    await user.page.getByRole('button', { name: 'Continue with your wallet' }).click()
    await user.page.getByRole('heading', { name: 'Back at the shop' }).waitFor()
    await settle()
    // The fragment, with the code, never leaves the browser.
    expect(visited).toEqual([fixture.shop])
    expect(user.page.url()).toMatch(/#response_code=./)
    expect(await readClaims(id)).toEqual({ age_over_18: true })
    expect(user.cspViolations).toEqual([])
  },
)

test('[DC-12] the age app opens by its link on a phone, and the page shows the outcome', async () => {
  await using user = await openBrowser({ address, phone: true })
  const { id } = await fixture.create()
  await user.page.goto(`/verify/${id}`)
  await user.page.getByRole('button', { name: 'Another way' }).click()
  const link = user.page.getByRole('link', { name: 'EU age app' })
  const href = await link.getAttribute('href')
  expect(href).toMatch(/^av:\/\/\?/)

  await fixture.respond(href ?? '', { persona: 'age_app' })
  await user.page.getByRole('heading', { name: 'Done' }).waitFor()
  expect(await readClaims(id)).toEqual({ age_over_18: true })
})

test('[DC-12] [PAGE-5] the age app scans its own QR code, gets no redirect, and the page moves on without a code', async () => {
  await using user = await openBrowser({ address })
  const visited = await openShop(user.page, fixture)
  const { id } = await fixture.create({ redirect_url: fixture.shop })
  await user.page.goto(`/verify/${id}`)
  const code = user.page.locator('vidimus-verify .scan svg.qr path').last()
  const walletCode = await code.getAttribute('d')
  await user.page.getByRole('button', { name: 'Show the code for the EU age app' }).click()
  await expect.poll(() => code.getAttribute('d')).not.toBe(walletCode)

  const { age_app_screen_uri } = await readSession(id)
  await fixture.respond(age_app_screen_uri, { persona: 'age_app' })
  await user.page.getByRole('heading', { name: 'Back at the shop' }).waitFor()
  await settle()
  expect(visited).toEqual([fixture.shop])
  expect(user.page.url()).toBe(fixture.shop)
  expect(await readClaims(id)).toEqual({ age_over_18: true })
})
