import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import {
  closeConnection,
  json,
  neverReply,
  refuse,
  startScriptedService,
  type ScriptedReply,
} from '../../packages/sdk/test/scripted-service.ts'
import type { Merchant } from '../../apps/service/test/service.ts'
import type { Outcome, Program } from './program.ts'
import { sealedBehaviours } from './sealed-behaviours.ts'

/** A running service, a merchant of its own, and a wallet that responds to a verification. */
export type World = {
  sdk: Program
  address: string
  merchant: Merchant
  respond: (wallet_uri: string) => Promise<unknown>
}
type Given = Record<string, unknown>
type ClientOptions = { api_key?: string | null; base_url?: string; timeout_ms?: number; retries?: number }

/** What every SDK does. A new SDK is done when its test program reports all of them. */
export const behaviours: Record<string, (world: World) => Promise<void>> = {
  // Against the running service.
  async 'a verification is created and read, with every member that the service sent'({
    sdk,
    address,
    merchant,
  }) {
    const body = { template: 'age_over_18', purpose: 'Alter prüfen', metadata: { order: 'Café 🪪' } }
    const { value } = await real(sdk, address, merchant)('create', { body })
    const { verification } = value
    expect(withoutPage(verification)).toEqual(
      (await merchant.get(`/v1/verifications/${verification.id}`)).body,
    )
    expect(verification).toMatchObject({ status: 'pending', ...body })
    expect(value.page).toMatch(new RegExp(`^https?://.+/verify/${verification.id}$`))
    const read = await real(sdk, address, merchant)('retrieve', { id: verification.id })
    expect(withoutPage(read.value.verification)).toEqual(withoutPage(verification))
    expect(read.value.page).toBe(value.page)
  },

  async 'a completed verification has its claims, credentials and checks'({
    sdk,
    address,
    merchant,
    respond,
  }) {
    const call = real(sdk, address, merchant)
    const { verification } = (await call('create', { body: { template: 'age_over_18' } })).value
    await respond(verification.wallet_uri)
    const { value } = await call('wait', { id: verification.id, timeout_ms: 10_000, interval_ms: 1000 })
    expect(value).toMatchObject({ status: 'completed', claims: { age_over_18: true } })
    expect(withoutPage(value)).toEqual((await merchant.get(`/v1/verifications/${verification.id}`)).body)
  },

  async 'a list has the verifications that the filters name'({ sdk, address, merchant }) {
    const call = real(sdk, address, merchant)
    const { verification } = (
      await call('create', { body: { template: 'age_over_18', metadata: { 'a&b': 'c=d é' } } })
    ).value
    const ids = async (options: Given) =>
      (await call('list', { options })).value.data.map(({ id }: { id: string }) => id)
    expect(await ids({ metadata: { 'a&b': 'c=d é' }, limit: 5 })).toEqual([verification.id])
    expect(await ids({ status: 'completed', created_after: verification.created_at })).toEqual([])
  },

  async 'an iteration goes through all pages'({ sdk, address, merchant }) {
    const own = { ...merchant, ...(await merchant.as({})) }
    const call = real(sdk, address, own)
    const ids: string[] = []
    for (const name of ['1', '2', '3', '4', '5'])
      ids.push(
        (await call('create', { body: { template: 'age_over_21', metadata: { name } } })).value.verification
          .id,
      )
    const { value } = await call('list_all', { options: { limit: 2, template: 'age_over_21' } })
    expect(value.map(({ id }: { id: string }) => id).slice(0, 5)).toEqual(ids.toReversed())
  },

  async 'an erased verification is gone'({ sdk, address, merchant }) {
    const call = real(sdk, address, merchant)
    const { verification } = (await call('create', { body: { template: 'age_over_18' } })).value
    expect((await call('delete', { id: verification.id })).value.deleted.verification_sessions).toBe(1)
    const { error } = await call('retrieve', { id: verification.id })
    expect(error).toMatchObject({ kind: 'api', status: 404, code: 'session_not_found' })
    expect(error?.request_id).toMatch(/^[\w-]{8,}$/)
    expect(error?.help).toMatch(/#session_not_found$/)
  },

  async 'a cancelled verification reads expired'({ sdk, address, merchant }) {
    const call = real(sdk, address, merchant)
    const { verification } = (await call('create', { body: { template: 'age_over_18' } })).value
    expect((await call('cancel', { id: verification.id })).value.status).toBe('expired')
    expect((await call('status', { id: verification.id })).value).toEqual({
      id: verification.id,
      status: 'expired',
    })
  },

  async 'an idempotency key creates one verification, and not another one'({ sdk, address, merchant }) {
    const call = real(sdk, address, merchant)
    const options = { idempotency_key: `order-${Math.random()}` }
    const first = await call('create', { body: { template: 'age_over_18' }, options })
    expect(await call('create', { body: { template: 'age_over_18' }, options })).toEqual(first)
    const { error } = await call('create', { body: { template: 'age_over_21' }, options })
    expect(error).toMatchObject({ kind: 'api', status: 422, code: 'idempotency_key_reused' })
  },

  async 'a misspelt template is refused in the words of the service'({ sdk, address, merchant }) {
    const { error } = await real(sdk, address, merchant)('create', { body: { template: 'age_over_81' } })
    expect(error).toMatchObject({ kind: 'api', status: 422, code: 'unknown_template' })
    expect(error?.message).toContain('age_over_18')
  },

  async 'a wrong key is refused'({ sdk, address, merchant }) {
    const { error } = await real(sdk, address, { ...merchant, key: 'vk_test_0wrong' })('usage')
    expect(error).toMatchObject({ kind: 'api', status: 401, code: 'invalid_api_key' })
  },

  async 'a key without the scope is refused'({ sdk, address, merchant }) {
    const { key } = await merchant.as({ scopes: ['verifications:create'] })
    const { error } = await real(sdk, address, { ...merchant, key })('list')
    expect(error).toMatchObject({ kind: 'api', status: 403, code: 'insufficient_scope' })
  },

  async 'a wrong response code is refused'({ sdk, address, merchant }) {
    const call = real(sdk, address, merchant)
    const { verification } = (await call('create', { body: { template: 'age_over_18' } })).value
    const { error } = await call('redeem', { id: verification.id, body: { response_code: 'x'.repeat(24) } })
    expect(error).toMatchObject({ kind: 'api', status: 404, code: 'invalid_response_code' })
  },

  async 'templates and usage have every member that the service sent'({ sdk, address, merchant }) {
    const call = real(sdk, address, merchant)
    expect((await call('templates')).value).toEqual((await merchant.get('/v1/templates')).body)
    expect((await call('usage')).value.daily_quota).toBeGreaterThan(0)
  },

  async 'a device is registered, changed and revoked'({ sdk, address, merchant }) {
    const call = real(sdk, address, merchant)
    const made = await call('create_device', { body: { name: 'Till 1', allowed_templates: ['age_over_18'] } })
    expect(made.value.pairing_code).toMatch(/^VD-/)
    const { id } = made.value.device
    expect((await call('update_device', { id, body: { name: 'Till 2', purpose: null } })).value.name).toBe(
      'Till 2',
    )
    expect((await call('list_devices')).value).toEqual((await merchant.get('/v1/devices')).body)
    expect((await call('revoke_device', { id })).value.status).toBe('revoked')
  },

  async 'a webhook endpoint is created, changed and deleted, and its secret rotated'({
    sdk,
    address,
    merchant,
  }) {
    const call = real(sdk, address, merchant)
    const body = { url: 'https://1.1.1.1/hooks', events: ['verification.completed'], description: 'Orders' }
    const made = await call('create_endpoint', { body })
    expect(made.value).toMatchObject({ secret: expect.stringMatching(/^whsec_/), endpoint: body })
    const { id } = made.value.endpoint
    const changed = await call('update_endpoint', { id, body: { description: '', enabled: false } })
    expect(changed.value).toMatchObject({ description: '', enabled: false, url: body.url })
    expect((await call('rotate_secret', { id })).value.secret).not.toBe(made.value.secret)
    expect((await call('delete_endpoint', { id })).value.id).toBe(id)
  },

  async 'the configuration is exported and applied'({ sdk, address, merchant }) {
    const { key } = await merchant.as({ lifetime_days: 90 })
    const call = real(sdk, address, { ...merchant, key })
    const exported = (await call('export_config')).value
    expect(exported).toEqual((await merchant.get('/v1/config')).body)
    const body = { version: 1, brand: { display_name: 'Harbour Wines' } }
    const { value } = await call('apply_config', { body, options: { dry_run: true } })
    expect(value).toMatchObject({
      applied: false,
      changes: [{ resource: expect.any(String), applied: false }],
    })
  },

  async 'an operation is called by its name, and a text is returned as text'({ sdk, address, merchant }) {
    const { key } = await merchant.as({ lifetime_days: 90 })
    const call = real(sdk, address, { ...merchant, key })
    const body = { name: 'Shop window', template: 'age_over_18' }
    const made = await call('call', { operation: 'createLink', body })
    expect(made.value).toMatchObject(body)
    await call('call', { operation: 'createLink', body })
    const listed = await call('call', { operation: 'listLinks', query: { limit: 1 } })
    expect(listed.value).toMatchObject({ data: [body], next_before: expect.any(String) })
    const missing = await call('call', { operation: 'getTemplate', params: ['none/such'] })
    expect(missing.error).toMatchObject({ kind: 'api', status: 404, code: 'template_not_found' })
    expect((await call('call', { operation: 'exportAudit' })).value).toMatch(/^{.*}\n$/s)
  },

  async 'a warning of the service is passed on, and refused if the caller is strict'({
    sdk,
    address,
    merchant,
  }) {
    const call = real(sdk, address, merchant)
    const body = { query: { credentials: [{ id: 'a', format: 'dc+sd-jwt', meta: { vct: 'x' } }] } }
    const created = await call('create', { body })
    expect(created.warnings.join()).toContain('query.credentials[0]')
    const strict = await call('create', { body, options: { strict: true } })
    expect(strict.error).toMatchObject({ kind: 'api', status: 400, code: 'invalid_request' })
  },

  // Retries, against a server that fails.
  async 'a creation whose response was lost is sent again with the same key'({ sdk }) {
    const { outcome, requests } = await scripted(sdk, [
      closeConnection,
      refuse(503, 'overloaded'),
      json(201, pending),
    ])('create', { body: { template: 'age_over_18' } })
    const keys = requests.map(({ headers }) => headers['idempotency-key'])
    expect(outcome.value.verification).toEqual(pending)
    expect([keys.length, new Set(keys).size]).toEqual([3, 1])
    expect(keys[0]).toMatch(/^[0-9a-f-]{32,36}$/)
    expect(requests.map(({ body }) => body)).toEqual(
      Array.from({ length: 3 }, () => ({ template: 'age_over_18' })),
    )
  },

  async 'every creation has a key of its own, unless the caller gives one'({ sdk }) {
    const keys = async (options: Given) => {
      const { requests } = await scripted(sdk, [json(201, pending)])('create', {
        body: { template: 'x' },
        options,
      })
      return requests.map(({ headers }) => headers['idempotency-key'])
    }
    expect(await keys({})).not.toEqual(await keys({}))
    expect(await keys({ idempotency_key: 'order-1042' })).toEqual(['order-1042'])
  },

  async 'Retry-After is waited for'({ sdk }) {
    const reply = refuse(429, 'rate_limit_exceeded', { 'retry-after': '3' })
    const { outcome } = await scripted(sdk, [reply, json(200, usage)])('usage')
    expect(outcome).toMatchObject({ value: usage, pauses_ms: [3000] })
  },

  async 'a Retry-After that is too long is left to the caller'({ sdk }) {
    const reply = refuse(429, 'rate_limit_exceeded', { 'retry-after': '31' })
    const { outcome, requests } = await scripted(sdk, [reply])('usage')
    expect(outcome.error).toMatchObject({ code: 'rate_limit_exceeded', retry_after_seconds: 31 })
    expect([requests.length, outcome.pauses_ms]).toEqual([1, []])
  },

  async 'a Retry-After that is a date is ignored'({ sdk }) {
    const reply = refuse(503, 'overloaded', { 'retry-after': 'Fri, 20 Nov 2026 07:28:00 GMT' })
    const { outcome, requests } = await scripted(sdk, [reply])('usage')
    expect(outcome.error?.retry_after_seconds ?? undefined).toBeUndefined()
    expect(requests).toHaveLength(3)
  },

  async 'pauses double, with jitter'({ sdk }) {
    const { outcome, requests } = await scripted(sdk, [refuse(500, 'internal_error')], { retries: 3 })(
      'usage',
    )
    expect(requests).toHaveLength(4)
    expect(outcome.error).toMatchObject({ kind: 'api', status: 500, code: 'internal_error' })
    for (const [attempt, pause_ms] of outcome.pauses_ms.entries()) {
      expect(pause_ms).toBeGreaterThanOrEqual(250 * 2 ** attempt - 1)
      expect(pause_ms).toBeLessThanOrEqual(500 * 2 ** attempt + 1)
    }
    expect(outcome.pauses_ms).toHaveLength(3)
  },

  async 'there are two retries by default, and none if the caller wants none'({ sdk }) {
    const { outcome, requests } = await scripted(sdk, [closeConnection])('cancel', { id: 'vs_1' })
    expect([requests.length, outcome.pauses_ms.length]).toEqual([3, 2])
    const once = await scripted(sdk, [closeConnection], { retries: 0 })('cancel', { id: 'vs_1' })
    expect(once.requests).toHaveLength(1)
  },

  async 'a used up quota and a refusal for good are not retried'({ sdk }) {
    for (const [status, code] of [
      [429, 'quota_exceeded'],
      [404, 'session_not_found'],
      [403, 'insufficient_scope'],
    ] as const) {
      const { outcome, requests } = await scripted(sdk, [refuse(status, code)])('retrieve', { id: 'vs_1' })
      expect([requests.length, outcome.error?.code]).toEqual([1, code])
    }
  },

  async 'a creation whose key is in flight is sent again'({ sdk }) {
    const { outcome, requests } = await scripted(sdk, [
      refuse(409, 'idempotency_key_in_flight'),
      json(201, pending),
    ])('create', { body: { template: 'x' } })
    expect([requests.length, outcome.value.verification.id]).toEqual([2, pending.id])
  },

  async 'what works once is not sent again if the response may be lost'({ sdk }) {
    for (const reply of [closeConnection, refuse(500, 'internal_error')]) {
      for (const [action, given] of Object.entries(onceOnly)) {
        const { outcome, requests } = await scripted(sdk, [reply])(action, given)
        expect([action, requests.length, outcome.pauses_ms]).toEqual([action, 1, []])
      }
    }
  },

  async 'what works once is sent again after a 429, which had no effect'({ sdk }) {
    const { outcome, requests } = await scripted(sdk, [
      refuse(429, 'rate_limit_exceeded'),
      json(200, pending),
    ])('redeem', { id: 'vs_1', body: { response_code: 'a'.repeat(16) } })
    expect([requests.length, outcome.value.id]).toEqual([2, pending.id])
  },

  async 'what has the same effect twice is sent again'({ sdk }) {
    const repeated: Record<string, Given> = {
      cancel: { id: 'vs_1' },
      delete: { id: 'vs_1' },
      compare: { id: 'vs_1', body: { same_person: true } },
      revoke_device: { id: 'd_1' },
      update_device: { id: 'd_1', body: { name: 'Till' } },
      apply_config: { body: { version: 1 }, options: { dry_run: true } },
    }
    for (const [action, given] of Object.entries(repeated)) {
      const { outcome, requests } = await scripted(sdk, [closeConnection])(action, given)
      expect([action, requests.length, outcome.error?.kind]).toEqual([action, 3, 'connection'])
    }
  },

  // Connections.
  async 'a service that does not respond in time is a lost connection'({ sdk }) {
    const { outcome, requests } = await scripted(sdk, [neverReply], { timeout_ms: 300, retries: 0 })('usage')
    expect(outcome.error?.kind).toBe('connection')
    expect(outcome.error?.message).toMatch(/^GET http:.*\/v1\/usage: no response within/)
    expect(requests).toHaveLength(1)
  },

  async 'the time-out includes the body'({ sdk }) {
    const stall: ScriptedReply = (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
      response.write('{"day":')
    }
    const { outcome } = await scripted(sdk, [stall], { timeout_ms: 300, retries: 0 })('usage')
    expect(outcome.error?.kind).toBe('connection')
    expect(outcome.error?.message).toContain('no response within')
  },

  async 'a response that is cut short is a lost connection, and is asked for again'({ sdk }) {
    const cut: ScriptedReply = (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
      response.write('{"day":"2026-11-15"}', () => response.destroy())
    }
    const { outcome, requests } = await scripted(sdk, [cut, json(200, usage)])('usage')
    expect([requests.length, outcome.value]).toEqual([2, usage])
  },

  async 'a service that cannot be reached is a lost connection'({ sdk }) {
    const client = { base_url: 'http://127.0.0.1:1', api_key: 'vk_test_0abc' }
    const outcome = await sdk.ask({ client, do: 'usage' })
    expect(outcome.error?.kind).toBe('connection')
    expect(outcome.pauses_ms).toHaveLength(2)
  },

  async 'a response that is not from the service is unreadable'({ sdk }) {
    const page: ScriptedReply = (response) => void response.writeHead(502).end('<h1>Bad gateway</h1>')
    const hello: ScriptedReply = (response) => void response.writeHead(200).end('hello')
    for (const [reply, status] of [
      [page, 502],
      [hello, 200],
    ] as const) {
      const { outcome } = await scripted(sdk, [reply], { retries: 0 })('usage')
      expect(outcome.error).toMatchObject({ kind: 'api', status, code: 'unreadable_answer' })
    }
  },

  async 'a redirect is not followed, so that the key goes nowhere else'({ sdk }) {
    await using elsewhere = await startScriptedService(json(200, usage))
    const moved: ScriptedReply = (response) =>
      void response.writeHead(302, { location: `${elsewhere.baseUrl}/v1/usage` }).end()
    const { outcome } = await scripted(sdk, [moved], { retries: 0 })('usage')
    expect(outcome.error).toMatchObject({ kind: 'api', status: 302, code: 'unreadable_answer' })
    expect(elsewhere.requests).toEqual([])
  },

  // Requests and responses.
  async 'a refusal has all details of the response'({ sdk }) {
    const reply = refuse(429, 'quota_exceeded', {
      'retry-after': '3600',
      'x-request-id': 'req-1',
      link: '<https://verify.example/docs/errors#quota_exceeded>; rel="help"',
    })
    const { outcome } = await scripted(sdk, [reply])('usage')
    expect(outcome.error).toEqual({
      kind: 'api',
      message: 'A refusal: quota_exceeded.',
      code: 'quota_exceeded',
      status: 429,
      request_id: 'req-1',
      retry_after_seconds: 3600,
      help: 'https://verify.example/docs/errors#quota_exceeded',
    })
  },

  async 'codes, values and members of a newer service are no errors'({ sdk }) {
    const newer = { ...pending, status: 'paused', mood: { good: [true] } }
    const { outcome } = await scripted(sdk, [json(200, newer)])('retrieve', { id: 'vs_1' })
    expect(outcome.value.verification).toMatchObject({ id: pending.id, status: 'paused' })
    const refused = await scripted(sdk, [refuse(418, 'of_tomorrow')])('usage')
    expect(refused.outcome.error).toMatchObject({ kind: 'api', status: 418, code: 'of_tomorrow' })
  },

  async 'what was not given is not sent, and null is'({ sdk }) {
    const device = { id: 'd_1', name: 'Till', status: 'active', allowed_templates: [], created_at: 't1' }
    const body = { pin: null, keep_awake: false }
    const { requests } = await scripted(sdk, [json(200, device)])('update_device', { id: 'd_1', body })
    expect(requests[0]?.body).toEqual(body)
    const applied = { applied: true, changes: [], unchanged: 1, kept: 0, secrets: [] }
    const config = { version: 1, brand: {}, alert_webhook: null }
    const sent = await scripted(sdk, [json(200, applied)])('apply_config', {
      body: config,
      options: { if_match: '"a"' },
    })
    expect(sent.requests[0]).toMatchObject({ method: 'PUT', body: config, headers: { 'if-match': '"a"' } })
  },

  async 'an id cannot change the path, and must not be empty'({ sdk }) {
    const { requests } = await scripted(sdk, [refuse(404, 'session_not_found')])('delete', {
      id: '../usage?x#y',
    })
    expect(requests[0]).toMatchObject({ method: 'DELETE', url: '/v1/verifications/..%2Fusage%3Fx%23y' })
    const empty = await scripted(sdk, [json(200, pending)])('retrieve', { id: '' })
    expect(empty.outcome.error).toMatchObject({ kind: 'argument', message: expect.stringContaining('empty') })
    expect(empty.requests).toEqual([])
  },

  async 'the key is sent as a bearer token'({ sdk }) {
    const { requests } = await scripted(sdk, [json(200, usage)])('usage')
    expect(requests[0]?.headers).toMatchObject({
      authorization: 'Bearer vk_test_0abc',
      accept: 'application/json',
    })
  },

  async 'unusable options are refused when the client is made, and the key is not repeated'({ sdk }) {
    const connect = (options: ClientOptions) =>
      sdk.ask({
        client: { base_url: 'https://verify.example', api_key: 'vk_test_0abc', ...options },
        do: 'connect',
      })
    for (const api_key of [null, '', 'whsec_abc', 'vk_test_', 'vk_test_secret\n', 'Bearer vk_test_secret']) {
      const { error } = await connect({ api_key })
      expect([api_key, error?.kind]).toEqual([api_key, 'argument'])
      expect(error?.message).toContain('must start with vk_test_ or vk_live_')
      expect(error?.message).not.toContain('secret')
    }
    for (const base_url of ['', 'verify.example', 'ftp://verify.example', 'file:///x'])
      expect((await connect({ base_url })).error).toMatchObject({ kind: 'argument' })
    expect((await connect({})).error).toBeUndefined()
  },

  async 'an address with a path and a slash works'({ sdk }) {
    await using service = await startScriptedService(json(200, pending))
    const client = { base_url: `${service.baseUrl}/sub/`, api_key: 'vk_test_0abc' }
    const { value } = await sdk.ask({ client, do: 'retrieve', with: { id: 'vs_1' } })
    expect(service.requests[0]?.url).toBe('/sub/v1/verifications/vs_1')
    expect(value.page).toBe(`${service.baseUrl}/sub/verify/${pending.id}`)
  },

  async "the holder's page is the one that the service named"({ sdk }) {
    const link = '<https://public.example/verify/vs_1>; rel="alternate"; type="text/html"'
    const { outcome } = await scripted(sdk, [json(201, pending, { link })])('create', {
      body: { template: 'x' },
    })
    expect(outcome.value.page).toBe('https://public.example/verify/vs_1')
  },

  async 'an iteration pages by the last time, and stops at a short page'({ sdk }) {
    const page = (...times: string[]) =>
      json(200, { data: times.map((created_at) => ({ ...pending, created_at })) })
    const { outcome, requests } = await scripted(sdk, [page('t5', 't4'), page('t3', 't2'), page('t1')])(
      'list_all',
      {
        options: { limit: 2 },
      },
    )
    expect(outcome.value.map((each: { created_at: string }) => each.created_at)).toEqual([
      't5',
      't4',
      't3',
      't2',
      't1',
    ])
    expect(requests.map(({ url }) => queryOf(url))).toEqual([
      { limit: '2' },
      { limit: '2', before: 't4' },
      { limit: '2', before: 't2' },
    ])
  },

  async 'an iteration with a filter goes on after a short page'({ sdk }) {
    const { outcome, requests } = await scripted(sdk, [
      json(200, { data: [], next_before: 't9' }),
      json(200, { data: [pending] }),
    ])('list_all', { options: { status: 'failed' } })
    expect(outcome.value).toHaveLength(1)
    expect(queryOf(requests[1]?.url)).toEqual({ limit: '100', before: 't9', status: 'failed' })
  },

  async 'waiting polls the public status without the key, then reads with it'({ sdk }) {
    const status = (value: string) => json(200, { id: 'vs_1', status: value })
    const completed = { ...pending, status: 'completed' }
    const { outcome, requests } = await scripted(sdk, [
      status('pending'),
      status('pending'),
      status('completed'),
      json(200, completed),
    ])('wait', { id: 'vs_1', timeout_ms: 60_000, interval_ms: 700 })
    expect(outcome).toMatchObject({ value: completed, pauses_ms: [700, 700] })
    expect(requests.map(({ url, headers }) => [url, headers.authorization !== undefined])).toEqual([
      ['/v1/verifications/vs_1/status', false],
      ['/v1/verifications/vs_1/status', false],
      ['/v1/verifications/vs_1/status', false],
      ['/v1/verifications/vs_1', true],
    ])
  },

  async 'waiting ends at its time-out'({ sdk }) {
    const { outcome } = await scripted(sdk, [json(200, { id: 'vs_1', status: 'pending' })])('wait', {
      id: 'vs_1',
      timeout_ms: 0,
      interval_ms: 1000,
    })
    expect(outcome.error?.kind).toBe('still_pending')
  },

  async 'every warning of a response is passed on'({ sdk }) {
    const warned = json(201, pending, { 'x-service-warning': 'query.a: is missing; query.b: is missing' })
    const { outcome } = await scripted(sdk, [warned])('create', { body: { template: 'x' } })
    expect(outcome.warnings).toEqual(['query.a: is missing', 'query.b: is missing'])
  },

  // Webhooks.
  async 'every published vector has the expected result'({ sdk }) {
    expect(vectors.cases.length).toBeGreaterThan(20)
    for (const { name, header, reason, ...changed } of vectors.cases) {
      const { tolerance_seconds, ...common } = vectors.common
      const { body, ...given } = { ...common, ...changed }
      const outcome = await verify(sdk, {
        ...given,
        tolerance_seconds,
        body: { base64: Buffer.from(body).toString('base64') },
        headers: header === null ? {} : { 'X-Service-Signature': header },
      })
      expect([name, outcome.error?.reason]).toEqual([name, reason])
      if (reason === undefined) expect(outcome.value.raw).toEqual(JSON.parse(body))
    }
  },

  async 'the clock may differ by 300 seconds, or by what the caller allows'({ sdk }) {
    const reasonAt = async (offset_seconds: number, tolerance: Given = {}) =>
      (await verify(sdk, { ...signed(eventText), now: now + offset_seconds, ...tolerance })).error?.reason
    expect([
      await reasonAt(300),
      await reasonAt(-300),
      await reasonAt(10, { tolerance_seconds: 10 }),
    ]).toEqual([undefined, undefined, undefined])
    for (const [offset, given] of [
      [301, {}],
      [-301, {}],
      [11, { tolerance_seconds: 10 }],
      [1, { tolerance_seconds: 0 }],
    ] as const)
      expect(await reasonAt(offset, given)).toBe('outside_tolerance')
    const late = await verify(sdk, { ...signed(eventText), now: now + 342 })
    expect(late.error?.message).toContain('342 s ago')
  },

  async 'without a time, the clock of the machine decides'({ sdk }) {
    const { now: _, ...old } = signed(eventText)
    expect((await verify(sdk, old)).error?.reason).toBe('outside_tolerance')
    const { now: __, ...fresh } = signed(eventText, Math.floor(Date.now() / 1000))
    expect((await verify(sdk, fresh)).error).toBeUndefined()
  },

  async 'an event of a verification has its members'({ sdk }) {
    const { value } = await verify(sdk, signed(eventText))
    expect(value).toMatchObject({
      type: 'verification.completed',
      verification: { claims: { age_over_18: true } },
    })
  },

  async 'an alert has its members'({ sdk }) {
    const alert = {
      id: 'a_1',
      kind: 'quota',
      environment: 'live',
      subject: '2026-11-15',
      details: { used: 90, plan: 'small' },
      raised_at: '2026-11-15T12:00:00.000000Z',
    }
    const { value } = await verify(
      sdk,
      signed(JSON.stringify({ type: 'alert.raised', alert, sent_at: 't1' })),
    )
    expect(value).toMatchObject({ type: 'alert.raised', alert })
  },

  async 'an event that the SDK does not know is returned as it was sent'({ sdk }) {
    const paused = { type: 'verification.paused', pause: { seconds: 5 }, sent_at: 't1' }
    for (const event of [paused, { ...paused, verification: 'vs_1', alert: 7, sent_at: {} }]) {
      const { value } = await verify(sdk, signed(JSON.stringify(event)))
      expect(value).toMatchObject({ type: 'verification.paused', raw: event })
    }
  },

  async 'a signed body that is not an event has its own reason'({ sdk }) {
    for (const body of ['{"verification":{}}', '{"type":7}', 'null', '[]', '7', 'no json', ''])
      expect([body, (await verify(sdk, signed(body))).error?.reason]).toEqual([body, 'unreadable_event'])
  },

  async 'one of two secrets is enough during a rotation'({ sdk }) {
    const event = signed(eventText)
    expect((await verify(sdk, { ...event, secret: ['whsec_newer', secret] })).error).toBeUndefined()
    expect((await verify(sdk, { ...event, secret: ['whsec_newer', 'whsec_older'] })).error?.reason).toBe(
      'wrong_signature',
    )
  },

  async 'a secret that cannot be one is refused, and not repeated'({ sdk }) {
    for (const unusable of [null, '', ' whsec_x', 'whsec_', `${secret}\n`, 'vk_test_abc', []]) {
      const { error } = await verify(sdk, { ...signed(eventText), secret: unusable })
      expect([unusable, error?.reason]).toEqual([unusable, 'unusable_secret'])
      expect(error?.message).not.toContain(secret)
    }
  },

  async 'the name of the header has any case, and a long header is malformed'({ sdk }) {
    const { headers, ...event } = signed(eventText)
    const header = headers['X-Service-Signature']
    for (const name of ['x-service-signature', 'X-SERVICE-SIGNATURE'])
      expect((await verify(sdk, { ...event, headers: { [name]: header } })).error).toBeUndefined()
    const long = { 'X-Service-Signature': `${header},v1=${'0'.repeat(2000)}` }
    expect((await verify(sdk, { ...event, headers: long })).error?.reason).toBe('malformed_header')
  },

  async 'a body that was parsed and serialised again is recognised'({ sdk }) {
    const pretty = JSON.stringify(JSON.parse(eventText), null, 2)
    const { error } = await verify(sdk, {
      ...signed(eventText),
      body: { base64: Buffer.from(pretty).toString('base64') },
    })
    expect(error?.reason).toBe('reserialised_body')
    expect(error?.message).toContain('raw bytes')
  },

  ...sealedBehaviours,
}

type Vectors = {
  common: { secret: string; now: number; tolerance_seconds: number; body: string }
  cases: {
    name: string
    header: string | null
    body?: string
    secret?: string
    now?: number
    reason?: string
  }[]
}
const vectors: Vectors = JSON.parse(
  readFileSync(new URL('../../packages/sdk/vectors/webhooks.json', import.meta.url), 'utf8'),
)
const { secret, now, body: eventText } = vectors.common

const pending = {
  id: 'vs_1',
  status: 'pending',
  template: 'age_over_18',
  wallet_uri: 'openid4vp://?client_id=x',
  created_at: '2026-11-15T12:00:00.123456Z',
  expires_at: '2026-11-15T12:05:00.123456Z',
}
const usage = { day: '2026-11-15', verifications_created: 4, daily_quota: 1000, remaining: 996, recent: [] }
const onceOnly: Record<string, Given> = {
  redeem: { id: 'vs_1', body: { response_code: 'a'.repeat(16) } },
  create_device: { body: { name: 'Till', allowed_templates: ['x'] } },
  create_endpoint: { body: { url: 'https://shop.example', events: ['verification.completed'] } },
  delete_endpoint: { id: 'we_1' },
  rotate_secret: { id: 'we_1' },
  apply_config: { body: { version: 1 } },
  call: { operation: 'createKey', body: { name: 'Shop', scopes: ['config:read'] } },
}

function real(sdk: Program, base_url: string, { key }: Pick<Merchant, 'key'>) {
  return (action: string, given: Given = {}) =>
    sdk.ask({ client: { base_url, api_key: key }, do: action, with: given })
}

/** Asks for an action against a server with scripted replies. */
function scripted(sdk: Program, replies: ScriptedReply[], options: ClientOptions = {}) {
  return async (action: string, given: Given = {}) => {
    await using service = await startScriptedService(...replies)
    const client = { base_url: service.baseUrl, api_key: 'vk_test_0abc', ...options }
    const outcome = await sdk.ask({ client, do: action, with: given })
    return { outcome, requests: service.requests }
  }
}

/** Some SDKs keep the address of the page with the verification. */
function withoutPage({ page_url: _, ...verification }: Given): Given {
  return verification
}

function queryOf(url = ''): Record<string, string> {
  return Object.fromEntries(new URL(url, 'http://a').searchParams)
}

function signed(body: string, t = now) {
  const mac = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')
  return {
    body: { base64: Buffer.from(body).toString('base64') },
    headers: { 'X-Service-Signature': `t=${t},v1=${mac}` },
    secret,
    now: t,
  }
}

function verify(sdk: Program, given: Given): Promise<Outcome> {
  return sdk.ask({
    client: { base_url: 'https://verify.example', api_key: 'vk_test_0abc' },
    do: 'verify',
    with: given,
  })
}
