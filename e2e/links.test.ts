import { afterAll, beforeAll, expect, test } from 'vitest'
import { themeChecks } from './fixture/axe.ts'
import { openBrowser } from './fixture/browser.ts'
import { closeDashboard, startDashboard, type DashboardFixture } from './fixture/dashboard-fixture.ts'

let fixture: DashboardFixture
beforeAll(async () => {
  fixture = await startDashboard()
})
afterAll(() => closeDashboard(fixture))

const newLink = async (more: object = {}) =>
  (
    await fixture.merchant.post('/v1/verification_links', {
      name: 'Wine tasting',
      template: 'age_over_18',
      purpose: 'Age check for the tasting',
      ...more,
    })
  ).body

test('a link is opened without script on a phone, completed, and both sides see the same code', async () => {
  const { address } = fixture
  const { url, id: link_id } = await newLink({ single_use: true })
  await using visitor = await openBrowser({ address, phone: true, script: false })
  await visitor.page.goto(url)
  await visitor.page.getByText('Age check for the tasting').first().waitFor()
  expect(await visitor.context.cookies()).toEqual([])
  await visitor.page.getByRole('button', { name: 'Start' }).click()
  await visitor.page.waitForURL(/\/verify\/vs_/)
  const id = /vs_[\w-]+/.exec(visitor.page.url())?.[0] ?? ''
  await visitor.page.goto(url)
  await visitor.page.getByRole('button', { name: 'Start' }).click()
  await visitor.page.waitForURL(new RegExp(id))

  const { wallet_uri } = (await fixture.merchant.get(`/v1/verifications/${id}`)).body
  await fixture.respond(wallet_uri, { persona: 'adult' })
  await visitor.page.reload()
  const code = await visitor.page
    .locator('dt', { hasText: 'Confirmation code' })
    .locator('+ dd')
    .textContent()
  expect(code).toMatch(/^[0-9A-Z]{3}-[0-9A-Z]{3}$/)
  expect([visitor.cspViolations, visitor.foreignRequests]).toEqual([[], []])

  await using member = await fixture.signIn()
  await member.page.goto(`/dashboard/test/links/${link_id}`)
  await member.page.getByText('Used', { exact: true }).first().waitFor()
  await member.page.goto(`/dashboard/test/verifications/${id}`)
  await member.page.getByText(code ?? 'no code').waitFor()
  await visitor.page.goto(url)
  await visitor.page.getByRole('heading', { name: 'This link was already used' }).waitFor()
})

test('axe finds no violation on the page of a link, nor where it says that it has ended, at 320 pixels, light and dark', async () => {
  const { address } = fixture
  const open = await newLink()
  const ended = await newLink({ active: false })
  for (const { theme, find } of themeChecks)
    for (const { url } of [open, ended]) {
      await using visitor = await openBrowser({ address, phone: true, theme })
      await visitor.page.setViewportSize({ width: 320, height: 640 })
      await visitor.page.goto(url)
      expect(await find(visitor.page)).toEqual([])
      expect(await visitor.page.evaluate('document.documentElement.scrollWidth')).toBe(320)
    }
})
