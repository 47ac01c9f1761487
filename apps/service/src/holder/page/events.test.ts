import { once } from 'node:events'
import { get, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { setClockOffset } from '../../../test/database/clock.ts'
import { respondUntilAccepted } from '../../../test/respond-until-accepted.ts'
import { startService, type Service } from '../../../test/service.ts'
import { waitUntil } from '../../../test/wait-until.ts'
import { maxPhaseStreams } from './stream-phases.ts'

const service = await startService()
const { anonymous } = service
const merchant = await service.tenant()
afterAll(() => service[Symbol.asyncDispose]())

async function create(): Promise<{ id: string; wallet_uri: string }> {
  return (await merchant.post('/v1/verifications', { template: 'age_over_18' })).body
}

type OpenedStream = {
  status: number | undefined
  headers: IncomingHttpHeaders
  text: () => string
  ended: () => boolean
} & Disposable

/** Opens a stream on a connection of its own and collects what it sends. */
async function openStream(id: string, address = service.address): Promise<OpenedStream> {
  const request = get(`${address}/verify/${id}/events`, { agent: false })
  const [response] = (await once(request, 'response')) as [IncomingMessage] // as the event is documented
  let [received, ended] = ['', false]
  response.setEncoding('utf8').on('data', (chunk: string) => (received += chunk))
  response.once('close', () => (ended = true))
  // The test closes the connection while the service writes.
  response.on('error', () => undefined)
  return {
    status: response.statusCode,
    headers: response.headers,
    text: () => received,
    ended: () => ended,
    [Symbol.dispose]: () => void request.destroy(),
  }
}

function phases(text: string): string[] {
  return [...text.matchAll(/event: phase\ndata: \{"phase":"(\w+)"\}\n\n/g)].map(([, phase = '']) => phase)
}

test('the stream sends the phase at once and each change, and ends with the outcome', async () => {
  const { id, wallet_uri } = await create()
  using stream = await openStream(id)
  expect(stream.headers['content-type']).toBe('text/event-stream; charset=utf-8')
  expect(stream.headers['access-control-allow-origin']).toBe('*')
  expect(stream.headers['cache-control']).toBe('no-store')
  await waitUntil(() => phases(stream.text()).length === 1)

  await anonymous.get(`/wallet/request/${id}`)
  await waitUntil(() => phases(stream.text()).length === 2)
  await respondUntilAccepted(service, wallet_uri, { persona: 'minor' })
  await waitUntil(stream.ended)
  expect(phases(stream.text())).toEqual(['pending', 'opened', 'not_accepted'])
  expect(stream.text().replaceAll(/event: phase\ndata: \{"phase":"\w+"\}\n\n/g, '')).toBe('')
})

test('a verification that has ended sends its outcome and nothing else', async () => {
  const { id, wallet_uri } = await create()
  await respondUntilAccepted(service, wallet_uri)
  using stream = await openStream(id)
  await waitUntil(stream.ended)
  expect(stream.text()).toBe('event: phase\ndata: {"phase":"completed"}\n\n')
})

test('the stream of a verification that is erased says so and ends', async () => {
  const { id } = await create()
  using stream = await openStream(id)
  await waitUntil(() => phases(stream.text()).length === 1)
  await merchant.delete(`/v1/verifications/${id}`)
  await waitUntil(stream.ended)
  expect(phases(stream.text())).toEqual(['pending', 'gone'])
  expect((await anonymous.get(`/verify/${id}/events`)).status).toBe(404)
})

test('the stream says that the verification has expired as soon as it has', async () => {
  await using late = await startService()
  const shop = await late.tenant()
  const { body } = await shop.post('/v1/verifications', { template: 'age_over_18' })
  using stream = await openStream(body.id, late.address)
  await waitUntil(() => phases(stream.text()).length === 1)
  await setClockOffset(late.ctx.db, '6 minutes')
  await waitUntil(stream.ended)
  expect(phases(stream.text())).toEqual(['pending', 'expired'])
})

test('a verification has a limited number of streams, and a closed one makes room', async () => {
  const { id } = await create()
  const streams: OpenedStream[] = []
  for (let open = 0; open < maxPhaseStreams.verification; open += 1) streams.push(await openStream(id))
  expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200))
  const refused = await anonymous.get(`/verify/${id}/events`)
  expect(refused).toMatchObject({ status: 429, body: { error: { code: 'rate_limit_exceeded' } } })
  expect(refused.headers.get('retry-after')).toBe('10')
  expect(refused.headers.get('access-control-allow-origin')).toBe('*')

  streams[0]?.[Symbol.dispose]()
  await waitUntil(async () => {
    const again = await openStream(id)
    streams.push(again)
    return again.status === 200
  })
  for (const stream of streams) stream[Symbol.dispose]()
})

test('an address has a limited number of streams over all verifications', async () => {
  await using busy = await startService()
  const shop = await busy.tenant()
  const streams: OpenedStream[] = []
  let id = ''
  for (let open = 0; open < maxPhaseStreams.address; open += 1) {
    if (open % maxPhaseStreams.verification === 0)
      id = (await shop.post('/v1/verifications', { template: 'age_over_18' })).body.id
    streams.push(await openStream(id, busy.address))
  }
  expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]))
  const { body } = await shop.post('/v1/verifications', { template: 'age_over_18' })
  using refused = await openStream(body.id, busy.address)
  expect(refused.status).toBe(429)
  for (const stream of streams) stream[Symbol.dispose]()
})

test('streams end when the process stops', async () => {
  const other = await startServiceOnSameDatabase(service)
  const { id } = await create()
  using stream = await openStream(id, other.address)
  await waitUntil(() => phases(stream.text()).length === 1)
  await other[Symbol.asyncDispose]()
  await waitUntil(stream.ended)
  expect(phases(stream.text())).toEqual(['pending'])
})

async function startServiceOnSameDatabase({ database_url: url }: Service): Promise<Service> {
  return startService({ database: { url, [Symbol.asyncDispose]: () => Promise.resolve() } })
}
