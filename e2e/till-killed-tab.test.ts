import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setClockOffset } from '../apps/service/test/database/clock.ts'
import { openBrowser, type BrowserUser } from './fixture/browser.ts'
import { closeDashboard, startDashboard, type DashboardFixture } from './fixture/dashboard-fixture.ts'
import { registerTill } from './fixture/till.ts'

/** `TILL_KILLS=200 npm run e2e -- till-killed-tab` is the full size. */
const kills = Number(process.env['TILL_KILLS'] ?? 10)

/** Where in a refresh the tab dies. */
const moments = [
  'before the token is taken',
  'before the token reaches the service',
  'before the response reaches the tab',
  'while the response is being stored',
] as const
type AsOf = (typeof moments)[number]

let fixture: DashboardFixture

beforeAll(async () => {
  fixture = await startDashboard()
})
afterAll(() => closeDashboard(fixture))

test(
  `[TILL-8] a tab that is killed in the middle of a refresh, ${kills} times, never causes its device to be revoked`,
  async () => {
    await using user = await openBrowser({ address: fixture.address })
    const sent: string[] = []
    const devices: string[] = []
    const ends: Record<string, number> = {}
    let paired = false
    for (let round = 0; round < kills; round += 1) {
      const moment = moments[round % moments.length] ?? moments[0]
      const page = await user.context.newPage()
      if (!paired) devices.push(await pairTill(page))
      else await openTill(page)
      // From here on the access token has expired, so that the next press refreshes it.
      await setClockOffset(fixture.service.ctx.db, `${(round + 1) * 16} minutes`)
      await pressAndKill(user, page, moment, sent)
      paired = await isStillPaired(user)
      const end = `${moment}: ${paired ? 'still paired' : 'pair again'}`
      ends[end] = (ends[end] ?? 0) + 1
    }
    console.log(JSON.stringify({ kills, devices: devices.length, refresh_tokens_sent: sent.length, ends }))

    expect(new Set(sent).size).toBe(sent.length)
    expect(sent.length).toBeGreaterThanOrEqual(Math.floor(kills / moments.length) * 2)
    expect(await readStatuses(devices)).toEqual(devices.map(() => 'active'))
    expect(ends['before the token is taken: still paired']).toBeGreaterThan(0)

    // The counter-check: a token that is sent again does revoke its device, and would be seen here.
    await fixture.service.anonymous.post('/v1/devices/token', { refresh_token: sent[0] })
    expect((await readStatuses(devices)).filter((status) => status === 'revoked')).toHaveLength(1)
  },
  120_000 + kills * 15_000,
)

async function pairTill(page: Page): Promise<string> {
  const { device_id, pairing_code } = await registerTill(fixture)
  await page.goto(`/till#${pairing_code}`)
  await page.getByRole('button', { name: '18 or over', exact: true }).waitFor()
  return device_id
}

async function openTill(page: Page): Promise<void> {
  await page.goto('/till')
  await page.getByRole('button', { name: '18 or over', exact: true }).waitFor()
}

/** Presses the button and crashes the renderer at the given moment of the refresh that follows. */
async function pressAndKill(
  { context }: BrowserUser,
  page: Page,
  moment: AsOf,
  sent: string[],
): Promise<void> {
  const devtools = await context.newCDPSession(page)
  const crashed = new Promise((resolve) => page.once('crash', resolve))
  // The command has no response: its target is gone.
  const kill = () => void devtools.send('Page.crash').catch(() => undefined)
  await page.route('**/v1/devices/token', async (route) => {
    const { refresh_token } = route.request().postDataJSON()
    if (refresh_token === undefined) {
      if (moment === 'before the token is taken') return kill()
      return route.continue()
    }
    if (moment === 'before the token reaches the service') return kill()
    sent.push(refresh_token)
    const response = await route.fetch()
    if (moment === 'before the response reaches the tab') return kill()
    await route.fulfill({ response }).catch(() => undefined)
    await sleep(Math.random() * 40)
    kill()
  })
  await page.getByRole('button', { name: '18 or over', exact: true }).click()
  await crashed
  await page.close()
}

/** What staff see when they open the till again and it has cancelled what was interrupted: its buttons, or the screen that says what happened. */
async function isStillPaired({ context }: BrowserUser): Promise<boolean> {
  const page = await context.newPage()
  await page.goto('/till')
  const over18 = page.getByRole('button', { name: '18 or over', exact: true })
  await over18.or(page.getByText('This till was interrupted while renewing its access.')).waitFor()
  await page.waitForLoadState('networkidle')
  const paired = await over18.isVisible()
  await page.close()
  return paired
}

async function readStatuses(ids: readonly string[]): Promise<(string | undefined)[]> {
  const { body } = await fixture.merchant.get('/v1/devices')
  const statuses = new Map<string, string>(
    body.data.map(({ id, status }: { id: string; status: string }) => [id, status]),
  )
  return ids.map((id) => statuses.get(id))
}
