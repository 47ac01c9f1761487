import { expect, test } from 'vitest'
import { probes } from '../../../test/probes.ts'
import { sendRaw } from '../../../test/network/raw-connection.ts'
import { startService } from '../../../test/service.ts'

const envelope = { error: { code: expect.any(String), message: expect.any(String) } }

test('[GEN-5] every error comes in the envelope', async () => {
  await using service = await startService({ extra: probes })
  const merchant = await service.tenant()
  const json = { 'content-type': 'application/json' }
  const post = (raw: string | Buffer<ArrayBuffer>, headers: Record<string, string> = json) =>
    merchant.request('POST', '/v1/probe', { raw, headers })

  const responses = {
    not_found: [
      await merchant.get('/nowhere'),
      await merchant.post('/v1/nowhere', {}),
      await merchant.get('/V1/probe'),
      await merchant.get('//v1/probe'),
    ],
    method_not_allowed: [
      await merchant.request('PUT', '/v1/probe', { body: {} }),
      await merchant.request('PATCH', '/v1/probe'),
      await service.anonymous.request('PROPFIND', '/v1/probe'),
      await service.anonymous.post('/healthz'),
      await merchant.request('PATCH', '/'),
    ],
    invalid_request: [
      await post('{"name":'),
      await post(''),
      await post('{"name":"x"}', { 'content-type': 'text/plain' }),
      await post('{"name":"x"}', { 'content-type': 'application/x-www-form-urlencoded' }),
      await post('{"name":"x"}', { 'content-type': 'application/json; charset=utf-16' }),
      await post('{"name":"x"}', { 'content-type': 'nonsense' }),
      await post('{"name":"x"}', { ...json, 'content-encoding': 'gzip' }),
      await post(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])),
      await post(`{"name":"x","more":"${'y'.repeat(256 * 1024)}"}`),
      await post('"a text"'),
      await post('null'),
      await post('[]'),
      await post('{}'),
      await post('{"name":"x","colour":"red"}'),
      await post('{"name":""}'),
      await post('{"name":"123456789"}'),
      await merchant.get('/v1/probe?limit=x'),
      await merchant.get('/v1/probe?offset=1'),
      await merchant.get('/v1/probe?limit=1&limit=2'),
      await merchant.get(`/v1/probe?q=${'a'.repeat(2048)}`),
    ],
  }

  for (const [code, of] of Object.entries(responses)) {
    for (const [index, { status, body, headers }] of of.entries()) {
      const statuses: Record<string, number> = {
        not_found: 404,
        method_not_allowed: 405,
        invalid_request: 400,
      }
      expect({ index, status, body }).toEqual({ index, status: statuses[code], body: envelope })
      expect([index, body.error.code]).toEqual([index, code])
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    }
  }
  for (const { headers } of responses.method_not_allowed.slice(0, 3))
    expect(headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS')
  expect(responses.invalid_request[13]?.body.error.message).toContain('colour')
})

test('[GEN-7] an internal error is a 500 without details, and is logged with the request id', async () => {
  const lines: string[] = []
  await using service = await startService({ extra: probes, onLog: (line) => lines.push(line) })

  const { status, body, headers } = await service.anonymous.post('/v1/probe/fault', { note: 'sesame' })

  expect({ status, body }).toEqual({
    status: 500,
    body: { error: { code: 'internal_error', message: 'Something went wrong on our side.' } },
  })
  const logged = lines.map((line) => JSON.parse(line)).find(({ level }) => level === 'error')
  expect(logged).toMatchObject({
    request_id: headers.get('x-request-id'),
    route: '/v1/probe/fault',
    err: {
      type: 'Error',
      message: expect.stringContaining('a fault that quotes'),
      stack: expect.stringContaining('probes.ts'),
    },
  })
  expect(lines.join('')).not.toContain('sesame')
})

test('[GEN-3] properties outside the contract and nulls never appear', async () => {
  await using service = await startService({ extra: probes })

  expect((await service.anonymous.get('/v1/probe/surplus')).text).toBe('{"ok":true}')
})

test("[GEN-6] every response carries a request id, the caller's own if it is well-formed", async () => {
  const lines: string[] = []
  await using service = await startService({ extra: probes, onLog: (line) => lines.push(line) })
  const requestIdFor = async (id: string, more: Record<string, string> = {}) =>
    (await service.anonymous.get('/v1/probe', { headers: { 'x-request-id': id, ...more } })).headers.get(
      'x-request-id',
    )

  const uuid = '7f0c1e5e-9d5a-4c52-8f43-0f8c8f2b6f3a'
  const trace = '0af7651916cd43dd8448eb211c80319c'
  expect(await requestIdFor(uuid, { traceparent: `00-${trace}-b7ad6b7169203331-01` })).toBe(uuid)
  expect(await requestIdFor(trace)).toBe(trace)
  for (const odd of ['', 'mine', 'vk_live_secret', `${uuid}\u00e9`, 'a'.repeat(200), '<script>']) {
    expect(await requestIdFor(odd)).toMatch(/^[0-9a-f-]{36}$/)
  }
  const logged = lines.map((line) => JSON.parse(line))
  expect(logged.find(({ request_id }) => request_id === uuid)).toMatchObject({
    trace_id: trace,
    route: '/v1/probe',
    status: 401,
  })
  for (const path of ['/healthz', '/nowhere', '/openapi.json']) {
    expect((await service.anonymous.get(path)).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  }
})

test('every refusal of the API ends with the address of its documentation, also of unknown routes', async () => {
  await using service = await startService()
  const merchant = await service.tenant()
  for (const [response, code] of [
    [await merchant.post('/v1/verifications', {}), 'invalid_request'],
    [await merchant.get('/v1/verifications/vs_unknown'), 'session_not_found'],
    [await merchant.get('/v1/nowhere'), 'not_found'],
    [await merchant.request('PUT', '/v1/usage'), 'method_not_allowed'],
    [await service.anonymous.get('/v1/usage'), 'invalid_api_key'],
  ] as const) {
    expect(response.body.error.code).toBe(code)
    expect(response.body.error.message).toMatch(
      new RegExp(`^[A-Z].+\\. See ${service.ctx.config.BASE_URL}/docs/errors#${code}$`),
    )
  }
})

test('[GEN-10] unusual bodies are 400: NUL, lone surrogates, __proto__, deep nesting', async () => {
  await using service = await startService({ extra: probes })
  const merchant = await service.tenant()
  const post = async (raw: string) => (await merchant.request('POST', '/v1/probe', { raw })).status

  expect(await post(`{"name":"x","more":${'['.repeat(31)}${']'.repeat(31)}}`)).toBe(200)
  for (const raw of [
    '{"name":"\\u0000"}',
    '{"name":"x","more":"a\\u0000"}',
    '{"name":"x","more":["\\ud800"]}',
    '{"name":"x","more":{"\\udc00":1}}',
    '{"name":"x","more":{"a\\u0000":1}}',
    '{"name":"x","__proto__":{}}',
    '{"name":"x","more":[{"__proto__":1}]}',
    '{"name":"x","more":{"\\u005f_proto__":1}}',
    `{"name":"x","more":${'['.repeat(32)}${']'.repeat(32)}}`,
    `{"name":"x","more":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    `{"name":"x","more":${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}}`,
    '{"name":"x","more":1e999,}',
    '{"name":NaN}',
  ]) {
    expect([raw.slice(0, 40), await post(raw)]).toEqual([raw.slice(0, 40), 400])
  }
  expect(await merchant.get('/v1/probe?q=%00')).toMatchObject({ status: 400 })
})

test('[GEN-10] unusual ids in a path are the 404 of the route', async () => {
  await using service = await startService({ extra: probes })
  const merchant = await service.tenant()

  for (const id of [
    '%00',
    'a%00b',
    '%zz',
    '%',
    '%ff',
    '%c3%28',
    '%ed%a0%80',
    'a'.repeat(129),
    'a'.repeat(9000),
    '',
  ]) {
    const path = `/v1/probe/${id}`
    const responses = [
      await sendRaw(
        service.address,
        `DELETE ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${merchant.key}\r\n\r\n`,
      ),
      ...(id === ''
        ? []
        : [await sendRaw(service.address, `GET ${path}/status HTTP/1.1\r\nhost: x\r\n\r\n`)]),
    ]
    for (const response of responses) {
      // `%zz` is an ordinary text of three characters, which these probes accept; it must not be a malformed request.
      expect([id, response?.status === 200 || response?.body.error.code]).toEqual([
        id,
        /^(?:%zz|%|%ff|%c3%28|%ed%a0%80)$/.test(id) ? true : 'session_not_found',
      ])
    }
  }
})

test('GET and DELETE ignore a body and its Content-Type', async () => {
  await using service = await startService({ extra: probes })
  const { key } = await service.tenant()

  for (const first of ['GET /v1/probe', 'DELETE /v1/probe/x']) {
    for (const type of ['application/json', 'text/plain', 'nonsense', '']) {
      const response = await sendRaw(
        service.address,
        `${first} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-type: ${type}\r\ncontent-length: 9\r\n\r\n{"broken:`,
      )
      expect([first, type, response?.status]).toEqual([first, type, 200])
    }
  }
})

test('wallet routes accept a form and nothing else', async () => {
  await using service = await startService({ extra: probes })
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const post = async (raw: string, headers: Record<string, string> = form) =>
    (await service.anonymous.request('POST', '/wallet/probe/x', { raw, headers })).status

  expect(await post('response=abc&state=%C3%A9')).toBe(200)
  expect(await post(`response=${'x'.repeat(2 * 1024 * 1024 - 9)}`)).toBe(200)
  expect(await post(`response=${'x'.repeat(2 * 1024 * 1024)}`)).toBe(400)
  expect(await post('a=1&a=2')).toBe(400)
  expect(await post('a=%00')).toBe(400)
  expect(await post('__proto__=1')).toBe(400)
  expect(await post('{"response":"abc"}', { 'content-type': 'application/json' })).toBe(400)
})

test('HEAD responds like GET without a body; OPTIONS lists the methods of a route', async () => {
  await using service = await startService({ extra: probes })
  const merchant = await service.tenant()
  const got = await merchant.get('/v1/probe')
  const head = await merchant.request('HEAD', '/v1/probe')

  expect(head).toMatchObject({ status: 200, text: '' })
  expect(head.headers.get('content-length')).toBe(got.headers.get('content-length'))
  expect(await service.anonymous.request('HEAD', '/v1/probe')).toMatchObject({ status: 401, text: '' })
  const options = await service.anonymous.request('OPTIONS', '/v1/probe')
  expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, POST, OPTIONS'])
  expect(options.headers.get('access-control-allow-origin')).toBeNull()
})

test('pages of any origin can call routes with any_origin, and read their errors, but no other routes', async () => {
  await using service = await startService({ extra: probes })
  const origin = { origin: 'https://shop.example' }
  const allowed = async (method: string, path: string) =>
    (await service.anonymous.request(method, path, { headers: origin })).headers.get(
      'access-control-allow-origin',
    )

  expect(await allowed('GET', '/v1/probe/x/status')).toBe('*')
  expect(await allowed('GET', `/v1/probe/${'x'.repeat(200)}/status`)).toBe('*')
  expect(await allowed('OPTIONS', '/v1/probe/x/status')).toBe('*')
  expect(await allowed('GET', '/v1/probe')).toBeNull()
})

test('every response carries the security headers', async () => {
  await using service = await startService({
    extra: probes,
    environment: { BASE_URL: 'https://verify.example.com' },
  })

  for (const path of ['/healthz', '/v1/probe', '/nowhere', '/v1/probe/surplus']) {
    const { headers } = await service.anonymous.get(path)
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'strict-transport-security': 'max-age=31536000',
      'x-content-type-options': 'nosniff',
    })
  }
})

test('names below the host of BASE_URL are part of the HSTS policy only if the operator says so', async () => {
  const policy = async (environment: Record<string, string>) => {
    await using service = await startService({ environment })
    return (await service.anonymous.get('/healthz')).headers.get('strict-transport-security')
  }
  const BASE_URL = 'https://verify.example.com'
  expect(await policy({ BASE_URL, HSTS_INCLUDE_SUBDOMAINS: 'on' })).toBe(
    'max-age=31536000; includeSubDomains',
  )
  expect(await policy({ BASE_URL })).toBe('max-age=31536000')
  expect(await policy({ HSTS_INCLUDE_SUBDOMAINS: 'on' })).toBeNull()
})
