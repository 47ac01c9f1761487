import { openStatusList, type Trust } from '@vidimus/protocol'
import { anchorsOf } from '@vidimus/sandbox'
import { afterAll, describe, expect, test } from 'vitest'
import { turnClock } from '../../../test/clock.ts'
import { openDoor } from '../../../test/door.ts'
import { presentAndVerify, queries } from '../../../test/presentation.ts'
import { reply, silence } from '../../../test/receiver.ts'
import { replyBytes, signList, startStatusIssuer } from '../../../test/status-issuer.ts'
import { clockOf, openStores, type Stores } from '../../../test/stores.ts'
import { openDatabase } from '../../platform/db/open.ts'
import { sql } from '../../platform/db/sql.ts'
import { openSandbox } from '../sandbox/open.ts'
import { openStatusLists, type FoundAt, type LookUpStatus } from './look-up.ts'

const hour = 3600
const day = 86_400

const door = await openDoor({ 'lists.test': ['127.0.0.1'] }, '127.0.0.1/32')
const shutDoor = await openDoor({ 'lists.test': ['127.0.0.1'] })
afterAll(async () => {
  await door[Symbol.asyncDispose]()
  await shutDoor[Symbol.asyncDispose]()
})

function open({ db, keyring }: Stores, found: FoundAt[] = [], egress = door): LookUpStatus {
  const sandbox = openSandbox({ db, keyring })
  return openStatusLists({
    db,
    sandbox,
    egress: { test: egress, live: egress },
    onLookUp: (where) => found.push(where),
  })
}

/** A database, an issuer with its server, and look-ups in live at the database's time, turned as far as the test turns it. */
async function openWorld() {
  const stores = await openStores()
  const issuer = await startStatusIssuer()
  const found: FoundAt[] = []
  const lookUp = open(stores, found)
  return {
    stores,
    issuer,
    found,
    lookUp: async (uri = issuer.uri) =>
      (await lookUp({ environment: 'live', uri, now: await clockOf(stores.db) }))?.token,
    lookUpAt: async (now: number) => (await lookUp({ environment: 'live', uri: issuer.uri, now }))?.token,
    async [Symbol.asyncDispose]() {
      await issuer[Symbol.asyncDispose]()
      await stores[Symbol.asyncDispose]()
    },
  }
}

describe('[TRUST-4] revocation', () => {
  test.each(['pid', 'mdl'] as const)('is read from the list of the issuer (%s)', async (document) => {
    await using world = await openWorld()
    const { issuer } = world.issuer
    const trust: Trust = {
      anchors: anchorsOf(issuer),
      lookUpStatus: world.lookUp,
      status_unavailable: 'fail',
    }
    const now = await clockOf(world.stores.db)
    const present = (persona: string) =>
      presentAndVerify({ issuer, query: queries[document], now, persona }, trust)

    expect(await present('adult')).toMatchObject({ status: 'completed' })
    expect(await present('revoked')).toMatchObject({
      status: 'failed',
      error: { code: 'credential_revoked' },
      claims: {},
    })
    expect(world.issuer.asked).toBe(1)
  })

  test('that cannot be had fails the check, or warns where the tenant wants that', async () => {
    await using world = await openWorld()
    world.issuer.behave(reply(503))
    const { issuer } = world.issuer
    const now = await clockOf(world.stores.db)
    const present = (status_unavailable: Trust['status_unavailable']) =>
      presentAndVerify(
        { issuer, query: queries.pid, now },
        { anchors: anchorsOf(issuer), lookUpStatus: world.lookUp, status_unavailable },
      )

    expect(await present('fail')).toMatchObject({
      status: 'failed',
      claims: {},
      credentials: [
        {
          findings: expect.arrayContaining([
            expect.objectContaining({ check: 'status_list', status: 'fail' }),
          ]),
        },
      ],
    })
    expect(await present('warning')).toMatchObject({
      status: 'completed',
      credentials: [
        {
          findings: expect.arrayContaining([
            expect.objectContaining({ check: 'status_list', status: 'warning' }),
          ]),
        },
      ],
    })
  })
})

describe('[TRUST-4] a list is asked for once', () => {
  test('by everybody who comes together', async () => {
    await using world = await openWorld()
    const tokens = await Promise.all(Array.from({ length: 200 }, () => world.lookUp()))

    expect(new Set(tokens).size).toBe(1)
    expect(tokens[0]).toMatchObject({ media: 'jwt' })
    expect(world.issuer.asked).toBe(1)
  })

  test('by all processes, and survives them', async () => {
    await using world = await openWorld()
    await world.lookUp()
    const now = await clockOf(world.stores.db)
    const found: FoundAt[] = []
    const elsewhere = open(await world.stores.another(), found)
    world.issuer.behave(reply(500))

    const { uri } = world.issuer
    expect(await elsewhere({ environment: 'live', uri, now })).toMatchObject({ token: { media: 'jwt' } })
    expect(await elsewhere({ environment: 'live', uri, now })).toMatchObject({ token: { media: 'jwt' } })
    expect(found).toEqual(['database', 'memory'])
    expect(await elsewhere({ environment: 'test', uri, now })).toBeUndefined()
    expect(world.issuer.asked).toBe(2)
  })

  test('and the same copy stays the same object, so that it is opened once', async () => {
    await using world = await openWorld()
    const first = await world.lookUp()
    await turnClock(world.stores.db, '10 minutes')
    expect(await world.lookUp()).toBe(first)
    expect(world.found).toEqual(['issuer', 'database'])
  })
})

describe('[TRUST-4] a list is kept within its lifetime', () => {
  test.each<[string, { exp?: number; ttl?: number }, number]>([
    ['for its ttl', { ttl: 600, exp: day }, 600],
    ['until it expires, if that is sooner', { ttl: 600, exp: 300 }, 300],
    ['until it expires, without a ttl', { exp: 1800 }, 1800],
    ['for an hour, when it says nothing', {}, hour],
    ['for an hour without a ttl, however late it expires', { exp: 30 * day }, hour],
    ['for a day at most', { ttl: 400 * day }, day],
  ])('%s', async (_what, { exp, ttl }, life) => {
    await using world = await openWorld()
    const now = await clockOf(world.stores.db)
    const said = { iat: now, ...(exp !== undefined && { exp: now + exp }), ...(ttl !== undefined && { ttl }) }
    world.issuer.serve(said)

    await world.lookUp()
    await turnClock(world.stores.db, `${life - 20} seconds`)
    expect(await world.lookUp()).toBeDefined()
    expect(world.issuer.asked).toBe(1)

    world.issuer.behave(reply(503))
    await turnClock(world.stores.db, `${life + 20} seconds`)
    expect(await world.lookUp()).toBeUndefined()
    expect(world.issuer.asked).toBe(2)
  })

  test('which may be none: it then serves this once', async () => {
    await using world = await openWorld()
    const now = await clockOf(world.stores.db)
    world.issuer.serve({ iat: now, exp: now + hour, ttl: 0 })

    expect(await world.lookUp()).toBeDefined()
    expect(await world.stores.db.query(sql`select from status_lists`)).toEqual([])
  })

  test('and numbers beyond all times are no fault of ours', async () => {
    await using world = await openWorld()
    const now = await clockOf(world.stores.db)
    for (const said of [
      { iat: now, exp: 1e300, ttl: 1e300 },
      { iat: -1e300, exp: now + hour },
      { iat: now, ttl: -5 },
    ]) {
      world.issuer.serve(said)
      expect(await world.lookUp(`${world.issuer.base}/${said.iat}/${said.ttl}`)).toBeDefined()
    }
  })
})

describe('[TRUST-4] a list cannot be had', () => {
  test.each([
    ['from a server that is not there', reply(404)],
    ['by way of a redirect', reply(302, { location: '/status/persons/current.jwt' })],
    ['without a body that ends', replyBytes(Buffer.from('eyJ'), { 'content-length': '1000000' })],
    ['when it is larger than 8 MiB', replyBytes(Buffer.alloc(8 * 1024 * 1024 + 1, 'e'))],
    ['from a server that never answers', silence],
  ])('%s', async (_what, behaviour) => {
    await using world = await openWorld()
    world.issuer.behave(behaviour)
    const started = performance.now()

    expect(await world.lookUp()).toBeUndefined()
    expect(performance.now() - started).toBeLessThan(6000)
  })

  test('from an address that is none, or not one of https', async () => {
    await using world = await openWorld()
    for (const uri of [
      'http://lists.test/status',
      'https://no-such-name.test/status',
      'https://127.0.0.1:1/status',
      `https://lists.test/${'a'.repeat(2100)}`,
      'https://lists.test:99999/',
      'https://',
      'ftp://lists.test/',
      'status',
      '',
      'https://lists.test/\u0000\ud800',
    ]) {
      expect([uri, await world.lookUp(uri)]).toEqual([uri, undefined])
    }
    expect(world.issuer.receiver.connections).toBe(0)
  })

  test('from an address that is not public', async () => {
    await using world = await openWorld()
    const lookUp = open(world.stores, [], shutDoor)
    const now = await clockOf(world.stores.db)
    expect(await lookUp({ environment: 'live', uri: world.issuer.uri, now })).toBeUndefined()
    expect(world.issuer.receiver.connections).toBe(0)
  })

  test('while the database is away', async () => {
    await using world = await openWorld()
    const db = openDatabase({ url: 'postgres://postgres@127.0.0.1:1/nowhere', poolSize: 1 })
    const lookUp = open({ ...world.stores, db })
    expect(await lookUp({ environment: 'live', uri: world.issuer.uri, now: 0 })).toBeUndefined()
    await db.close()
  })

  test('and is not asked for again for some seconds, then it is', async () => {
    await using world = await openWorld()
    const now = await clockOf(world.stores.db)
    world.issuer.behave(reply(503))
    expect(await world.lookUpAt(now)).toBeUndefined()
    world.issuer.behave(undefined)

    expect(await world.lookUpAt(now + 4)).toBeUndefined()
    expect(world.issuer.asked).toBe(1)
    expect(await world.lookUpAt(now + 6)).toBeDefined()
    expect(world.found).toEqual(['nowhere', 'nowhere', 'issuer'])
  })
})

describe('[TRUST-4] a wrong list', () => {
  test('is never worth more than none: the check fails whatever the policy, and it is not kept', async () => {
    await using world = await openWorld()
    const { issuer } = world.issuer
    const now = await clockOf(world.stores.db)
    const trust: Trust = {
      anchors: anchorsOf(issuer),
      lookUpStatus: world.lookUp,
      status_unavailable: 'warning',
    }
    const good = signList(issuer, { iat: now, exp: now + hour, sub: world.issuer.uri })

    for (const [index, wrong] of [
      `${good.slice(0, -8)}AAAAAAAA`,
      signList(issuer, { iat: now, exp: now + hour, sub: `${world.issuer.uri}/another` }),
      'eyJ',
      '',
    ].entries()) {
      world.issuer.behave(replyBytes(Buffer.from(wrong)))
      await turnClock(world.stores.db, `${10 * index} seconds`)
      expect(await presentAndVerify({ issuer, query: queries.pid, now }, trust)).toMatchObject({
        status: 'failed',
        claims: {},
      })
    }
    expect(world.issuer.asked).toBe(4)
    expect(await world.stores.db.query(sql`select from status_lists`)).toEqual([])
  })

  test('that is older than the one before does not undo a revocation', async () => {
    await using world = await openWorld()
    const now = await clockOf(world.stores.db)
    world.issuer.serve({ iat: now, ttl: 300, exp: now + day })
    await world.lookUp()

    await turnClock(world.stores.db, '400 seconds')
    world.issuer.serve({ iat: now - 100, ttl: 300, exp: now + day })
    expect(await world.lookUp()).toBeUndefined()

    await turnClock(world.stores.db, '500 seconds')
    world.issuer.serve({ iat: now + 1, ttl: 300, exp: now + day })
    const token = await world.lookUp()
    expect(token && openStatusList(token)).toMatchObject({ value: { issued_at: now + 1 } })
  })

  test('that is from the future is not kept, so that it keeps no right one out', async () => {
    await using world = await openWorld()
    const now = await clockOf(world.stores.db)
    world.issuer.serve({ iat: now + hour, exp: now + day })
    await world.lookUpAt(now)
    world.issuer.serve({ iat: now, exp: now + day })
    const token = await world.lookUpAt(now + 10)
    expect(token && openStatusList(token)).toMatchObject({ value: { issued_at: now } })
  })
})
