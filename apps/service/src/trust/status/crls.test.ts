// oxlint-disable-next-line import/no-unassigned-import -- the certificate library needs it and does not depend on it
import 'reflect-metadata'
import { PublicKey, X509Crl } from '@peculiar/x509'
import { revokedSerial } from '../../../../../packages/sandbox/src/issuer/crls.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { setClockOffset } from '../../../test/database/clock.ts'
import { openTestStores, readClock } from '../../../test/database/stores.ts'
import { openEgressFixture } from '../../../test/network/egress-fixture.ts'
import { reply, startReceiver } from '../../../test/network/receiver.ts'
import { openTestLookup } from '../../../test/trust/status-fixture.ts'
import {
  replyBytes,
  startStatusIssuer,
  writeCrl,
  type CrlContent,
} from '../../../test/trust/status-issuer.ts'
import { sql } from '../../engine/db/sql.ts'
import { prefetchLists } from './prefetch.ts'

const hour = 3600
const day = 24 * hour

const egressFixture = await openEgressFixture({ 'lists.test': ['127.0.0.1'] }, '127.0.0.1/32')
const publicOnlyEgress = await openEgressFixture({ 'lists.test': ['127.0.0.1'] })
afterAll(async () => {
  await egressFixture[Symbol.asyncDispose]()
  await publicOnlyEgress[Symbol.asyncDispose]()
})

/** A database, an authority with the server of its list, and live lookups at the time of the database's clock. */
async function openCrlFixture() {
  const stores = await openTestStores()
  const issuer = await startStatusIssuer({ publishes_crls: true })
  const uri = `${issuer.issuer.status_uri}/crl/persons_issuing/current.crl`
  const { persons, mobile } = issuer.issuer.hierarchies
  const lookUp = openTestLookup(stores, [], egressFixture)
  return {
    stores,
    issuer,
    uri,
    authority: persons.issuing.certificate,
    otherAuthority: mobile.issuing.certificate,
    /** By default as a new process would. */
    lookUp: async (options: { uri?: string; crl_issuer?: Uint8Array; look_up?: typeof lookUp } = {}) => {
      const { look_up = openTestLookup(stores, [], egressFixture), ...where } = options
      const now = await readClock(stores.db)
      const question = { uri, crl_issuer: persons.issuing.certificate, ...where }
      return (await look_up({ tenant_id: 'one', environment: 'live', ...question, now }))?.token
    },
    serve: (content: Omit<CrlContent, 'issuer'>) => {
      const crl = writeCrl('persons', { issuer: issuer.issuer, ...content })
      issuer.setBehaviour(replyBytes(crl))
      return crl
    },
    prefetch: () => prefetchLists({ db: stores.db, egress: { test: egressFixture, live: egressFixture } }),
    turn: (seconds: number) => setClockOffset(stores.db, `${seconds} seconds`),
    countRows: async () => (await stores.db.query(sql`select from revocation_lists`)).length,
    async [Symbol.asyncDispose]() {
      await issuer[Symbol.asyncDispose]()
      await stores[Symbol.asyncDispose]()
    },
  }
}

describe('a certificate revocation list', () => {
  test('is fetched once for all processes and calls, and stored', async () => {
    await using fixture = await openCrlFixture()
    const look_up = openTestLookup(fixture.stores, [], egressFixture)
    const found = await Promise.all(Array.from({ length: 50 }, () => fixture.lookUp({ look_up })))
    expect(new Set(found).size).toBe(1)
    expect(found[0]).toMatchObject({ media: 'crl' })
    expect(await fixture.lookUp()).toMatchObject({ media: 'crl' })
    expect(fixture.issuer.requestCount).toBe(1)
    expect(fixture.issuer.receiver.received[0]?.headers['accept']).toBe('application/pkix-crl')
  })

  test('may be served over http, which a status list may not', async () => {
    await using fixture = await openCrlFixture()
    const now = await readClock(fixture.stores.db)
    const crl = writeCrl('persons', {
      issuer: fixture.issuer.issuer,
      issued_at: now,
      next_update: now + day,
    })
    await using plain = await startReceiver(replyBytes(crl))
    const uri = `http://lists.test:${plain.port}/a.crl`
    expect(await fixture.lookUp({ uri })).toMatchObject({ media: 'crl' })
    const lookUp = openTestLookup(fixture.stores, [], egressFixture)
    expect(await lookUp({ tenant_id: 'one', environment: 'live', uri, now })).toBeUndefined()
    expect(plain.received).toHaveLength(1)
  })

  test('is not fetched from an address that is not public', async () => {
    await using fixture = await openCrlFixture()
    const look_up = openTestLookup(fixture.stores, [], publicOnlyEgress)
    expect(await fixture.lookUp({ look_up })).toBeUndefined()
    expect(fixture.issuer.receiver.connections).toBe(0)
  })

  test.each([
    ['from a server that does not have it', reply(404)],
    ['through a redirect', reply(302, { location: '/other.crl' })],
    ['when it is larger than 4 MiB', replyBytes(Buffer.alloc(4 * 1024 * 1024 + 1, 0x30))],
  ])('is unavailable %s', async (_, behaviour) => {
    await using fixture = await openCrlFixture()
    fixture.issuer.setBehaviour(behaviour)
    expect(await fixture.lookUp()).toBeUndefined()
    expect(await fixture.countRows()).toBe(0)
  })

  test('is stored only if the authority signed it, and for that authority only', async () => {
    await using fixture = await openCrlFixture()
    // Asked for as the list of another authority: it is shown to the verifier, which says why it is wrong, and not stored.
    expect(await fixture.lookUp({ crl_issuer: fixture.otherAuthority })).toMatchObject({ media: 'crl' })
    expect(await fixture.countRows()).toBe(0)
    const wrong = fixture.uri.replace('current', 'wrongly_signed')
    expect(await fixture.lookUp({ uri: wrong })).toMatchObject({ media: 'crl' })
    expect(await fixture.countRows()).toBe(0)

    await fixture.lookUp()
    expect(await fixture.countRows()).toBe(1)
    fixture.issuer.setBehaviour(reply(503))
    expect(await fixture.lookUp()).toBeDefined()
    expect(await fixture.lookUp({ crl_issuer: fixture.otherAuthority })).toBeUndefined()
  })

  test('does not replace a status list at the same address, nor the other way round', async () => {
    await using fixture = await openCrlFixture()
    const now = await readClock(fixture.stores.db)
    await fixture.lookUp()
    fixture.issuer.serve({ iat: now, ttl: hour })
    const lookUp = openTestLookup(fixture.stores, [], egressFixture)
    const status = { tenant_id: 'one', environment: 'live', uri: fixture.uri, now } as const
    expect((await lookUp(status))?.token).toMatchObject({ media: 'jwt' })
    expect(await fixture.lookUp()).toMatchObject({ media: 'crl' })
    expect(await fixture.countRows()).toBe(2)
  })
})

test("another library reads and verifies the sandbox's list", async () => {
  await using fixture = await openCrlFixture()
  const found = await fixture.lookUp()
  const crl = new X509Crl(Buffer.from(found?.token ?? ''))
  const { issuing } = fixture.issuer.issuer.hierarchies.persons
  const publicKey = new PublicKey(issuing.key.public_key.export({ format: 'der', type: 'spki' }))
  expect(await crl.verify({ publicKey })).toBe(true)
  expect(crl.findRevoked(Buffer.from(revokedSerial).toString('hex'))).not.toBeNull()
})

describe('a stored certificate revocation list', () => {
  test('is fetched again within a day, although the next one is due in a month', async () => {
    await using fixture = await openCrlFixture()
    const now = await readClock(fixture.stores.db)
    fixture.serve({ issued_at: now, next_update: now + 30 * day })
    await fixture.lookUp()
    await fixture.turn(0.7 * day)
    expect(await fixture.prefetch()).toBe(0)
    await fixture.lookUp()
    const later = fixture.serve({ issued_at: now + hour, next_update: now + 30 * day })
    await fixture.turn(0.8 * day)
    expect(await fixture.prefetch()).toBe(1)
    expect((await fixture.lookUp())?.token).toEqual(later)
    expect(fixture.issuer.requestCount).toBe(2)
  })

  test('serves for a week while its authority is unreachable, and the worker keeps trying', async () => {
    await using fixture = await openCrlFixture()
    const now = await readClock(fixture.stores.db)
    fixture.serve({ issued_at: now, next_update: now + 30 * day })
    await fixture.lookUp()
    fixture.issuer.setBehaviour(reply(503))
    for (const days of [0.9, 1.8, 2.7, 3.6, 4.5, 5.4, 6.3, 6.9]) {
      await fixture.turn(days * day)
      expect(await fixture.prefetch()).toBe(1)
      expect(await fixture.lookUp()).toBeDefined()
    }
    await fixture.turn(7.1 * day)
    expect(await fixture.lookUp()).toBeUndefined()
  })

  test('is not used after its nextUpdate', async () => {
    await using fixture = await openCrlFixture()
    const now = await readClock(fixture.stores.db)
    fixture.serve({ issued_at: now, next_update: now + 2 * hour })
    await fixture.lookUp()
    await fixture.turn(1.6 * hour)
    fixture.issuer.setBehaviour(reply(503))
    expect(await fixture.prefetch()).toBe(1)
    expect(await fixture.lookUp()).toBeDefined()
    await fixture.turn(2.1 * hour)
    expect(await fixture.lookUp()).toBeUndefined()
  })

  test('is never replaced by an older one', async () => {
    await using fixture = await openCrlFixture()
    const now = await readClock(fixture.stores.db)
    const current = fixture.serve({ issued_at: now, next_update: now + 2 * hour })
    await fixture.lookUp()
    fixture.serve({ issued_at: now - hour, next_update: now + 5 * hour })
    await fixture.turn(1.6 * hour)
    expect(await fixture.prefetch()).toBe(1)
    expect((await fixture.lookUp())?.token).toEqual(current)
    // Nor once it has expired.
    await fixture.turn(2.1 * hour)
    expect(await fixture.lookUp()).toBeUndefined()
    const next = fixture.serve({ issued_at: now + hour, next_update: now + 5 * hour })
    expect((await fixture.lookUp())?.token).toEqual(next)
  })

  test('was not issued in the future, so that none can block the next', async () => {
    await using fixture = await openCrlFixture()
    const now = await readClock(fixture.stores.db)
    fixture.serve({ issued_at: now + hour, next_update: now + day })
    await fixture.lookUp()
    expect(await fixture.countRows()).toBe(0)
  })
})
