import { afterAll, expect, test } from 'vitest'
import { setClockOffset } from '../../../test/database/clock.ts'
import { openEgressFixture } from '../../../test/network/egress-fixture.ts'
import { reply } from '../../../test/network/receiver.ts'
import { startStatusIssuer } from '../../../test/trust/status-issuer.ts'
import { readClock, openTestStores } from '../../../test/database/stores.ts'
import { sql } from '../../engine/db/sql.ts'
import { openSandbox } from '../sandbox/open-sandbox.ts'
import { openStatusLookup } from './lookup.ts'
import { prefetchLists, sweepLists } from './prefetch.ts'

const hour = 3600
const day = 24 * hour

const egressFixture = await openEgressFixture({ 'lists.test': ['127.0.0.1'] }, '127.0.0.1/32')
afterAll(() => egressFixture[Symbol.asyncDispose]())

async function openPrefetchFixture() {
  const stores = await openTestStores()
  const issuer = await startStatusIssuer()
  const egress = { test: egressFixture, live: egressFixture }
  const lookUp = openStatusLookup({ db: stores.db, egress, sandbox: openSandbox(stores) })
  return {
    db: stores.db,
    another: () => stores.openAnother(),
    issuer,
    lookUp: async (uri = issuer.uri) =>
      lookUp({ tenant_id: `tenant of ${uri}`, environment: 'live', uri, now: await readClock(stores.db) }),
    prefetch: () => prefetchLists({ db: stores.db, egress }),
    turn: (seconds: number) => setClockOffset(stores.db, `${seconds} seconds`),
    async [Symbol.asyncDispose]() {
      await issuer[Symbol.asyncDispose]()
      await stores[Symbol.asyncDispose]()
    },
  }
}

test('[TRUST-4] a list in use is fetched again before it expires, so that nobody waits for its issuer', async () => {
  await using fixture = await openPrefetchFixture()
  const now = await readClock(fixture.db)
  fixture.issuer.serve({ iat: now, ttl: hour })
  await fixture.lookUp()

  await fixture.turn(0.7 * hour)
  expect(await fixture.prefetch()).toBe(0)
  await fixture.turn(0.8 * hour)
  expect(await fixture.prefetch()).toBe(1)
  expect(fixture.issuer.requestCount).toBe(2)

  fixture.issuer.setBehaviour(reply(503))
  await fixture.turn(1.5 * hour)
  expect(await fixture.lookUp()).toBeDefined()
  expect(fixture.issuer.requestCount).toBe(2)
})

test('[TRUST-4] while the issuer is unavailable the worker keeps retrying, and the copy is used until it expires', async () => {
  await using fixture = await openPrefetchFixture()
  fixture.issuer.serve({ iat: await readClock(fixture.db), ttl: hour })
  await fixture.lookUp()
  fixture.issuer.setBehaviour(reply(503))

  let attempts = 0
  for (let minute = 46; minute < 60; minute += 1) {
    await fixture.turn(60 * minute)
    attempts += await fixture.prefetch()
    expect(await fixture.lookUp()).toBeDefined()
  }
  expect(attempts).toBeGreaterThan(5)
  await fixture.turn(61 * 60)
  expect(await fixture.lookUp()).toBeUndefined()

  await fixture.turn(63 * 60)
  fixture.issuer.serve({ iat: await readClock(fixture.db), ttl: hour })
  await fixture.prefetch()
  fixture.issuer.setBehaviour(reply(503))
  expect(await fixture.lookUp()).toBeDefined()
})

test('a list that was not used for a day is not fetched, and is deleted', async () => {
  await using fixture = await openPrefetchFixture()
  fixture.issuer.serve({ iat: await readClock(fixture.db), ttl: day })
  await fixture.lookUp()

  await fixture.turn(0.8 * day)
  expect(await fixture.prefetch()).toBe(1)
  await fixture.turn(1.7 * day)
  expect(await fixture.prefetch()).toBe(0)
  await sweepLists(fixture)
  expect(await fixture.db.query(sql`select from revocation_lists`)).toEqual([])
  expect(fixture.issuer.requestCount).toBe(2)
})

const lists = 40

test(`two workers share ${lists} lists: each is fetched once`, async () => {
  await using fixture = await openPrefetchFixture()
  const now = await readClock(fixture.db)
  fixture.issuer.serve({ iat: now, ttl: hour })
  const uris = Array.from({ length: lists }, (_, index) => `${fixture.issuer.base}/${index}`)
  await Promise.all(uris.map((uri) => fixture.lookUp(uri)))
  expect(fixture.issuer.requestCount).toBe(lists)

  await fixture.turn(0.8 * hour)
  const workers = await Promise.all([1, 2].map(() => fixture.another()))
  const work = async ({ db }: { db: typeof fixture.db }) => {
    let fetched = 0
    for (;;) {
      const due = await prefetchLists({ db, egress: { test: egressFixture, live: egressFixture } })
      if (due === 0) return fetched
      fetched += due
    }
  }
  const [first = 0, second = 0] = await Promise.all(workers.map(work))
  expect(first + second).toBe(lists)
  expect(fixture.issuer.requestCount).toBe(2 * lists)
})
