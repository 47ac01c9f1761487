import { readFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import {
  closeConnection,
  json,
  refuse,
  neverReply,
  startScriptedService,
  type ScriptedReply,
} from '../test/scripted-service.ts'
import {
  ApiError,
  ConnectionError,
  createClient,
  StillPendingError,
  VidimusError,
  type Client,
  type ConnectOptions,
} from './index.ts'

const apiKey = 'vk_test_0abc'
const pending = { id: 'vs_1', status: 'pending' }

/** A client that does not wait between attempts but records the pauses. */
async function createTestClient(replies: ScriptedReply[], options: Partial<ConnectOptions> = {}) {
  const service = await startScriptedService(...replies)
  const pauses: number[] = []
  const sleep = async (ms: number) => void pauses.push(ms)
  return {
    ...createClient({ baseUrl: service.baseUrl, apiKey, sleep, ...options }),
    requests: service.requests,
    pauses,
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}

test('a creation whose response was lost is retried with the same key, so that nothing is created twice', async () => {
  await using client = await createTestClient([
    closeConnection,
    refuse(503, 'overloaded', { 'retry-after': '3' }),
    json(201, pending),
  ])

  expect(await client.verifications.create({ template: 'age_over_18' })).toEqual(pending)

  const keys = client.requests.map(({ headers }) => headers['idempotency-key'])
  expect(keys).toHaveLength(3)
  expect(new Set(keys).size).toBe(1)
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
  expect(client.pauses[0]).toBeLessThanOrEqual(500)
  expect(client.pauses[1]).toBe(3000)
})

test('every creation has its own idempotency key unless the caller gives one', async () => {
  await using client = await createTestClient([json(201, pending)])
  await client.verifications.create({ template: 'age_over_18' })
  await client.verifications.create({ template: 'age_over_18' })
  await client.verifications.create({ template: 'age_over_18' }, { idempotencyKey: 'order-1042' })

  const keys = client.requests.map(({ headers }) => headers['idempotency-key'])
  expect(new Set(keys).size).toBe(3)
  expect(keys[2]).toBe('order-1042')
})

test('a refusal becomes an ApiError with all details of the response', async () => {
  await using client = await createTestClient([
    refuse(429, 'quota_exceeded', {
      'retry-after': '3600',
      'x-request-id': 'req-1',
      link: '<https://verify.example/docs/errors#quota_exceeded>; rel="help"',
    }),
  ])

  const refused: unknown = await client.verifications
    .create({ template: 'x' })
    .catch((error: unknown) => error)

  expect(refused).toBeInstanceOf(ApiError)
  expect(refused).toMatchObject({
    name: 'ApiError',
    status: 429,
    code: 'quota_exceeded',
    message: 'A refusal: quota_exceeded.',
    requestId: 'req-1',
    retryAfterSeconds: 3600,
    help: 'https://verify.example/docs/errors#quota_exceeded',
  })
  expect(client.requests).toHaveLength(1)
})

test('only transient errors are retried, and only a few times', async () => {
  const countTries = async (reply: ScriptedReply) => {
    await using client = await createTestClient([reply])
    await expect(client.verifications.retrieve('vs_1')).rejects.toBeInstanceOf(VidimusError)
    return client.requests.length
  }

  expect(await countTries(refuse(404, 'session_not_found'))).toBe(1)
  expect(await countTries(refuse(429, 'quota_exceeded'))).toBe(1)
  expect(await countTries(refuse(429, 'rate_limit_exceeded', { 'retry-after': '31' }))).toBe(1)
  expect(await countTries(refuse(429, 'rate_limit_exceeded', { 'retry-after': '30' }))).toBe(3)
  expect(await countTries(refuse(500, 'internal_error'))).toBe(3)
  expect(await countTries(closeConnection)).toBe(3)
})

test('a redemption and a registration are not retried if the response may have been lost', async () => {
  for (const reply of [closeConnection, refuse(500, 'internal_error')]) {
    await using client = await createTestClient([reply])
    await expect(client.verifications.redeem('vs_1', 'a'.repeat(16))).rejects.toBeInstanceOf(VidimusError)
    await expect(client.devices.create({ name: 'Till', allowed_templates: ['x'] })).rejects.toBeInstanceOf(
      VidimusError,
    )
    expect(client.requests).toHaveLength(2)
  }
  // A rate-limited request had no effect.
  await using limited = await createTestClient([refuse(429, 'rate_limit_exceeded'), json(200, pending)])
  await limited.verifications.redeem('vs_1', 'a'.repeat(16))
  expect(limited.requests).toHaveLength(2)
})

test('a timeout and an unreadable response have distinct errors', async () => {
  await using slow = await createTestClient([neverReply], { timeoutMs: 50, retries: 0 })
  await expect(slow.usage.retrieve()).rejects.toThrow(/^GET http:.*\/v1\/usage: no response within 50 ms$/)
  await expect(slow.usage.retrieve()).rejects.toBeInstanceOf(ConnectionError)

  const page: ScriptedReply = (response) => void response.writeHead(502).end('<h1>Bad gateway</h1>')
  await using proxied = await createTestClient([page], { retries: 0 })
  await expect(proxied.usage.retrieve()).rejects.toMatchObject({ status: 502, code: 'unreadable_answer' })

  const elsewhere: ScriptedReply = (response) =>
    void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
  await using moved = await createTestClient([elsewhere], { retries: 0 })
  await expect(moved.usage.retrieve()).rejects.toMatchObject({ status: 302, code: 'unreadable_answer' })
})

test('the caller can abort a call and a pause between two attempts', async () => {
  await using client = await createTestClient([neverReply])
  const stop = new AbortController()
  const reason = new Error('the customer left')
  setTimeout(() => stop.abort(reason), 20)
  await expect(client.verifications.retrieve('vs_1', { signal: stop.signal })).rejects.toBe(reason)

  await using waiting = await startScriptedService(refuse(503, 'overloaded', { 'retry-after': '30' }))
  const { usage } = createClient({ baseUrl: waiting.baseUrl, apiKey })
  const signal = AbortSignal.timeout(100)
  await expect(usage.retrieve({ signal })).rejects.toThrow('aborted due to timeout')
  expect(waiting.requests).toHaveLength(1)
})

test('listAll pages by the last created_at and stops at a short page', async () => {
  const page = (...times: string[]) => json(200, { data: times.map((created_at) => ({ created_at })) })
  await using client = await createTestClient([page('t5', 't4'), page('t3', 't2'), page('t1')])

  const seen: string[] = []
  for await (const { created_at } of client.verifications.listAll({ limit: 2 })) seen.push(created_at)

  expect(seen).toEqual(['t5', 't4', 't3', 't2', 't1'])
  expect(client.requests.map(({ url }) => url)).toEqual([
    '/v1/verifications?limit=2',
    '/v1/verifications?limit=2&before=t4',
    '/v1/verifications?limit=2&before=t2',
  ])
})

test('waitForCompletion polls the public status without the key, then reads the session', async () => {
  const status = (value: string) => json(200, { id: 'vs_1', status: value })
  await using client = await createTestClient([
    status('pending'),
    status('pending'),
    status('completed'),
    json(200, { id: 'vs_1' }),
  ])

  expect(await client.verifications.waitForCompletion('vs_1')).toEqual({ id: 'vs_1' })
  expect(client.pauses).toEqual([1000, 1000])
  expect(client.requests.map(({ url, headers }) => [url, headers.authorization !== undefined])).toEqual([
    ['/v1/verifications/vs_1/status', false],
    ['/v1/verifications/vs_1/status', false],
    ['/v1/verifications/vs_1/status', false],
    ['/v1/verifications/vs_1', true],
  ])

  await using never = await createTestClient([status('pending')])
  await expect(never.verifications.waitForCompletion('vs_1', { timeoutMs: 0 })).rejects.toBeInstanceOf(
    StillPendingError,
  )
})

test('an id cannot change the path', async () => {
  await using client = await createTestClient([refuse(404, 'session_not_found')])
  await expect(client.verifications.delete('../usage?x#y')).rejects.toThrow('session_not_found')
  expect(client.requests[0]?.url).toBe('/v1/verifications/..%2Fusage%3Fx%23y')
  await expect(client.verifications.retrieve('')).rejects.toThrow('empty')
})

test('an operation is called by its name, with its parameters, query and body', async () => {
  await using client = await createTestClient([json(200, { saved: true, lints: [] })])

  expect(await client.call('putTemplate', { key: 'a/b?c', body: { template: { name: 'Hotel' } } })).toEqual({
    saved: true,
    lints: [],
  })
  await client.call('listAudit', { query: { limit: 5, action: 'key.created', actor: undefined } })
  await client.call('getSettings')

  expect(client.requests).toMatchObject([
    { method: 'PUT', url: '/v1/templates/a%2Fb%3Fc', body: { template: { name: 'Hotel' } } },
    { method: 'GET', url: '/v1/audit?limit=5&action=key.created', body: undefined },
    { method: 'GET', url: '/v1/settings', headers: { authorization: `Bearer ${apiKey}` } },
  ])
  await expect(client.call('getTemplate', { key: '' })).rejects.toThrow('getTemplate needs key.')
  expect(client.requests).toHaveLength(3)
})

test('an operation is sent again after a lost response only if it changes nothing twice and loses no secret', async () => {
  const body = { url: 'https://shop.example/alerts' }
  const calls = {
    getSettings: (client: Client) => client.call('getSettings'),
    putTemplate: (client: Client) => client.call('putTemplate', { key: 'hotel', body: { template: {} } }),
    setAlertWebhook: (client: Client) => client.call('setAlertWebhook', { body }),
    createKey: (client: Client) =>
      client.call('createKey', { body: { name: 'Shop', scopes: ['config:read'] } }),
    deleteTemplate: (client: Client) => client.call('deleteTemplate', { key: 'hotel' }),
  }
  const sent = Object.entries(calls).map(async ([name, call]) => {
    await using client = await createTestClient([closeConnection])
    await expect(call(client)).rejects.toThrow(ConnectionError)
    return [name, client.requests.length]
  })

  expect(Object.fromEntries(await Promise.all(sent))).toEqual({
    getSettings: 3,
    putTemplate: 3,
    setAlertWebhook: 1,
    createKey: 1,
    deleteTemplate: 1,
  })
})

test('an export is returned as text, unless something else responded or it was refused', async () => {
  const lines = '{"entry":1}\n{"seal":2}\n'
  const reply =
    (type: string): ScriptedReply =>
    (response) =>
      response.writeHead(200, { 'content-type': type }).end(lines)
  await using client = await createTestClient([
    reply('application/jsonl'),
    reply('text/html'),
    refuse(403, 'insufficient_scope'),
  ])

  expect(await client.call('exportAudit')).toBe(lines)
  expect(client.requests[0]?.headers.accept).toBe('application/jsonl')
  await expect(client.call('exportAudit')).rejects.toMatchObject({ code: 'unreadable_answer' })
  await expect(client.call('exportAudit')).rejects.toMatchObject({ code: 'insufficient_scope' })
})

test('invalid options are refused when the client is created, and the message does not repeat the key', () => {
  for (const wrong of [undefined, '', 'whsec_abc', 'vk_test_', 'vk_test_abc\n', 'Bearer vk_test_abc']) {
    expect(() => createClient({ baseUrl: 'https://verify.example', apiKey: wrong })).toThrow(
      'apiKey must start with vk_test_ or vk_live_',
    )
  }
  for (const baseUrl of ['', 'verify.example', 'ftp://verify.example', 'file:///x']) {
    expect(() => createClient({ baseUrl, apiKey })).toThrow('baseUrl must be an http or https URL')
  }
})

test("the holder's page is named without a request, whatever the id and the slash after the address", async () => {
  await using client = await createTestClient([])
  const { verifications } = createClient({ baseUrl: 'https://verify.example/sub/', apiKey })

  expect(verifications.pageUrl({ id: 'vs_1' })).toBe('https://verify.example/sub/verify/vs_1')
  expect(verifications.pageUrl({ id: '../v1?x' })).toBe('https://verify.example/sub/verify/..%2Fv1%3Fx')
  expect(() => client.verifications.pageUrl({ id: '' })).toThrow('The verification id is empty.')
  expect(client.requests).toEqual([])
})

test("the holder's page of a verification is the one that the service named with it", async () => {
  const link = '<https://public.example/verify/vs_1>; rel="alternate"; type="text/html"'
  await using client = await createTestClient([json(201, pending, { link }), json(200, pending)])
  const created = await client.verifications.create({ template: 'age_over_18' })
  expect(client.verifications.pageUrl(created)).toBe('https://public.example/verify/vs_1')
  expect(created).toEqual(pending)
  const read = await client.verifications.retrieve('vs_1')
  expect(client.verifications.pageUrl(read)).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/verify\/vs_1$/)
})

test('every warning of a response is passed on, by default to the console, and one that is thrown is not retried', async () => {
  const warned = json(201, pending, { 'x-service-warning': 'query.a: is missing; query.b: is missing' })
  const warnings: string[] = []
  await using client = await createTestClient([warned, json(200, pending)], {
    onWarning: (warning) => void warnings.push(warning),
  })
  await client.verifications.create({ query: { credentials: [{}] } }, { strict: false })
  await client.verifications.retrieve('vs_1')
  expect(warnings).toEqual(['query.a: is missing', 'query.b: is missing'])
  expect(client.requests[0]?.url).toBe('/v1/verifications?strict=false')

  const write = vi.spyOn(console, 'warn').mockImplementation(() => {})
  await using plain = await createTestClient([warned])
  await plain.verifications.create({ template: 'age_over_18' })
  expect(write.mock.calls).toEqual([['Vidimus: query.a: is missing'], ['Vidimus: query.b: is missing']])
  expect(plain.requests[0]?.url).toBe('/v1/verifications')
  write.mockRestore()

  await using strict = await createTestClient([warned], {
    onWarning: (warning) => {
      throw new Error(warning)
    },
  })
  await expect(strict.verifications.create({ template: 'age_over_18' })).rejects.toThrow(
    'query.a: is missing',
  )
  expect(strict.requests).toHaveLength(1)
})

test('the README names every method of the client', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const groups = Object.entries(createClient({ baseUrl: 'https://verify.example', apiKey }))
  const missing = groups.flatMap(([group, methods]) => {
    const row = readme.split('\n').find((line) => line.startsWith(`| \`${group}\` |`)) ?? ''
    return Object.keys(methods).filter((method) => !row.includes(`\`${method}\``))
  })

  expect(groups.length).toBeGreaterThan(4)
  expect(missing).toEqual([])
})
