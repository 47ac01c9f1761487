import { expect, test } from 'vitest'
import {
  closeConnection,
  json,
  refuse,
  startScriptedService,
  type ScriptedReply,
} from '../../test/scripted-service.ts'
import { ApiError, ConnectionError, createDeviceClient, memoryStore, PairingError } from '../index.ts'

const lifetime_ms = 900_000

function tokenPairReply(generation: number): ScriptedReply {
  return json(200, {
    access_token: `vd_${generation}`,
    refresh_token: `vdr_${generation}`,
    token_type: 'Bearer',
    expires_in: 900,
    refresh_expires_in: 2_592_000,
    device: { id: 'd', status: 'active' },
  })
}
const probeReply = refuse(400, 'invalid_request')
const createdReply = json(201, { id: 'vs_1' })

/** A paired till with a controllable clock, and the requests it sends after pairing. */
async function openPairedTill(...replies: ScriptedReply[]) {
  const service = await startScriptedService(tokenPairReply(0), ...replies)
  const clock = { now: 0 }
  const client = createDeviceClient({
    baseUrl: service.baseUrl,
    store: memoryStore(),
    now: () => clock.now,
    sleep: async () => {},
  })
  await client.pair('VD-7K3M-Q9XT')
  return {
    ...client,
    clock,
    createVerification: () => client.verifications.create({ template: 'age_over_18' }),
    sentRequests: () =>
      service.requests.slice(1).map(({ url, body, headers }) => [url, body, headers.authorization]),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}

test('a fresh token is used directly; an old one is refreshed first, after a probe of the service', async () => {
  await using till = await openPairedTill(createdReply, probeReply, tokenPairReply(1), createdReply)
  await till.createVerification()
  till.clock.now = lifetime_ms * 0.7
  await till.createVerification()

  expect(till.sentRequests()).toEqual([
    ['/v1/verifications', { template: 'age_over_18' }, 'Bearer vd_0'],
    ['/v1/devices/token', {}, undefined],
    ['/v1/devices/token', { refresh_token: 'vdr_0' }, undefined],
    ['/v1/verifications', { template: 'age_over_18' }, 'Bearer vd_1'],
  ])
})

test('concurrent requests share one refresh', async () => {
  await using till = await openPairedTill(probeReply, tokenPairReply(1), createdReply)
  till.clock.now = lifetime_ms
  await Promise.all([till.createVerification(), till.createVerification(), till.createVerification()])

  expect(till.sentRequests().filter(([url]) => url === '/v1/devices/token')).toHaveLength(2)
})

test('while the service is unreachable, the refresh token is kept and the access token is used until it expires', async () => {
  const overloadedReply = refuse(503, 'overloaded')
  await using till = await openPairedTill(
    closeConnection,
    closeConnection,
    closeConnection,
    createdReply,
    overloadedReply,
    overloadedReply,
    overloadedReply,
    probeReply,
    tokenPairReply(1),
    createdReply,
  )
  till.clock.now = lifetime_ms * 0.7
  await till.createVerification()
  till.clock.now = lifetime_ms
  await expect(till.createVerification()).rejects.toBeInstanceOf(ApiError)
  expect(await till.state()).toMatchObject({ status: 'paired' })
  await till.createVerification()

  const refreshRequests = till.sentRequests().filter(([, body]) => JSON.stringify(body).includes('vdr_'))
  expect(refreshRequests).toHaveLength(1)
})

test('a refresh token whose response was lost is not sent again, and the device must be paired again', async () => {
  await using till = await openPairedTill(probeReply, closeConnection, createdReply)
  till.clock.now = lifetime_ms * 0.7
  await till.createVerification()
  expect(await till.state()).toMatchObject({ status: 'pair_again', reason: 'refresh_lost' })
  till.clock.now = lifetime_ms
  await expect(till.createVerification()).rejects.toThrow(
    'The token is not sent again, because that would revoke the device',
  )
  await expect(till.createVerification()).rejects.toBeInstanceOf(PairingError)

  const refreshRequests = till.sentRequests().filter(([, body]) => JSON.stringify(body).includes('vdr_'))
  expect(refreshRequests).toHaveLength(1)
})

test('a refused refresh token ends the pairing, and a new code starts another', async () => {
  await using till = await openPairedTill(
    probeReply,
    refuse(400, 'invalid_refresh_token'),
    tokenPairReply(7),
    createdReply,
  )
  till.clock.now = lifetime_ms
  await expect(till.createVerification()).rejects.toMatchObject({
    name: 'PairingError',
    reason: 'refresh_refused',
  })
  await expect(till.createVerification()).rejects.toMatchObject({ reason: 'refresh_refused' })
  await till.pair('VD-AAAA-BBBB')
  await till.createVerification()

  expect(till.sentRequests().at(-1)).toEqual([
    '/v1/verifications',
    { template: 'age_over_18' },
    'Bearer vd_7',
  ])
})

test("a token that the service considers expired is refreshed, whatever the device's clock says", async () => {
  await using till = await openPairedTill(
    refuse(401, 'api_key_expired'),
    probeReply,
    tokenPairReply(1),
    createdReply,
  )
  expect(await till.createVerification()).toEqual({ id: 'vs_1' })
  expect(till.sentRequests().at(-1)?.[2]).toBe('Bearer vd_1')
})

test('an unpaired device throws a PairingError, and a pairing code whose response is lost is not sent again', async () => {
  await using till = await openPairedTill(closeConnection)
  await till.forget()
  expect(await till.state()).toEqual({ status: 'unpaired' })
  await expect(till.createVerification()).rejects.toMatchObject({
    name: 'PairingError',
    reason: 'not_paired',
  })
  await expect(till.pair('VD-7K3M-Q9XT')).rejects.toBeInstanceOf(ConnectionError)
  expect(till.sentRequests()).toHaveLength(1)
})
