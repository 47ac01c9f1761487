import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../apps/service/src/engine/db/sql.ts'
import { readTemplate } from '../apps/service/src/templates/list-templates.ts'
import { putTemplate } from '../apps/service/src/templates/put-template.ts'
import { setClockOffset } from '../apps/service/test/database/clock.ts'
import { openBrowser } from './fixture/browser.ts'
import { closeDashboard, startDashboard, type DashboardFixture } from './fixture/dashboard-fixture.ts'
import { ask, fetchRequest, openPairedTill, readOutcomes, readWord, registerTill } from './fixture/till.ts'

let fixture: DashboardFixture

beforeAll(async () => {
  fixture = await startDashboard()
})
afterAll(() => closeDashboard(fixture))

const over18 = (page: Page) => page.getByRole('button', { name: '18 or over', exact: true })

test('offline and back in every state: the buttons say why they are off, and nothing is sent later', async () => {
  await using user = await openBrowser({ address: fixture.address })
  const { page, context } = user
  const bar = page.getByRole('status').getByText(/^No connection/)

  await page.goto('/till')
  await page.getByLabel('Pairing code').waitFor()
  await context.setOffline(true)
  await bar.waitFor()
  expect(await page.getByRole('button', { name: 'Pair' }).isDisabled()).toBe(true)
  await context.setOffline(false)
  await bar.waitFor({ state: 'detached' })

  const { page: till, device_id } = await openPairedTill(fixture, user)
  await context.setOffline(true)
  await till.getByText('No connection. Checks are possible again once it is back.').waitFor()
  await expect.poll(() => over18(till).isDisabled()).toBe(true)
  await over18(till).click({ force: true })
  const sent = recordCreations(till)
  await context.setOffline(false)
  await bar.waitFor({ state: 'detached' })
  await expect.poll(() => over18(till).isEnabled()).toBe(true)
  expect(sent).toEqual([])

  // While asking: the holder responds meanwhile, and the answer appears afterwards.
  const wallet_uri = await ask(till)
  await context.setOffline(true)
  await till.getByText('No connection. The answer appears once it is back.').waitFor()
  expect(await till.getByRole('img', { name: 'QR code' }).isVisible()).toBe(true)
  await fixture.respond(wallet_uri, { persona: 'adult' })
  await context.setOffline(false)
  expect(await readWord(till)).toBe('Yes')

  // The answer stays; then the buttons are off until the connection is back.
  await context.setOffline(true)
  await till.waitForTimeout(200)
  expect(await readWord(till)).toBe('Yes')
  await till.getByRole('button', { name: 'Done' }).click()
  await over18(till).waitFor()
  expect(await over18(till).isDisabled()).toBe(true)

  // The app opens without a connection, and still does not ask.
  await till.reload()
  await over18(till).waitFor()
  await bar.waitFor()
  expect(await over18(till).isDisabled()).toBe(true)
  await context.setOffline(false)
  await bar.waitFor({ state: 'detached' })

  await ask(till)
  await fixture.merchant.delete(`/v1/devices/${device_id}`)
  await till.getByRole('heading', { name: 'Pair this till again' }).waitFor()
  await context.setOffline(true)
  await bar.waitFor()
  expect(await till.getByRole('button', { name: 'Pair' }).isDisabled()).toBe(true)
  await context.setOffline(false)
  await bar.waitFor({ state: 'detached' })
  expect(await till.getByRole('button', { name: 'Pair' }).isEnabled()).toBe(true)
  expect(sent).toHaveLength(2)
})

test('a connection that is lost while pairing leads back to the code, which says what to do', async () => {
  await using user = await openBrowser({ address: fixture.address })
  const { page } = user
  await page.route('**/v1/devices/enroll', async (route) => {
    await route.fetch()
    await route.abort()
  })
  const { pairing_code } = await registerTill(fixture)
  await page.goto(`/till#${pairing_code}`)
  await page.getByText('The connection was lost while pairing').waitFor()
  await page.unroute('**/v1/devices/enroll')
  await page.getByLabel('Pairing code').fill(pairing_code)
  await page.getByRole('button', { name: 'Pair' }).click()
  await page.getByText('This code is not known or has expired').waitFor()
})

test('[TILL-4] faults of the service on the way do not end a check, and a lasting one is Not checked', async () => {
  await using user = await openBrowser({ address: fixture.address })
  const { page } = await openPairedTill(fixture, user)
  let faults = 3
  // Without the stream the status is polled.
  await page.route('**/verify/*/events?*', (route) => route.abort())
  await page.route('**/v1/verifications/*/status', (route) => {
    faults -= 1
    return faults < 0
      ? route.continue()
      : route.fulfill({ status: 502, contentType: 'text/html', body: 'Bad gateway' })
  })
  const wallet_uri = await ask(page)
  await fixture.respond(wallet_uri, { persona: 'adult' })
  expect(await readWord(page)).toBe('Yes')
  expect(faults).toBeLessThan(0)
  await page.getByRole('button', { name: 'Done' }).click()

  await page.route('**/v1/verifications', (route) =>
    route.fulfill({ status: 503, body: '{"error":{"code":"overloaded","message":"busy"}}' }),
  )
  await over18(page).click()
  await page.getByText('The service is busy').waitFor({ timeout: 60_000 })
  expect(await readWord(page)).toBe('Not checked')
})

test('[TILL-4] a session that ran out is Not checked, and so is a spent quota', async () => {
  await using user = await openBrowser({ address: fixture.address })
  const merchant = await fixture.service.tenant({ daily_quota: 1 })
  const { page } = await openPairedTill({ merchant }, user)
  await ask(page)
  await fixture.service.ctx.db.execute(sql`
    update verification_sessions set expires_at = service_now() - interval '1 second'
    where tenant_id = ${merchant.tenant_id}`)
  await page.getByText('No response in time').waitFor()
  expect(await readWord(page)).toBe('Not checked')
  await page.getByRole('button', { name: 'Done' }).click()
  await over18(page).click()
  await page.getByText('Today’s checks are used up').waitFor()
  expect(await readWord(page)).toBe('Not checked')
})

test('[TILL-8] of two tabs one asks and the other says so, and takes over when the first one is gone', async () => {
  await using user = await openBrowser({ address: fixture.address })
  const { page: one } = await openPairedTill(fixture, user)
  const two = await user.context.newPage()
  await two.goto('/till')
  await two.getByRole('heading', { name: 'The till is open in another tab' }).waitFor()
  expect(await two.locator('.tile').count()).toBe(0)

  // A check in the other tab is stopped and cancelled.
  const wallet_uri = await ask(one)
  await two.getByRole('button', { name: 'Use this tab' }).click()
  await over18(two).waitFor()
  await one.getByRole('heading', { name: 'The till is open in another tab' }).waitFor()
  expect((await fetchRequest(wallet_uri)).status).toBe(410)

  await two.close()
  await over18(one).waitFor()
  await fixture.respond(await ask(one), { persona: 'minor' })
  expect(await readWord(one)).toBe('No')
})

test('[TILL-8] a pairing link that opens in a second tab gets the turn', async () => {
  await using user = await openBrowser({ address: fixture.address })
  await user.page.goto('/till')
  await user.page.getByLabel('Pairing code').waitFor()
  const { pairing_code } = await registerTill(fixture)
  const two = await user.context.newPage()
  await two.goto(`/till#${pairing_code}`)
  await over18(two).waitFor()
  await user.page.getByRole('heading', { name: 'The till is open in another tab' }).waitFor()
})

test('a device that is revoked while asking says so, and can be paired again on the spot', async () => {
  await using user = await openBrowser({ address: fixture.address })
  const { page, device_id } = await openPairedTill(fixture, user)
  await ask(page)
  await fixture.merchant.delete(`/v1/devices/${device_id}`)
  await page.getByRole('heading', { name: 'Pair this till again' }).waitFor()
  await page.getByText('The check in progress ended without an answer: not checked.').waitFor()
  await page.getByText('The service no longer accepts this till').waitFor()

  const { pairing_code } = await registerTill(fixture)
  await page.getByLabel('Pairing code').fill(pairing_code)
  await page.getByRole('button', { name: 'Pair' }).click()
  await over18(page).waitFor()
  expect(await readOutcomes(page)).toEqual([
    expect.stringMatching(/Not checked\s+18 or over · The till was interrupted/),
  ])
})

test('a device that is revoked between question and answer does not learn the answer', async () => {
  await using user = await openBrowser({ address: fixture.address })
  const { page, device_id } = await openPairedTill(fixture, user)
  const wallet_uri = await ask(page)
  await fixture.merchant.delete(`/v1/devices/${device_id}`)
  await fixture.respond(wallet_uri, { persona: 'adult' })
  await page.getByRole('heading', { name: 'Pair this till again' }).waitFor()
  expect(await page.locator('main.answer').count()).toBe(0)
})

test('a template that is withdrawn while asking still answers, and is then reported and off', async () => {
  await using user = await openBrowser({ address: fixture.address })
  const { page, device_id } = await openPairedTill(fixture, user, ['age_over_18', 'age_over_16'])
  const wallet_uri = await ask(page)
  await fixture.service.ctx.db.execute(
    sql`update devices set allowed_templates = '{age_over_16}' where id = ${device_id}`,
  )
  await fixture.respond(wallet_uri, { persona: 'adult' })
  expect(await readWord(page)).toBe('Yes')
  await page.getByRole('button', { name: 'Done' }).click()

  await over18(page).click()
  await page.getByText('This check is no longer allowed on this till').waitFor()
  expect(await readWord(page)).toBe('Not checked')
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByText('No longer allowed on this till').waitFor()
  expect(await page.getByRole('button', { name: /^18 or over/ }).isDisabled()).toBe(true)
  expect(await page.getByRole('button', { name: '16 or over' }).isEnabled()).toBe(true)
})

test('a template of the merchant that no longer exists is reported', async () => {
  await using user = await openBrowser({ address: fixture.address })
  const { ctx } = fixture.service
  const { tenant_id } = fixture.merchant
  const template = await readTemplate(ctx, tenant_id, 'age_over_18')
  await putTemplate(ctx, { by: { kind: 'operator', tenant_id }, key: 'club_entry', template })
  const { page } = await openPairedTill(fixture, user, ['club_entry'])
  await ctx.db.execute(sql`delete from templates where tenant_id = ${tenant_id} and key = 'club_entry'`)
  await page.getByRole('button', { name: 'Club entry' }).click()
  await page.getByText('This check is no longer allowed on this till').waitFor()
})

test('a clock that is wrong by a day changes nothing: checks, refreshes and the shown times', async () => {
  for (const days of [-1, 1]) {
    await using user = await openBrowser({ address: fixture.address })
    const refreshTokens: string[] = []
    user.context.on('request', (request) => {
      if (!request.url().endsWith('/v1/devices/token')) return
      const { refresh_token } = request.postDataJSON()
      if (refresh_token !== undefined) refreshTokens.push(refresh_token)
    })
    await user.context.addInitScript(shiftClock(days))
    const { page } = await openPairedTill(fixture, user)
    expect(Math.round((Number(await page.evaluate('Date.now()')) - Date.now()) / 86_400_000)).toBe(days)
    await fixture.respond(await ask(page), { persona: 'adult' })
    expect(await readWord(page)).toBe('Yes')
    await page.reload()
    await over18(page).waitFor()
    expect(refreshTokens).toEqual([])

    // The access token expires by the clock of the service.
    await setClockOffset(fixture.service.ctx.db, '16 minutes')
    try {
      await ask(page)
      await page.getByRole('button', { name: 'Stop' }).click()
    } finally {
      await setClockOffset(fixture.service.ctx.db, '0')
    }
    expect(refreshTokens).toHaveLength(1)
    await page.getByRole('button', { name: 'Last checks' }).click()
    const shown = await page.locator('.outcomes time').first().getAttribute('datetime')
    expect(Math.abs(Date.parse(shown ?? '') - Date.now())).toBeLessThan(120_000)
  }
})

test('[TILL-5] the list of verifications is never requested, and a session is read once after its answer', async () => {
  await using user = await openBrowser({ address: fixture.address })
  const reads: string[] = []
  user.context.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (request.method() === 'GET' && pathname.startsWith('/v1/verifications')) reads.push(pathname + search)
  })
  const { page } = await openPairedTill(fixture, user)
  await fixture.respond(await ask(page), { persona: 'adult' })
  expect(await readWord(page)).toBe('Yes')
  await page.waitForTimeout(2500)
  expect(reads.filter((path) => !path.endsWith('/status'))).toHaveLength(1)
  expect(reads.filter((path) => !/^\/v1\/verifications\/vs_[\w-]+(\/status)?$/.test(path))).toEqual([])
})

function recordCreations(page: Page): string[] {
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/v1/verifications')) sent.push(request.url())
  })
  return sent
}

/** Shifts the clock of the tablet, as a script sees it. */
function shiftClock(days: number): string {
  return `{
    const Real = Date
    const shift = ${days * 86_400_000}
    globalThis.Date = class extends Real {
      constructor(...given) { if (given.length === 0) super(Real.now() + shift); else super(...given) }
      static now() { return Real.now() + shift }
    }
  }`
}
