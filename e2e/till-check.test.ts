import { afterAll, beforeAll, expect, test } from 'vitest'
import { setHolderPage } from '../apps/service/src/accounts/tenants/holder-page.ts'
import { sql } from '../apps/service/src/engine/db/sql.ts'
import { openBrowser } from './fixture/browser.ts'
import { closeDashboard, startDashboard, type DashboardFixture } from './fixture/dashboard-fixture.ts'
import { ask, fetchRequest, openPairedTill, readId, readOutcomes, readWord } from './fixture/till.ts'

let fixture: DashboardFixture

beforeAll(async () => {
  fixture = await startDashboard()
})
afterAll(() => closeDashboard(fixture))

test('[TILL-9] a check that is stopped, or whose till is reloaded or killed, is cancelled: no wallet can respond any more', async () => {
  await using user = await openBrowser({ address: fixture.address })
  const { page } = await openPairedTill(fixture, user)
  const endings: Record<string, () => Promise<unknown>> = {
    stopped: () => page.getByRole('button', { name: 'Stop' }).click(),
    reloaded: () => page.reload(),
    // Without a last request, as after a crash.
    killed: async () => {
      await page.evaluate('window.fetch = () => new Promise(() => {})')
      await page.reload()
    },
  }
  for (const [ending, end] of Object.entries(endings)) {
    const wallet_uri = await ask(page)
    expect(JSON.parse(await page.evaluate('localStorage["vidimus-till-open"]'))).toMatchObject({
      template: 'age_over_18',
      id: readId(wallet_uri),
    })
    await end()
    await page.getByRole('button', { name: '18 or over', exact: true }).waitFor()
    await expect.poll(async () => [ending, await readStatus(wallet_uri)]).toEqual([ending, 'expired'])
    expect(await readCanceller(wallet_uri)).toBe('device')
    expect((await fetchRequest(wallet_uri)).status).toBe(410)
    await expect.poll(() => page.evaluate('localStorage["vidimus-till-open"]')).toBe(undefined)
    expect(await readOutcomes(page)).toEqual([
      expect.stringMatching(
        ending === 'stopped' ? /Not checked\s+18 or over · Stopped/ : /The till was interrupted/,
      ),
    ])
  }
})

test('[TILL-9] a till that is killed before it knows the id finds the verification by the key of the press, and cancels it', async () => {
  await using user = await openBrowser({ address: fixture.address })
  const { page, device_id } = await openPairedTill(fixture, user)
  const read = () =>
    fixture.service.ctx.db.query(sql`
      select cancelled_by from verification_sessions where device_id = ${device_id}`)
  for (const arrives of [true, false]) {
    const pressed = new Promise<void>((resolve) => {
      // The page never gets a response.
      void page.route('**/v1/verifications', async (route) => {
        if (arrives) await route.fetch()
        resolve()
      })
    })
    await page.getByRole('button', { name: '18 or over', exact: true }).click()
    await pressed
    expect(await read()).toEqual([{ cancelled_by: arrives ? null : 'device' }])
    await page.unroute('**/v1/verifications')
    await page.reload()
    const closed = { cancelled_by: 'device' }
    await expect.poll(read).toEqual(arrives ? [closed] : [closed, closed])
    await expect.poll(() => page.evaluate('localStorage["vidimus-till-open"]')).toBe(undefined)
  }
  expect(await readOutcomes(page)).toEqual([expect.stringMatching(/The till was interrupted/)])
})

test('[TILL-9] a till that is closed cancels its check, and the audit log says that the device did', async () => {
  await using user = await openBrowser({ address: fixture.address })
  const { page } = await openPairedTill(fixture, user)
  const wallet_uri = await ask(page)
  // Nothing starts again afterwards that could cancel it.
  await page.goto('about:blank')
  await expect.poll(() => readCanceller(wallet_uri)).toBe('device')
})

test('a creation that is answered after Stop is cancelled, and a wallet that was faster is not lost silently', async () => {
  await using user = await openBrowser({ address: fixture.address })
  const { page } = await openPairedTill(fixture, user)
  await page.route('**/v1/verifications', async (route) => {
    const response = await route.fetch()
    await page.getByRole('button', { name: 'Stop' }).click()
    await route.fulfill({ response })
  })
  const cancelled = page.waitForResponse((each) => each.url().endsWith('/cancel'))
  await page.getByRole('button', { name: '18 or over', exact: true }).click()
  expect((await (await cancelled).json()).status).toBe('expired')
  await page.unroute('**/v1/verifications')

  await page.route('**/verify/*/events?*', (route) => route.abort())
  await page.route('**/v1/verifications/*/status', (route) => route.abort())
  await fixture.respond(await ask(page), { persona: 'adult' })
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect
    .poll(() => readOutcomes(page))
    .toEqual([
      expect.stringMatching(/Not checked\s+18 or over · Stopped · Answered, but too late/),
      expect.stringMatching(/Not checked\s+18 or over · Stopped/),
    ])
})

test('the customer reads why the till asks, and so does the wallet', async () => {
  await using user = await openBrowser({ address: fixture.address })
  const { page, device_id } = await openPairedTill(fixture, user)
  const purpose = 'We ask because you are buying alcohol.'
  await fixture.merchant.request('PATCH', `/v1/devices/${device_id}`, { body: { purpose } })
  await page.reload()
  await expect.poll(() => page.evaluate('localStorage["vidimus-till-settings"]')).toContain(purpose)
  const wallet_uri = await ask(page)
  await page.locator('.customer').getByText(purpose).waitFor()
  expect((await fixture.merchant.get(`/v1/verifications/${readId(wallet_uri)}`)).body.purpose).toBe(purpose)
  await page.getByRole('button', { name: 'Stop' }).click()
})

test('once scanned the code leaves the screen until someone wants it back; the same check again is one tap', async () => {
  await using user = await openBrowser({ address: fixture.address })
  const { page } = await openPairedTill(fixture, user)
  const wallet_uri = await ask(page)
  await fetchRequest(wallet_uri)
  await page.getByText('Waiting for the customer').waitFor()
  await page.getByText('Check what your wallet shows, and agree').waitFor()
  const code = page.getByRole('img', { name: 'QR code' })
  expect(await code.count()).toBe(0)
  await page.getByRole('button', { name: 'Show the code again' }).click()
  await code.waitFor()
  await fixture.respond(wallet_uri, { persona: 'adult' })
  expect(await readWord(page)).toBe('Yes')

  await fixture.respond(await ask(page, 'Same check again'), { persona: 'minor' })
  expect(await readWord(page)).toBe('No')
})

test('the customer sees who asks, in a language of their choice, and staff keep theirs', async () => {
  await using user = await openBrowser({ address: fixture.address })
  const { page } = await openPairedTill(fixture, user)
  await ask(page)
  await page.getByRole('heading', { name: 'Please show that you are 18 or older' }).waitFor()
  await page.getByRole('button', { name: 'Deutsch' }).click()
  await page.getByRole('heading', { name: 'Bitte zeigen Sie, dass Sie 18 oder älter sind' }).waitFor()
  await page.getByRole('button', { name: 'Stop' }).click()
  await ask(page)
  await page.getByRole('heading', { name: 'Please show that you are 18 or older' }).waitFor()
})

test('[LANG-1] without machine translations neither staff nor customers are offered Dutch', async () => {
  await using user = await openBrowser({ address: fixture.address, locale: 'nl-NL' })
  const by = { kind: 'operator', tenant_id: fixture.merchant.tenant_id } as const
  await setHolderPage(fixture.service.ctx, { by, edited_languages_only: true })
  try {
    const { page } = await openPairedTill(fixture, user)
    expect(await page.evaluate('document.documentElement.lang')).toBe('en')
    await ask(page)
    await page.getByRole('heading', { name: 'Please show that you are 18 or older' }).waitFor()
    expect(await page.locator('.langs button').allTextContents()).toEqual([
      'Deutsch',
      'English',
      'Español',
      'Français',
      'Italiano',
      'Polski',
    ])
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByRole('button', { name: 'Settings' }).click()
    expect(await page.getByLabel('Language').locator('option').count()).toBe(6)
  } finally {
    await setHolderPage(fixture.service.ctx, { by, edited_languages_only: false })
  }
})

async function readStatus(wallet_uri: string): Promise<string> {
  const { body } = await fixture.merchant.get(`/v1/verifications/${readId(wallet_uri)}`)
  return body.status
}

/** Who ended it, for the audit log. */
async function readCanceller(wallet_uri: string): Promise<string | null | undefined> {
  const [row] = await fixture.service.ctx.db.query<{ cancelled_by: string | null }>(
    sql`select cancelled_by from verification_sessions where id = ${readId(wallet_uri)}`,
  )
  return row?.cancelled_by
}
