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
    const shown = new Set<string>()
    // A till listens to what it shows. A verification whose creation the tab did not survive was never on a screen.
    user.context.on('request', (request) => {
      const id = /\/verify\/(vs_[\w-]+)\/events/.exec(request.url())?.[1]
      if (id !== undefined) shown.add(id)
    })
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
    const open = () => countOpen(device_id, [...shown])
    await expect.poll(open, { timeout: 30_000 }).toBe(0)
    const statuses = await Promise.all([...shown].map((id) => answer(id)))
    const created = await countCreated(device_id)
    console.log(JSON.stringify({ stops, counts, created, shown: shown.size }))

    expect(new Set(statuses)).toEqual(new Set([410]))
    expect(await readCancellers([...shown])).toEqual(['device'])
    expect(shown.size).toBeGreaterThan(stops / 2)
    // Each press is charged at most once, whatever was repeated.
    expect(created).toBeLessThanOrEqual(stops)
    expect((await fixture.merchant.get('/v1/usage')).body.verifications_created).toBe(created)
  },
  120_000 + stops * 15_000,
)

/** The status of a wallet's request for it. */
async function answer(id: string): Promise<number> {
  return (await fetch(`${fixture.address}/wallet/request/${id}`)).status
}

async function countOpen(device_id: string, ids: string[]): Promise<number | undefined> {
  const [row] = await fixture.service.ctx.db.query<{ open: number }>(sql`
    select count(*) as open from verification_sessions
    where device_id = ${device_id} and id = any (${ids}::text[]) and responded_at is null and expires_at > service_now()`)
  return row?.open
}

/** Who cancelled them, each once. */
async function readCancellers(ids: string[]): Promise<(string | null)[]> {
  const rows = await fixture.service.ctx.db.query<{ cancelled_by: string | null }>(
    sql`select distinct cancelled_by from verification_sessions where id = any (${ids}::text[])`,
  )
  return rows.map(({ cancelled_by }) => cancelled_by)
}

async function countCreated(device_id: string): Promise<number> {
  const [row] = await fixture.service.ctx.db.query<{ created: number }>(
    sql`select count(*) as created from verification_sessions where device_id = ${device_id}`,
  )
  return row?.created ?? 0
}
