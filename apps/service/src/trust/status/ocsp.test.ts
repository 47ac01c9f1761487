import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import {
  makeCertificate,
  year_seconds,
  type IssuedCertificate,
} from '../../../../../packages/protocol/test/certificates.ts'
import { makeOcspResponse } from '../../../../../packages/protocol/test/ocsp.ts'
import { openOpensslResponder } from '../../../../../packages/protocol/test/openssl-responder.ts'
import { ocspLimits } from '../../../../../packages/protocol/src/ocsp/read.ts'
import { buildOcspUri } from '../../../../../packages/protocol/src/ocsp/request.ts'
import { readCertificate } from '../../../../../packages/protocol/src/x509/read-certificate.ts'
import { setClockOffset } from '../../../test/database/clock.ts'
import { openTestStores, readClock } from '../../../test/database/stores.ts'
import { openEgressFixture } from '../../../test/network/egress-fixture.ts'
import { openTestLookup } from '../../../test/trust/status-fixture.ts'
import { sql } from '../../engine/db/sql.ts'
import { prefetchLists } from './prefetch.ts'

const egress = await openEgressFixture({}, '127.0.0.1/32')
const publicOnly = await openEgressFixture({})
afterAll(async () => {
  await egress[Symbol.asyncDispose]()
  await publicOnly[Symbol.asyncDispose]()
})

const hour = 3600
const day = 24 * hour
const now = Math.floor(Date.now() / 1000)
const validity = { valid_from: now - year_seconds, valid_until: now + year_seconds }
const authority = makeCertificate({ ...validity, authority: true, common_name: 'Authority' })
const [signer, otherSigner] = ['Signer', 'Other'].map((common_name) =>
  makeCertificate({ ...validity, issuer: authority, common_name }),
)

function read(certificate: IssuedCertificate | undefined) {
  const found = readCertificate(certificate?.der ?? Buffer.alloc(0))
  if ('error' in found) throw new Error(found.error)
  return found.value
}
const { serial } = read(signer)

type Respond = (request: Buffer) => { status?: number; body: Uint8Array }

/** A responder over plain HTTP, which tests tell what to respond, and the stores of a service. */
async function openFixture() {
  const stores = await openTestStores()
  const openssl = openOpensslResponder(authority, { good: [serial], revoked: [] })
  const received: Pick<IncomingMessage, 'method' | 'url' | 'headers'>[] = []
  const honest: Respond = (request) => ({ body: openssl.respond(request) })
  let respond = honest
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    received.push({ method: request.method, url: request.url, headers: request.headers })
    const { status = 200, body } = respond(await buffer(request))
    response.writeHead(status, { 'content-type': 'application/ocsp-response' }).end(body)
  }
  const server = createServer((request, response) => void serve(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // listening on TCP
  const uri = buildOcspUri(`http://127.0.0.1:${port}/ocsp`, {
    certificate: read(signer),
    issuer: read(authority),
  })
  return {
    ...stores,
    received,
    setRespond(next: Respond = honest) {
      respond = next
    },
    /** By default as a new process would. */
    lookUp: async (lookUp = openTestLookup(stores, [], egress)) => {
      const at = await readClock(stores.db)
      const query = {
        tenant_id: 'one',
        environment: 'live',
        uri,
        crl_issuer: authority.der,
        now: at,
      } as const
      return (await lookUp(query))?.token
    },
    lookUpPublic: () => openTestLookup(stores, [], publicOnly),
    prefetch: () => prefetchLists({ db: stores.db, egress: { test: egress, live: egress } }),
    countRows: async () => (await stores.db.query(sql`select from revocation_lists`)).length,
    turn: (seconds: number) => setClockOffset(stores.db, `${seconds} seconds`),
    async [Symbol.asyncDispose]() {
      openssl[Symbol.dispose]()
      server.closeAllConnections()
      server.close()
      await stores[Symbol.asyncDispose]()
    },
  }
}

const about = (
  certificate: IssuedCertificate | undefined,
  issued_at: number,
  next_update = issued_at + day,
) => Buffer.from(makeOcspResponse(authority, read(certificate).serial, { issued_at, next_update }).token)

test("an OCSP response of OpenSSL's responder is fetched once for all processes and calls, and stored", async () => {
  await using fixture = await openFixture()
  const lookUp = openTestLookup(fixture, [], egress)
  const found = await Promise.all(Array.from({ length: 20 }, () => fixture.lookUp(lookUp)))
  expect(new Set(found).size).toBe(1)
  expect(found[0]).toMatchObject({ media: 'ocsp' })
  expect(await fixture.lookUp()).toMatchObject({ media: 'ocsp' })
  expect(fixture.received).toMatchObject([
    {
      method: 'POST',
      url: '/ocsp',
      headers: { 'content-type': 'application/ocsp-request', accept: 'application/ocsp-response' },
    },
  ])
  expect(await fixture.countRows()).toBe(1)
})

test('an OCSP response is not fetched from an address that is not public', async () => {
  await using fixture = await openFixture()
  expect(await fixture.lookUp(fixture.lookUpPublic())).toBeUndefined()
  expect(fixture.received).toEqual([])
})

test.each<[string, Respond]>([
  ['the responder replies with an error', () => ({ status: 500, body: Buffer.alloc(0) })],
  ['the response is too large', () => ({ body: Buffer.alloc(ocspLimits.response_bytes + 1, 0x30) })],
])('an OCSP response is unavailable if %s', async (_, respond) => {
  await using fixture = await openFixture()
  fixture.setRespond(respond)
  expect(await fixture.lookUp()).toBeUndefined()
  expect(await fixture.countRows()).toBe(0)
})

test.each<[string, Respond]>([
  ['about another certificate', () => ({ body: about(otherSigner, now - 60) })],
  ['that has expired', () => ({ body: about(signer, now - day, now - 60) })],
  ['issued in the future', () => ({ body: about(signer, now + hour) })],
  ['that says nothing', () => ({ body: Buffer.from('30030a0103', 'hex') })],
  [
    'of another authority',
    () => ({
      body: Buffer.from(
        makeOcspResponse(makeCertificate({ authority: true, common_name: 'X' }), serial).token,
      ),
    }),
  ],
])('an OCSP response %s is shown to the verifier and not stored', async (_, respond) => {
  await using fixture = await openFixture()
  fixture.setRespond(respond)
  expect(await fixture.lookUp()).toMatchObject({ media: 'ocsp' })
  expect(await fixture.countRows()).toBe(0)
})

test('a stored OCSP response is fetched again within a day, serves for a week, and is never replaced by an older one', async () => {
  await using fixture = await openFixture()
  fixture.setRespond(() => ({ body: about(signer, now, now + 30 * day) }))
  await fixture.lookUp()
  await fixture.turn(0.8 * day)
  const later = about(signer, now + hour, now + 30 * day)
  fixture.setRespond(() => ({ body: later }))
  expect(await fixture.prefetch()).toBe(1)
  expect((await fixture.lookUp())?.token).toEqual(later)

  fixture.setRespond(() => ({ body: about(signer, now, now + 40 * day) }))
  await fixture.turn(1.6 * day)
  expect(await fixture.prefetch()).toBe(1)
  expect((await fixture.lookUp())?.token).toEqual(later)
  fixture.setRespond(() => ({ status: 503, body: Buffer.alloc(0) }))
  for (const days of [2.5, 3.4, 4.3, 5.2, 6.1, 7]) {
    await fixture.turn(days * day)
    await fixture.prefetch()
    expect(await fixture.lookUp()).toBeDefined()
  }
  await fixture.turn(7.9 * day)
  expect(await fixture.lookUp()).toBeUndefined()
})
