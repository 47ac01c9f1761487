import { expect, test } from 'vitest'
import { hangUp, json, refuse, startScripted, type Answer } from '../../test/scripted-service.ts'
import { ApiError, ConnectionError, createDeviceClient, memoryStore, PairingError } from '../index.ts'

const life = 900_000

function pair(generation: number): Answer {
  return json(200, {
    access_token: `vd_${generation}`,
    refresh_token: `vdr_${generation}`,
    token_type: 'Bearer',
    expires_in: 900,
    refresh_expires_in: 2_592_000,
    device: { id: 'd', status: 'active' },
  })
}
const reached = refuse(400, 'invalid_request')
const made = json(201, { id: 'vs_1' })

/** A paired till, its clock, and what the service is asked after the pairing. */
async function pairedTill(...answers: Answer[]) {
  const service = await startScripted(pair(0), ...answers)
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
    ask: () => client.verifications.create({ template: 'age_over_18' }),
    asked: () => service.seen.slice(1).map(({ url, body, headers }) => [url, body, headers.authorization]),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}

test('a fresh token is used as it is; an old one is exchanged first, after the service has shown that it is there', async () => {
  await using till = await pairedTill(made, reached, pair(1), made)
  await till.ask()
  till.clock.now = life * 0.7
  await till.ask()

  expect(till.asked()).toEqual([
    ['/v1/verifications', { template: 'age_over_18' }, 'Bearer vd_0'],
    ['/v1/devices/token', {}, undefined],
    ['/v1/devices/token', { refresh_token: 'vdr_0' }, undefined],
    ['/v1/verifications', { template: 'age_over_18' }, 'Bearer vd_1'],
  ])
})

test('many requests at once wait for one refresh', async () => {
  await using till = await pairedTill(reached, pair(1), made)
  till.clock.now = life
  await Promise.all([till.ask(), till.ask(), till.ask()])

  expect(till.asked().filter(([url]) => url === '/v1/devices/token')).toHaveLength(2)
})

test('while the service cannot be reached the refresh token is kept, and the access token serves to its end', async () => {
  const away = refuse(503, 'overloaded')
  await using till = await pairedTill(hangUp, hangUp, hangUp, made, away, away, away, reached, pair(1), made)
  till.clock.now = life * 0.7
  await till.ask()
  till.clock.now = life
  await expect(till.ask()).rejects.toBeInstanceOf(ApiError)
  expect(await till.state()).toMatchObject({ status: 'paired' })
  await till.ask()

  const risked = till.asked().filter(([, body]) => JSON.stringify(body).includes('vdr_'))
  expect(risked).toHaveLength(1)
})

test('a refresh token whose answer was lost is not sent again; the device says that it must be paired', async () => {
  await using till = await pairedTill(reached, hangUp, made)
  till.clock.now = life * 0.7
  await till.ask()
  expect(await till.state()).toMatchObject({ status: 'pair_again', reason: 'refresh_lost' })
  till.clock.now = life
  await expect(till.ask()).rejects.toThrow('It is not sent again, because that would revoke the device')
  await expect(till.ask()).rejects.toBeInstanceOf(PairingError)

  const risked = till.asked().filter(([, body]) => JSON.stringify(body).includes('vdr_'))
  expect(risked).toHaveLength(1)
})

test('a refresh token that the service refuses ends the pairing, and a new code begins another', async () => {
  await using till = await pairedTill(reached, refuse(400, 'invalid_refresh_token'), pair(7), made)
  till.clock.now = life
  await expect(till.ask()).rejects.toMatchObject({ name: 'PairingError', reason: 'refresh_refused' })
  await expect(till.ask()).rejects.toMatchObject({ reason: 'refresh_refused' })
  await till.pair('VD-AAAA-BBBB')
  await till.ask()

  expect(till.asked().at(-1)).toEqual(['/v1/verifications', { template: 'age_over_18' }, 'Bearer vd_7'])
})

test("the service's word on a token's age counts, whatever the clock of the device says", async () => {
  await using till = await pairedTill(refuse(401, 'api_key_expired'), reached, pair(1), made)
  expect(await till.ask()).toEqual({ id: 'vs_1' })
  expect(till.asked().at(-1)?.[2]).toBe('Bearer vd_1')
})

test('an unpaired or forgotten device says so, and a code whose answer is lost is not tried again', async () => {
  await using till = await pairedTill(hangUp)
  await till.forget()
  expect(await till.state()).toEqual({ status: 'unpaired' })
  await expect(till.ask()).rejects.toMatchObject({ name: 'PairingError', reason: 'not_paired' })
  await expect(till.pair('VD-7K3M-Q9XT')).rejects.toBeInstanceOf(ConnectionError)
  expect(till.asked()).toHaveLength(1)
})
