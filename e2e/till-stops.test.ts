import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../apps/service/src/engine/db/sql.ts'
import { openBrowser, type BrowserUser } from './fixture/browser.ts'
import { closeDashboard, startDashboard, type DashboardFixture } from './fixture/dashboard-fixture.ts'
import { openPairedTill } from './fixture/till.ts'

/** `TILL_STOPS=200 npm run e2e -- till-stops` is the full size. */
const stops = Number(process.env['TILL_STOPS'] ?? 12)
const longest_ms = 1500

let fixture: DashboardFixture

beforeAll(async () => {
  fixture = await startDashboard()
  await fixture.service.ctx.db.execute(sql`update tenants set daily_quota = 100000`)
})
afterAll(() => closeDashboard(fixture))

/** How staff, a browser or a crash ends a check. Each returns the page on which the till goes on. */
const ends: Record<string, (page: Page, user: BrowserUser) => Promise<Page>> = {
  async stop(page) {
    await page.getByRole('button', { name: 'Stop' }).click({ timeout: 10_000 })
    return page
  },
  async reload(page) {
    await page.reload()
    return page
  },
  async kill(page, user) {
    const next = await user.context.newPage()
    const devtools = await user.context.newCDPSession(page)
    const crashed = new Promise((resolve) => page.once('crash', resolve))
    // The tab dies without a last event, and the command has no response.
    devtools.send('Page.crash').catch(() => undefined)
    await crashed
    await page.close()
    await next.goto('/till')
    return next
  },
}

test(
  `[CANCEL-1] ${stops} checks that were stopped, reloaded or killed at random times leave nothing that a wallet can answer`,
  async () => {
    await using user = await openBrowser({ address: fixture.address })
    let { page, device_id } = await openPairedTill(fixture, user)
    const counts: Record<string, number> = {}
    for (let round = 0; round < stops; round += 1) {
      const [name, end] = Object.entries(ends)[round % 3] ?? []
      if (name === undefined || end === undefined) break
      await page.getByRole('button', { name: '18 or over', exact: true }).click()
      await sleep(Math.random() * longest_ms)
      page = await end(page, user)
      counts[name] = (counts[name] ?? 0) + 1
      const done = page.getByRole('button', { name: 'Done' })
      const home = page.getByRole('button', { name: '18 or over', exact: true })
      await done.or(home).waitFor()
      if (await done.isVisible()) await done.click()
      await home.waitFor()
    }
    // Also those whose creation the tab did not survive, and which were never on a screen.
    const read = () => readVerifications(device_id)
    await expect.poll(async () => (await read()).filter(({ open }) => open), { timeout: 30_000 }).toEqual([])
    const created = await read()
    const statuses = await Promise.all(created.map(({ id }) => answer(id)))
    console.log(JSON.stringify({ stops, counts, created: created.length }))

    expect(new Set(statuses)).toEqual(new Set([410]))
    expect(new Set(created.map(({ cancelled_by }) => cancelled_by))).toEqual(new Set(['device']))
    expect(created.length).toBeGreaterThan(stops / 2)
    // Each press is charged at most once, whatever was repeated.
    expect(created.length).toBeLessThanOrEqual(stops)
    expect((await fixture.merchant.get('/v1/usage')).body.verifications_created).toBe(created.length)
  },
  120_000 + stops * 15_000,
)

/** The status of a wallet's request for it. */
async function answer(id: string): Promise<number> {
  return (await fetch(`${fixture.address}/wallet/request/${id}`)).status
}

type Created = { id: string; open: boolean; cancelled_by: string | null }

async function readVerifications(device_id: string): Promise<Created[]> {
  return fixture.service.ctx.db.query<Created>(sql`
    select id, cancelled_by, responded_at is null and expires_at > service_now() as open
    from verification_sessions where device_id = ${device_id}`)
}
