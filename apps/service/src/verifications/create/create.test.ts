import { afterAll, beforeAll, expect, test } from 'vitest'
import { pairDevice } from '../../../test/pair-device.ts'
import { startService, type Merchant, type Service } from '../../../test/service.ts'
import { readTemplate } from '../../templates/list-templates.ts'
import { putTemplate } from '../../templates/put-template.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const plain = { template: 'age_over_18' }

test('[CREATE-1] [CREATE-6] [CREATE-13] a created verification is pending and contains what the QR code needs', async () => {
  const merchant = await service.tenant()

  const { status, body } = await merchant.post('/v1/verifications', plain)

  expect(status).toBe(201)
  expect(Object.keys(body).toSorted()).toEqual([
    'created_at',
    'expires_at',
    'id',
    'request_uri',
    'status',
    'template',
    'wallet_uri',
  ])
  expect(body).toMatchObject({ status: 'pending', template: 'age_over_18' })
  expect(body.request_uri).toBe(`${service.ctx.config.BASE_URL}/wallet/request/${body.id}`)
  const wallet = new URL(body.wallet_uri)
  expect(body.wallet_uri).toMatch(/^openid4vp:\/\/\?client_id=x509_hash%3A[\w-]{43}&request_uri=/)
  expect(Object.fromEntries(wallet.searchParams)).toMatchObject({
    request_uri: body.request_uri,
    request_uri_method: 'post',
  })
  expect(microseconds(body.expires_at) - microseconds(body.created_at)).toBe(300_000_000)
})

test('[CREATE-2] a request has exactly one of template and query', async () => {
  const merchant = await service.tenant()
  const query = { credentials: [{}] }

  for (const sent of [{}, { ...plain, query }]) {
    const response = await merchant.post('/v1/verifications', sent)
    expect([response.status, response.body.error.code]).toEqual([400, 'invalid_request'])
  }
})

test('[CREATE-3] an unknown template is 422, an invalid key 400', async () => {
  const merchant = await service.tenant()
  const outcome = async (template: unknown) => {
    const { status, body } = await merchant.post('/v1/verifications', { template })
    return [status, body.error?.code]
  }

  expect(await outcome('no_such')).toEqual([422, 'unknown_template'])
  expect(await outcome('ö'.repeat(64))).toEqual([422, 'unknown_template'])
  expect(await outcome('😀'.repeat(64))).toEqual([422, 'unknown_template'])
  for (const impossible of ['', 'a'.repeat(65), 7, null, 'a\0b', '\ud800']) {
    expect(await outcome(impossible)).toEqual([400, 'invalid_request'])
  }
})

test('an unknown template suggests one that the caller may use, and says where to read on', async () => {
  const merchant = await service.tenant()
  const other = await service.tenant()
  const template = await readTemplate(service.ctx, merchant.tenant_id, 'age_over_18')
  const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
  await putTemplate(service.ctx, { by, key: 'club_entry', template })
  const { device } = await pairDevice(service, merchant, { name: 'Till', allowed_templates: ['club_entry'] })
  const message = async (who: Pick<Merchant, 'post'>, key: string) =>
    (await who.post('/v1/verifications', { template: key })).body.error.message
  const help = `See ${service.ctx.config.BASE_URL}/docs/errors#unknown_template`

  expect(await message(merchant, 'age_over_81')).toBe(
    `There is no template age_over_81. Did you mean age_over_18? ${help}`,
  )
  expect(await message(merchant, 'clubEntry')).toBe(
    `There is no template clubEntry. Did you mean club_entry? ${help}`,
  )
  expect(await message(other, 'clubEntry')).toBe(`There is no template clubEntry. ${help}`)
  expect(await message(merchant, 'something_else')).toBe(`There is no template something_else. ${help}`)
  expect(await message(device, 'age_over_18')).toMatch(
    /^This device may not use the template age_over_18\. See /,
  )
})

test("[CREATE-20] a creation, its replay and a read link to the holder's page, which is there", async () => {
  const merchant = await service.tenant()
  const create = () =>
    merchant.post('/v1/verifications', plain, { headers: { 'idempotency-key': 'order-1' } })
  const [created, replayed] = [await create(), await create()]
  const { id } = created.body
  const read = await merchant.get(`/v1/verifications/${id}`)
  const page = `${service.ctx.config.BASE_URL}/verify/${id}`
  for (const { headers } of [created, replayed, read])
    expect(headers.get('link')).toBe(`<${page}>; rel="alternate"; type="text/html"`)
  expect(read.body).not.toHaveProperty('url')
  expect((await fetch(`${service.address}/verify/${id}`)).status).toBe(200)
  const missing = await merchant.get('/v1/verifications/vs_unknown')
  expect(missing.headers.get('link')).toMatch(/; rel="help"$/)
})

test('[CREATE-4] [CREATE-5] a query may contain any object, and a header warns if no wallet can satisfy it', async () => {
  const merchant = await service.tenant()
  const create = (query: unknown) => merchant.post('/v1/verifications', { query })

  for (const bad of [
    {},
    { credentials: [] },
    { credentials: ['x'] },
    { credentials: [{}], credential_sets: {} },
    { credentials: [{}], credential_sets: [1] },
  ]) {
    expect((await create(bad)).status).toBe(400)
  }
  const odd = await create({ credentials: [{ anything: { goes: [1, null] } }] })
  expect(odd.status).toBe(201)
  expect(odd.headers.get('x-service-warning')).toContain(
    'query.credentials[0].format: is missing: no wallet can answer this',
  )

  const right = await create({
    credentials: [
      {
        id: 'pid',
        format: 'dc+sd-jwt',
        meta: { vct_values: ['urn:eudi:pid:1'] },
        claims: [{ path: ['given_name'] }],
      },
    ],
  })
  expect(right.status).toBe(201)
  expect(right.headers.get('x-service-warning')).toBeNull()
})

test('[CREATE-5] a header warns if every credential set is optional, in both formats', async () => {
  const merchant = await service.tenant()
  const credentials = [
    { id: 'pid', format: 'dc+sd-jwt', meta: { vct_values: ['urn:eudi:pid:1'] } },
    { id: 'mdl', format: 'mso_mdoc', meta: { doctype_value: 'org.iso.18013.5.1.mDL' } },
  ]
  const warningFor = async (...credential_sets: object[]) => {
    const { status, headers } = await merchant.post('/v1/verifications', {
      query: { credentials, credential_sets },
    })
    expect(status).toBe(201)
    return headers.get('x-service-warning')
  }
  const optional = (id: string) => ({ options: [[id]], required: false })

  const all = await warningFor(optional('pid'), optional('mdl'))
  expect(all).toContain('query.credential_sets: every set is optional')
  expect(await warningFor(optional('pid'))).toContain('every set is optional')
  expect(await warningFor(optional('pid'), { options: [['mdl']] })).toBeNull()
})

test('[GEN-11] a query with too many claim sets, values or credential sets is refused', async () => {
  const merchant = await service.tenant()
  const claims = [
    { id: 'a', path: ['family_name'], values: Array.from({ length: 4000 }, (_, index) => index) },
  ]
  // Below the limit on the values of a whole body, which would refuse it first.
  const many = Array.from({ length: 4000 }, () => ['a'])
  for (const [query, rule] of [
    [{ credentials: [{ claims }] }, 'at most 1000 values over all claims, got 4000'],
    [{ credentials: [{ claim_sets: many }] }, 'at most 100 claim sets over all credentials, got 4000'],
    [{ credentials: [{}], credential_sets: [{ options: many }] }, 'at most 400 options and credential ids'],
  ] as const) {
    expect(await merchant.post('/v1/verifications', { query })).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_request', message: expect.stringContaining(rule) } },
    })
  }
})

test('[CREATE-6] ttl_seconds is an integer from 60 to 3600', async () => {
  const merchant = await service.tenant()

  for (const ttl_seconds of [60, 3600]) {
    const { body } = await merchant.post('/v1/verifications', { ...plain, ttl_seconds })
    expect(microseconds(body.expires_at) - microseconds(body.created_at)).toBe(ttl_seconds * 1_000_000)
  }
  for (const ttl_seconds of [59, 3601, 60.5, '300', null, -1, 1e99]) {
    expect((await merchant.post('/v1/verifications', { ...plain, ttl_seconds })).status).toBe(400)
  }
})

test('a refusal names the place, the rule and the value', async () => {
  const merchant = await service.tenant()
  const message = async (body: object): Promise<string> =>
    (await merchant.post('/v1/verifications', body)).body.error.message.replace(/ See \S+$/, '')

  expect(await message({ ...plain, ttl_seconds: 30 })).toBe('ttl_seconds: must be at least 60, got 30.')
  expect(await message({ ...plain, ttl_seconds: 4000 })).toBe('ttl_seconds: must be at most 3600, got 4000.')
  expect(await message({ query: { credentials: [] } })).toBe('query.credentials: must have at least 1 item.')
  expect(await message({ ...plain, ttl_seconds: 30, webhookUrl: 'https://shop.example' })).toBe(
    'ttl_seconds: must be at least 60, got 30. Unknown field "webhookUrl". Did you mean "webhook_url"?',
  )
  expect(await message({ query: { credential: [{}], credentials: [{}] } })).toBe(
    'Unknown field "query.credential". Did you mean "query.credentials"?',
  )
  expect(await message({ ...plain, colour: 'red' })).toBe('Unknown field "colour".')
})

test('requests are logged with their duration', async () => {
  const lines: string[] = []
  await using own = await startService({ onLog: (line) => lines.push(line) })
  const merchant = await own.tenant()
  await merchant.post('/v1/verifications', plain)
  await merchant.get('/v1/usage')

  const logged = lines.map((line) => JSON.parse(line)).find(({ route }) => route === '/v1/verifications')
  expect(logged.duration_ms).toBeGreaterThan(0)
})

test('[CREATE-7] [CREATE-8] [READ-8] metadata, purpose and redirect_url are returned everywhere, webhook_url and query never', async () => {
  const merchant = await service.tenant()
  const sent = {
    query: { credentials: [{ id: 'a' }] },
    metadata: { order: 'A-1', 'with space': '', constructor: 'x', emoji: '😀' },
    purpose: 'Age check "at the till" 😀',
    redirect_url: 'https://merchant.example/return?x=1',
    webhook_url: 'https://93.184.215.14/hook',
  }
  const created = await merchant.post('/v1/verifications', sent)
  const read = await merchant.get(`/v1/verifications/${created.body.id}`)
  const list = await merchant.get('/v1/verifications')

  const { query: _, webhook_url: __, ...shown } = sent
  for (const seen of [created.body, read.body, list.body.data[0]]) {
    expect(seen).toMatchObject(shown)
    expect(seen).not.toHaveProperty('webhook_url')
    expect(seen).not.toHaveProperty('query')
    expect(seen).not.toHaveProperty('template')
  }
  expect(read.body).toEqual(created.body)
  for (const metadata of [{ a: 1 }, { a: null }, { a: {} }, [], 'x']) {
    expect((await merchant.post('/v1/verifications', { ...plain, metadata })).status).toBe(400)
  }
  for (const purpose of ['', 'p'.repeat(301), 3]) {
    expect((await merchant.post('/v1/verifications', { ...plain, purpose })).status).toBe(400)
  }
  expect((await merchant.post('/v1/verifications', { ...plain, purpose: '😀'.repeat(300) })).status).toBe(201)
})

test('[CREATE-14] [CREATE-15] a refused request creates nothing and counts nothing; an unknown member is named', async () => {
  const merchant = await service.tenant()

  const unknown = await merchant.post('/v1/verifications', { ...plain, ttl: 60 })
  await merchant.post('/v1/verifications', { template: 'no_such' })
  await merchant.post('/v1/verifications', {})

  expect([unknown.status, unknown.body.error.code]).toEqual([400, 'invalid_request'])
  expect(unknown.body.error.message).toContain('ttl')
  expect((await merchant.get('/v1/usage')).body).toMatchObject({ verifications_created: 0, recent: [] })
  expect((await merchant.get('/v1/verifications')).body.data).toEqual([])
})

/** Exact to the microsecond, unlike a Date. */
function microseconds(time: string): number {
  expect(time).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/)
  return Date.parse(`${time.slice(0, 19)}Z`) * 1000 + Number(time.slice(20, 26))
}
