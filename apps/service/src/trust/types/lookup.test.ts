import { setTimeout as pass } from 'node:timers/promises'
import { referToType, serveTypeMetadata } from '@vidimus/sandbox'
import { expect, test } from 'vitest'
import { setClockOffset } from '../../../test/database/clock.ts'
import { openTestStores, type TestStores } from '../../../test/database/stores.ts'
import { openEgressFixture } from '../../../test/network/egress-fixture.ts'
import { neverRespond, reply, type ReceiverBehaviour } from '../../../test/network/receiver.ts'
import { replyBytes, startStatusIssuer } from '../../../test/trust/status-issuer.ts'
import { fetchLimits, openFetchAllowance } from '../fetch-allowance.ts'
import { openSandbox } from '../sandbox/open-sandbox.ts'
import { limits, openTypeLookup, sweepTypes, typeCache, typeLookupLimits } from './lookup-type.ts'

/** A server with descriptions of types, and a process that looks them up in live. */
async function openTypeFixture() {
  const stores = await openTestStores()
  const server = await startStatusIssuer()
  const egress = await openEgressFixture({ 'lists.test': ['127.0.0.1'] }, '127.0.0.1/32')
  const open = ({ db }: Pick<TestStores, 'db'> = stores, allowance = openFetchAllowance()) =>
    openTypeLookup({ db, sandbox: openSandbox(stores), egress: { test: egress, live: egress }, allowance })
  const lookUp = open()
  const refer = (extended: string) => {
    const { vct: uri, 'vct#integrity': integrity } = referToType(server.issuer, 'direct', extended)
    return { uri, integrity }
  }
  server.setBehaviour((socket, request) => {
    const document = serveTypeMetadata(server.issuer, `${server.base}${request.line.split(' ')[1] ?? ''}`)
    const respond = document === undefined ? reply(404) : replyBytes(document)
    respond(socket, request)
  })
  return {
    stores,
    server,
    open,
    refer,
    lookUp: (reference = refer('urn:base'), { tenant_id = 'one', now = 0 } = {}, by = lookUp) =>
      by({ tenant_id, environment: 'live', reference, now }),
    async [Symbol.asyncDispose]() {
      await egress[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
      await stores[Symbol.asyncDispose]()
    },
  }
}

const described = { value: { extends: 'urn:base' } }

test('a description is fetched once for concurrent callers and for all processes', async () => {
  await using fixture = await openTypeFixture()
  const found = await Promise.all(Array.from({ length: 50 }, () => fixture.lookUp()))
  expect(new Set(found.map((each) => JSON.stringify(each)))).toEqual(new Set([JSON.stringify(described)]))
  expect(fixture.server.requestCount).toBe(1)

  const elsewhere = fixture.open(await fixture.stores.openAnother())
  fixture.server.setBehaviour(reply(503))
  expect(await fixture.lookUp(undefined, {}, elsewhere)).toEqual(described)
  expect(fixture.server.requestCount).toBe(1)
})

test('what nobody has used for a month is fetched again', async () => {
  await using fixture = await openTypeFixture()
  await fixture.lookUp()
  await setClockOffset(fixture.stores.db, '29 days')
  await sweepTypes(fixture.stores)
  expect(await fixture.lookUp(undefined, {}, fixture.open())).toEqual(described)
  expect(fixture.server.requestCount).toBe(1)

  await setClockOffset(fixture.stores.db, '60 days')
  await sweepTypes(fixture.stores)
  expect(await fixture.lookUp(undefined, {}, fixture.open())).toEqual(described)
  expect(fixture.server.requestCount).toBe(2)
})

const tooLarge = replyBytes(Buffer.alloc(limits.max_response_bytes + 1, ' '))
test.each<[string, ReceiverBehaviour]>([
  ['is absent', reply(404)],
  ['redirects', reply(302, { location: '/types/direct/urn%3Abase' })],
  ['is larger than its bound', tooLarge],
  ['is cut off', replyBytes(Buffer.from('{'), { 'content-length': '1000' })],
  ['never comes', neverRespond],
])('a description that %s is unavailable, and is not asked for again at once', async (_, behaviour) => {
  await using fixture = await openTypeFixture()
  const honest = fixture.server
  honest.setBehaviour(behaviour)
  const started = performance.now()
  expect(await fixture.lookUp()).toBeUndefined()
  expect(performance.now() - started).toBeLessThan(limits.timeout_ms + 3000)
  expect(await fixture.lookUp(undefined, { now: typeCache.failure_seconds - 1 })).toBeUndefined()
  expect(fixture.server.requestCount).toBe(1)
  expect(await fixture.lookUp(undefined, { now: typeCache.failure_seconds })).toBeUndefined()
  expect(fixture.server.requestCount).toBe(2)
})

test('what does not match its hash is refused and not stored', async () => {
  await using fixture = await openTypeFixture()
  const reference = { ...fixture.refer('urn:base'), integrity: fixture.refer('urn:other').integrity }
  const refused = { error: expect.stringContaining('does not match its integrity') }
  expect(await fixture.lookUp(reference)).toEqual(refused)
  expect(await fixture.lookUp(reference, {}, fixture.open())).toEqual(refused)
  expect(fixture.server.requestCount).toBe(2)
  expect(await fixture.lookUp()).toEqual(described)
})

test('a tenant whose servers never reply is bounded, and others are not affected', async () => {
  await using fixture = await openTypeFixture()
  fixture.server.setBehaviour(neverRespond)
  const { maxLookupsPerTenant } = typeLookupLimits
  const waiting = Array.from({ length: maxLookupsPerTenant }, (_, number) =>
    fixture.lookUp(fixture.refer(`urn:${number}`)),
  )
  await pass(50)
  await expect(fixture.lookUp(fixture.refer('urn:more'))).rejects.toThrow('Too many descriptions of types')
  const other = fixture.lookUp(fixture.refer('urn:other'), { tenant_id: 'two' })
  expect(await Promise.all([...waiting, other])).toEqual(Array(maxLookupsPerTenant + 1).fill(undefined))
})

test('descriptions of types count against what may be fetched for the tenant', async () => {
  await using fixture = await openTypeFixture()
  const allowance = openFetchAllowance()
  const lookUp = fixture.open(fixture.stores, allowance)
  allowance.begin('one', 0)(fetchLimits.maxPerMinute_bytes)

  expect(await fixture.lookUp(undefined, {}, lookUp)).toBeUndefined()
  expect(fixture.server.requestCount).toBe(0)
  expect(await fixture.lookUp(undefined, { tenant_id: 'two' }, lookUp)).toEqual(described)
  expect(await fixture.lookUp(fixture.refer('urn:other'), { now: 60 }, lookUp)).toBeDefined()
})
