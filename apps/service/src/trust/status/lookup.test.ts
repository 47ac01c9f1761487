import { type TrustContext } from '@vidimus/protocol'
import { exportAnchors } from '@vidimus/sandbox'
import { afterAll, describe, expect, test } from 'vitest'
import { setClockOffset } from '../../../test/database/clock.ts'
import { openEgressFixture } from '../../../test/network/egress-fixture.ts'
import { presentAndVerify, queries } from '../../../test/trust/presentation.ts'
import { reply, neverRespond } from '../../../test/network/receiver.ts'
import { replyBytes } from '../../../test/trust/status-issuer.ts'
import { openTestLookup, openStatusFixture } from '../../../test/trust/status-fixture.ts'
import { readClock } from '../../../test/database/stores.ts'
import { openDatabase } from '../../engine/db/open.ts'
import { fetchLimits } from '../fetch-allowance.ts'
import { limits } from './save-list.ts'
import { lookupLimits, type LookupSource } from './lookup.ts'

const publicOnlyEgress = await openEgressFixture({ 'lists.test': ['127.0.0.1'] })
afterAll(() => publicOnlyEgress[Symbol.asyncDispose]())

describe('[TRUST-4] revocation', () => {
  test.each(['pid', 'mdl'] as const)("is read from the issuer's list (%s)", async (document) => {
    await using fixture = await openStatusFixture()
    const { issuer } = fixture.issuer
    const trust: TrustContext = {
      anchors: exportAnchors(issuer),
      lookUpStatus: fixture.lookUp,
      status_unavailable: 'fail',
    }
    const now = await readClock(fixture.stores.db)
    const present = (persona: string) =>
      presentAndVerify({ issuer, query: queries[document], now, persona }, trust)

    expect(await present('adult')).toMatchObject({ status: 'completed' })
    expect(await present('revoked')).toMatchObject({
      status: 'failed',
      error: { code: 'credential_revoked' },
      claims: {},
    })
    expect(fixture.issuer.requestCount).toBe(1)
  })

  test('that is unavailable fails the check, or gives a warning if the tenant prefers that', async () => {
    await using fixture = await openStatusFixture()
    fixture.issuer.setBehaviour(reply(503))
    const { issuer } = fixture.issuer
    const now = await readClock(fixture.stores.db)
    const present = (status_unavailable: TrustContext['status_unavailable']) =>
      presentAndVerify(
        { issuer, query: queries.pid, now },
        { anchors: exportAnchors(issuer), lookUpStatus: fixture.lookUp, status_unavailable },
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

describe('[TRUST-4] a list is fetched once', () => {
  test('for all concurrent callers', async () => {
    await using fixture = await openStatusFixture()
    const tokens = await Promise.all(Array.from({ length: 200 }, () => fixture.lookUp()))

    expect(new Set(tokens).size).toBe(1)
    expect(tokens[0]).toMatchObject({ media: 'jwt' })
    expect(fixture.issuer.requestCount).toBe(1)
  })

  test('for all processes, and outlives them', async () => {
    await using fixture = await openStatusFixture()
    await fixture.lookUp()
    const now = await readClock(fixture.stores.db)
    const found: LookupSource[] = []
    const elsewhere = openTestLookup(await fixture.stores.openAnother(), found)
    fixture.issuer.setBehaviour(reply(500))

    const { uri } = fixture.issuer
    expect(await elsewhere({ tenant_id: 'one', environment: 'live', uri, now })).toMatchObject({
      token: { media: 'jwt' },
    })
    expect(await elsewhere({ tenant_id: 'one', environment: 'live', uri, now })).toMatchObject({
      token: { media: 'jwt' },
    })
    expect(found).toEqual(['database', 'memory'])
    expect(await elsewhere({ tenant_id: 'one', environment: 'test', uri, now })).toBeUndefined()
    expect(fixture.issuer.requestCount).toBe(2)
  })

  test('and the same copy stays the same object, so that it is opened once', async () => {
    await using fixture = await openStatusFixture()
    const first = await fixture.lookUp()
    await setClockOffset(fixture.stores.db, '10 minutes')
    expect(await fixture.lookUp()).toBe(first)
    expect(fixture.found).toEqual(['issuer', 'database'])
  })
})

describe('[TRUST-4] a list is unavailable', () => {
  test.each([
    ['from a server that does not have it', reply(404)],
    ['through a redirect', reply(302, { location: '/status/persons/current.jwt' })],
    ['without a body that ends', replyBytes(Buffer.from('eyJ'), { 'content-length': '1000000' })],
    ['when it is larger than 8 MiB', replyBytes(Buffer.alloc(8 * 1024 * 1024 + 1, 'e'))],
    ['from a server that never replies', neverRespond],
  ])('%s', async (_what, behaviour) => {
    await using fixture = await openStatusFixture()
    fixture.issuer.setBehaviour(behaviour)
    const started = performance.now()

    expect(await fixture.lookUp()).toBeUndefined()
    expect(performance.now() - started).toBeLessThan(6000)
  })

  test('from a URI that is invalid or not https', async () => {
    await using fixture = await openStatusFixture()
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
      expect([uri, await fixture.lookUp(uri)]).toEqual([uri, undefined])
    }
    expect(fixture.issuer.receiver.connections).toBe(0)
  })

  test('from an address that is not public', async () => {
    await using fixture = await openStatusFixture()
    const lookUp = openTestLookup(fixture.stores, [], publicOnlyEgress)
    const now = await readClock(fixture.stores.db)
    expect(
      await lookUp({ tenant_id: 'one', environment: 'live', uri: fixture.issuer.uri, now }),
    ).toBeUndefined()
    expect(fixture.issuer.receiver.connections).toBe(0)
  })

  test('while the database is unavailable', async () => {
    await using fixture = await openStatusFixture()
    const db = openDatabase({ url: 'postgres://postgres@127.0.0.1:1/nowhere', poolSize: 1 })
    const lookUp = openTestLookup({ ...fixture.stores, db })
    expect(
      await lookUp({ tenant_id: 'one', environment: 'live', uri: fixture.issuer.uri, now: 0 }),
    ).toBeUndefined()
    await db.close()
  })

  test('and is fetched again only after some seconds', async () => {
    await using fixture = await openStatusFixture()
    const now = await readClock(fixture.stores.db)
    fixture.issuer.setBehaviour(reply(503))
    expect(await fixture.lookUpAt(now)).toBeUndefined()
    fixture.issuer.setBehaviour(undefined)

    expect(await fixture.lookUpAt(now + 4)).toBeUndefined()
    expect(fixture.issuer.requestCount).toBe(1)
    expect(await fixture.lookUpAt(now + 6)).toBeDefined()
    expect(fixture.found).toEqual(['nowhere', 'nowhere', 'issuer'])
  })
})

test('a tenant has at most 20 lookups in flight; one more is refused, and another tenant is served', async () => {
  await using fixture = await openStatusFixture()
  const lookUp = openTestLookup(fixture.stores)
  const now = await readClock(fixture.stores.db)
  const seek = (tenant_id: string, path: string | number) =>
    lookUp({ tenant_id, environment: 'live', uri: `${fixture.issuer.base}/${path}`, now })
  fixture.issuer.setBehaviour(neverRespond)
  const mute = Array.from({ length: lookupLimits.maxLookupsPerTenant }, (_, path) => seek('one', path))

  await expect(seek('one', 'more')).rejects.toMatchObject({ code: 'overloaded', retryAfter_seconds: 1 })
  // Joining a lookup in flight takes no slot.
  const joined = seek('one', 0)
  fixture.issuer.setBehaviour(undefined)
  expect(await seek('another', 'status/persons/current.jwt')).toMatchObject({ token: { media: 'jwt' } })
  fixture.issuer.receiver.closeConnections()
  expect(new Set(await Promise.all([...mute, joined]))).toEqual(new Set([undefined]))
  expect(await seek('one', 'status/persons/current.jwt')).toBeDefined()
})

describe('what is fetched for a tenant in a minute is bounded', () => {
  const most = fetchLimits.maxPerMinute_bytes / limits.max_response_bytes

  async function openLargeLists() {
    const fixture = await openStatusFixture()
    const lookUp = openTestLookup(fixture.stores)
    const started = await readClock(fixture.stores.db)
    const large = replyBytes(Buffer.alloc(limits.max_response_bytes))
    return Object.assign(fixture, {
      large,
      seek: (tenant_id: string, path: string | number, after_seconds = 0) => {
        const uri = `${fixture.issuer.base}/${path}`
        return lookUp({ tenant_id, environment: 'live', uri, now: started + after_seconds })
      },
    })
  }

  test('by its bytes; after that a list is unavailable, for this tenant and this minute only', async () => {
    await using fixture = await openLargeLists()
    const { seek, issuer } = fixture
    const current = 'status/persons/current.jwt'
    issuer.setBehaviour(fixture.large)
    for (let path = 0; path < most; path += 1) await seek('one', path)
    expect(issuer.requestCount).toBe(most)

    issuer.setBehaviour(undefined)
    // That it is not fetched for one tenant is not remembered for another, and nobody joins a lookup that may not fetch.
    const together = await Promise.all([seek('one', current), seek('two', current)])
    expect(together).toEqual([undefined, expect.objectContaining({ token: expect.anything() })])
    expect(issuer.requestCount).toBe(most + 1)
    // What others fetched may be used.
    expect(await seek('one', current)).toBeDefined()
    expect(await seek('one', 'more')).toBeUndefined()
    expect(issuer.requestCount).toBe(most + 1)
    await seek('two', 'more')
    expect(issuer.requestCount).toBe(most + 2)

    issuer.setBehaviour(fixture.large)
    await seek('one', 'later', 60)
    expect(issuer.requestCount).toBe(most + 3)
  })

  test('also where the server never ends its response', async () => {
    await using fixture = await openLargeLists()
    fixture.issuer.setBehaviour((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${limits.max_response_bytes}\r\n\r\n`)
      socket.write(Buffer.alloc(limits.max_response_bytes - 1), () => socket.destroy())
    })
    for (let path = 0; path < most + 2; path += 1) await fixture.seek('one', path)
    expect(fixture.issuer.requestCount).toBeLessThanOrEqual(most + 1)
  })

  test('and by their number', async () => {
    await using fixture = await openLargeLists()
    fixture.issuer.setBehaviour(reply(404))
    const fetches = fetchLimits.maxPerMinute_bytes / fetchLimits.minFetch_bytes
    for (let path = 0; path < fetches + 10; path += 1) await fixture.seek('one', path)
    expect(fixture.issuer.requestCount).toBe(fetches)
  })
})
