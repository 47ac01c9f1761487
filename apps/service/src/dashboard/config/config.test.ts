import { TenantConfig } from '@vidimus/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readAuditLog } from '../../../test/audit/audit.ts'
import type { ApiResponse, Caller } from '../../../test/caller.ts'
import { type NewTenant, type Service, startService } from '../../../test/service.ts'
import { joinPem, newAuthority } from '../../../test/trust/authorities.ts'
import { newRegistration } from '../../../test/trust/registrations.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const template = {
  name: 'Age',
  description: 'Whether someone is of age',
  query: { credentials: [{ id: 'pid', format: 'dc+sd-jwt', meta: { vct_values: ['urn:eudi:pid:1'] } }] },
}
const anchor = joinPem(newAuthority('Partner').certificate)

/** A document with something in every part. */
const everything = {
  version: 1,
  brand: { display_name: 'Harbour Wines', colour: '#1a2b3c', kept_days: 7 },
  policies: { retention_days: 12, time_zone: 'Europe/Vienna' },
  holder_page: { moving_code: true, page_origins: ['https://shop.example.com'] },
  request_log: { enabled: false },
  alert_webhook: { url: 'https://8.8.8.8/alerts' },
  trust: {
    policy: 'own',
    anchors: [
      { environment: 'test', pem: anchor, entity: 'Ministry', document_types: ['b', 'a'] },
      { environment: 'live', pem: anchor, role: 'revocation' },
    ],
  },
  registrations: {
    settings: { policy: 'refuse' },
    items: [
      {
        name: 'Age',
        certificate: newRegistration(),
        dataset: '{"identifier": "NTRUT-1234"}',
        default: false,
      },
      { name: 'Hotel', certificate: newRegistration({ intended_use_id: 'hotel' }), default: true },
    ],
  },
  templates: {
    hotel: { template: { ...template, name: 'Hotel' }, registration: 'Age' },
    bar: { template },
    age_over_18: { registration: 'Age' },
  },
  webhook_endpoints: [
    {
      environment: 'test',
      url: 'https://8.8.8.8/hook?token=1',
      events: ['verification.failed', 'verification.completed'],
    },
    { environment: 'live', url: 'https://8.8.8.8/hook', events: ['verification.completed'], enabled: false },
  ],
  openid_clients: [
    {
      environment: 'live',
      name: 'Web shop',
      redirect_uris: ['https://shop.example.com/cb'],
      templates: ['bar', 'age_over_18'],
    },
    {
      environment: 'test',
      name: 'App',
      redirect_uris: ['com.shop.app:/cb'],
      templates: ['hotel'],
      authentication: 'none',
    },
  ],
}

const put = (caller: Caller, body: unknown, query = '', headers: Record<string, string> = {}) =>
  caller.request('PUT', `/v1/config${query}`, { body, headers })
const get = (caller: Caller) => caller.get('/v1/config')
const newMerchant = (more: NewTenant = {}) => service.tenant({ environment: 'live', ...more })
const summaryOf = ({ body }: ApiResponse) =>
  body.changes.map(({ action, resource }: Record<string, string>) => `${action} ${resource}`)

/** A tenant that has everything. */
async function configured() {
  const merchant = await newMerchant()
  const { status, body } = await put(merchant, everything)
  expect([status, body.applied, body.failure]).toEqual([200, true, undefined])
  return merchant
}

test('[CONFIG-1] the export has everything but secrets, twice the same bytes, and applying it changes nothing', async () => {
  const merchant = await configured()
  const [first, second] = [await get(merchant), await get(merchant)]
  expect(second.text).toBe(first.text)
  expect(second.headers.get('etag')).toBe(first.headers.get('etag'))
  expect(TenantConfig.parse(first.body)).toEqual(first.body)
  expect(first.body).toMatchObject({
    brand: everything.brand,
    policies: everything.policies,
    alert_webhook: everything.alert_webhook,
    trust: {
      policy: 'own',
      anchors: [{ role: 'revocation' }, { entity: 'Ministry', document_types: ['a', 'b'] }],
    },
    templates: everything.templates,
  })
  expect(first.text).not.toMatch(/whsec_|vcs_|vk_|we_|oc_|_at"/)

  for (const query of ['', '?prune=true', '?prune=true&dry_run=true']) {
    const { body } = await put(merchant, first.body, query)
    expect([body.changes, body.kept, body.secrets]).toEqual([[], 0, []])
  }
  expect((await get(merchant)).text).toBe(first.text)
})

test('[CONFIG-2] applying twice changes once; new endpoints and clients get their secrets once', async () => {
  const merchant = await newMerchant()
  const planned = await put(merchant, everything, '?dry_run=true')
  expect(planned.body).toMatchObject({ applied: false, secrets: [] })
  expect((await get(merchant)).body.templates).toEqual({})

  const applied = await put(merchant, everything)
  expect(summaryOf(applied)).toEqual(summaryOf(planned))
  expect(summaryOf(applied).toSorted()).toEqual(
    expect.arrayContaining(['create template hotel', 'create live OpenID client Web shop', 'change brand']),
  )
  const secrets: { resource: string; secret: string }[] = applied.body.secrets
  expect(secrets.map(({ resource, secret }) => [resource, secret.slice(0, 6)])).toEqual([
    ['alert webhook', 'whsec_'],
    ['live webhook endpoint https://8.8.8.8/hook', 'whsec_'],
    ['test webhook endpoint https://8.8.8.8/hook?token=1', 'whsec_'],
    ['live OpenID client Web shop', 'vcs_li'],
  ])
  const again = await put(merchant, everything)
  expect(again.body).toMatchObject({ applied: true, changes: [], secrets: [] })
  const text = (await get(merchant)).text
  for (const { secret } of secrets) expect(text).not.toContain(secret)

  const actions = (await readAuditLog(service.ctx, merchant.tenant_id)).map(({ action }) => action)
  expect(actions.filter((action) => action === 'config.applied')).toHaveLength(1)
  expect(actions.filter((action) => action === 'template.put')).toHaveLength(2)
})

test('[CONFIG-1] a tenant of another installation becomes equal', async () => {
  await using other = await startService()
  const { body: exported, text } = await get(await configured())
  const target = await other.tenant({ environment: 'live' })
  await put(target, { version: 1, templates: { old: { template } }, brand: { kept_days: 1 } })
  const { body } = await put(target, exported, '?prune=true')
  expect(body).toMatchObject({ applied: true, kept: 0 })
  expect((await get(target)).text).toBe(text)
})

test('[CONFIG-2] without prune nothing is deleted; with it only what the parts of the document lack', async () => {
  const merchant = await configured()
  const empty = {
    version: 1,
    trust: { anchors: [] },
    registrations: { items: [] },
    templates: {},
    webhook_endpoints: [],
    openid_clients: [],
  }
  const before = await get(merchant)
  const kept = await put(merchant, empty)
  expect([kept.body.changes, kept.body.kept]).toEqual([[], 11])
  expect((await get(merchant)).text).toBe(before.text)

  const deleted = await put(merchant, empty, '?prune=true')
  expect(deleted.body).toMatchObject({ applied: true, kept: 0 })
  expect(summaryOf(deleted)).toHaveLength(11)
  const { brand, trust, ...rest } = (await get(merchant)).body
  expect([brand, trust.policy]).toEqual([everything.brand, 'own'])
  expect(rest).toMatchObject({
    templates: {},
    registrations: { items: [] },
    openid_clients: [],
    webhook_endpoints: [],
  })
})

test('members of an entry can change, and a certificate can be replaced under its name', async () => {
  const merchant = await configured()
  const { body: before } = await get(merchant)
  const [app, shop] =
    before.openid_clients[0].name === 'App' ? before.openid_clients : before.openid_clients.toReversed()
  const wanted = {
    ...before,
    alert_webhook: null,
    registrations: {
      settings: { encoding: 'jwt' },
      items: [
        { name: 'Age', certificate: newRegistration({ intended_use_id: 'renewed' }), default: true },
        {
          ...before.registrations.items.find(({ name }: { name: string }) => name === 'Hotel'),
          default: false,
        },
      ],
    },
    templates: {
      ...before.templates,
      bar: { template, registration: 'Hotel' },
      hotel: before.templates.hotel,
    },
    webhook_endpoints: before.webhook_endpoints.map((each: object) => ({
      ...each,
      description: 'New',
      enabled: true,
    })),
    openid_clients: [
      { ...app, purpose: 'Sign in' },
      { ...shop, templates: ['hotel'], pkce_required: false },
    ],
  }
  const { body } = await put(merchant, wanted, '?prune=true')
  expect(body).toMatchObject({ applied: true, secrets: [] })
  const after = (await get(merchant)).body
  expect(after).toMatchObject({
    alert_webhook: null,
    registrations: { settings: { encoding: 'jwt', policy: 'refuse' } },
    templates: { bar: { registration: 'Hotel' }, hotel: { registration: 'Age' } },
  })
  expect(after.registrations.items).toHaveLength(2)
  expect((await put(merchant, wanted, '?prune=true')).body.changes).toEqual([])
  expect((await put(merchant, before)).body).toMatchObject({ applied: true })
})

test('[CONFIG-4] a change without its scope refuses the whole document, and a test key neither sees nor changes live', async () => {
  const merchant = await configured()
  const before = await get(merchant)
  const changed = { version: 1, brand: {}, templates: { bar: { template: { ...template, name: 'Bar' } } } }
  for (const scope of ['settings:manage', 'templates:manage'] as const) {
    const limited = await merchant.as({ scopes: ['config:read', scope], environment: 'live' })
    const refused = await put(limited, changed)
    expect([refused.status, refused.body.error.code]).toEqual([403, 'insufficient_scope'])
    const dry = await put(limited, changed, '?dry_run=true')
    expect(dry.body.error.code).toBe('insufficient_scope')
    expect((await get(merchant)).text).toBe(before.text)
    expect((await get(limited)).body.webhook_endpoints).toBeUndefined()
    expect((await put(limited, { version: 1, webhook_endpoints: [] })).body.error.code).toBe(
      'insufficient_scope',
    )
  }
  const both = await merchant.as({ scopes: ['config:read', 'settings:manage', 'templates:manage'] })
  expect((await put(both, changed)).body.applied).toBe(true)

  const testKey = await merchant.as({ environment: 'test' })
  const seen = (await get(testKey)).body
  const entries = [...seen.webhook_endpoints, ...seen.openid_clients, ...seen.trust.anchors]
  expect(entries.map(({ environment }) => environment)).toEqual(['test', 'test', 'test'])
  expect((await put(testKey, everything)).body.error.code).toBe('insufficient_scope')
  const pruned = { version: 1, webhook_endpoints: [], openid_clients: [], trust: { anchors: [] } }
  expect((await put(testKey, pruned, '?prune=true')).body.changes).toHaveLength(3)
  expect((await get(merchant)).body.webhook_endpoints).toHaveLength(1)
})

test('[CONFIG-3] a stale ETag changes nothing', async () => {
  const merchant = await newMerchant()
  const etag = (await get(merchant)).headers.get('etag') ?? ''
  const brand = (display_name: string) => ({ version: 1, brand: { display_name } })
  const first = await put(merchant, brand('One'), '', { 'if-match': etag })
  expect(first.status).toBe(200)
  for (const query of ['', '?dry_run=true']) {
    const stale = await put(merchant, brand('Two'), query, { 'if-match': etag })
    expect([stale.status, stale.body.error.code]).toEqual([412, 'config_changed'])
  }
  expect((await get(merchant)).body.brand.display_name).toBe('One')
  const next = await put(merchant, brand('Two'), '', { 'if-match': `"x", ${first.headers.get('etag')}` })
  expect(next.body.applied).toBe(true)
})

test(
  '[CONFIG-3] of two applies at once one is refused, and the end is one of the two documents, never a mixture',
  { timeout: 120_000 },
  async () => {
    await using second = await startService({
      database: { url: service.database_url, async [Symbol.asyncDispose]() {} },
    })
    const merchant = await newMerchant()
    const elsewhere: Caller = {
      ...merchant,
      request: (method, path, options) =>
        second.anonymous.request(method, path, {
          ...options,
          headers: { ...options?.headers, authorization: `Bearer ${merchant.key}` },
        }),
    }
    const documentOf = (name: string, pair: number) => ({
      version: 1,
      brand: { display_name: name },
      policies: { retention_days: name === 'one' ? 10 : 20 },
      templates: Object.fromEntries(
        Array.from({ length: 6 }, (_, n) => [
          `t${n}`,
          { template: { ...template, name: `${name} ${pair}` } },
        ]),
      ),
      webhook_endpoints: Array.from({ length: 3 }, (_, n) => ({
        environment: 'live',
        url: `https://8.8.8.8/${name}/${n}`,
        events: ['verification.completed'],
      })),
    })
    const statuses: number[] = []
    for (let pair = 0; pair < 20; pair += 1) {
      const documents = [documentOf('one', pair), documentOf('two', pair)]
      const callers = pair % 2 === 0 ? [merchant, merchant] : [merchant, elsewhere]
      const responses = await Promise.all(
        documents.map((document, n) => put(callers[n] ?? merchant, document, '?prune=true')),
      )
      const outcomes = responses.map(({ status, body, headers }) =>
        status === 200 ? body.applied : `${status} ${body.error.code} ${headers.get('retry-after')}`,
      )
      expect([true, '409 config_busy 1']).toEqual(expect.arrayContaining(outcomes))
      statuses.push(...responses.map(({ status }) => status))
      // The one that the end state is equal to has nothing left to change.
      const left = await Promise.all(
        documents.map((document) => put(merchant, document, '?prune=true&dry_run=true')),
      )
      expect(left.filter(({ body }) => body.changes.length === 0)).toHaveLength(1)
    }
    expect(statuses).toContain(409)
  },
)

test('[CONFIG-5] what would fail is refused before the first change', async () => {
  const merchant = await configured()
  const before = await get(merchant)
  const inTest = await merchant.as({ environment: 'test' })
  await inTest.post('/v1/devices', { name: 'Till', allowed_templates: ['bar'] })
  const client = everything.openid_clients[0]
  const cases: [object, string, string?][] = [
    [{ templates: { new: { template: { name: 'x' } } } }, 'invalid_template'],
    [{ templates: { new: {} } }, 'invalid_template'],
    [{ templates: { age_over_18: { template } } }, 'invalid_template'],
    [{ templates: { new: { template, registration: 'none' } } }, 'invalid_request'],
    [{ templates: { hotel: everything.templates.hotel } }, 'template_in_use', '?prune=true'],
    [{ registrations: { items: [] } }, 'registration_in_use', '?prune=true'],
    [{ registrations: { items: [{ name: 'x', certificate: 'x' }] } }, 'registration_not_accepted'],
    [
      {
        registrations: { items: everything.registrations.items.map((each) => ({ ...each, default: true })) },
      },
      'invalid_request',
    ],
    [
      { registrations: { items: [{ ...everything.registrations.items[0], dataset: '{"a": 1}' }] } },
      'invalid_request',
    ],
    [
      {
        webhook_endpoints: [
          { environment: 'live', url: 'http://10.0.0.5/', events: ['verification.failed'] },
        ],
      },
      'invalid_webhook_url',
    ],
    [{ alert_webhook: { url: 'http://127.0.0.1/' } }, 'invalid_webhook_url'],
    [{ openid_clients: [{ ...client, templates: ['none'] }] }, 'unknown_template'],
    [{ openid_clients: [{ ...client, subject_claim: 'x' }] }, 'invalid_request'],
    [{ trust: { anchors: [{ environment: 'live', pem: 'x' }] } }, 'invalid_request'],
    [
      {
        trust: {
          anchors: [
            { environment: 'live', pem: anchor },
            { environment: 'live', pem: anchor },
          ],
        },
      },
      'invalid_request',
    ],
    [
      {
        webhook_endpoints: Array.from({ length: 16 }, (_, n) => ({
          environment: 'live',
          url: `https://8.8.8.8/${n}`,
          events: ['verification.failed'],
        })),
      },
      'too_many',
    ],
    [{ version: 2 }, 'invalid_request'],
    [{ unknown: 1 }, 'invalid_request'],
  ]
  for (const [parts, code, query] of cases) {
    // The change before it must not happen either.
    const { body } = await put(merchant, { version: 1, brand: {}, ...parts }, query)
    expect([JSON.stringify(parts).slice(0, 80), body.error?.code]).toEqual([
      JSON.stringify(parts).slice(0, 80),
      code,
    ])
  }
  expect((await get(merchant)).text).toBe(before.text)
})

test('a change that fails midway is named with what was done before it, and applying again completes it', async () => {
  const merchant = await newMerchant()
  const documentWith = (certificate: string) => ({
    version: 1,
    brand: { display_name: 'New' },
    // The anchor could be the one that the registration needs, so that the registration is checked after it.
    trust: { anchors: [{ environment: 'live', pem: anchor }] },
    registrations: { items: [{ name: 'Age', certificate, default: true }] },
  })
  const { status, body } = await put(merchant, documentWith('x'))
  expect([status, body.applied, body.failure.code]).toEqual([200, false, 'registration_not_accepted'])
  expect(body.changes.map((each: Record<string, unknown>) => each['applied'])).toEqual([true, false, false])
  expect((await get(merchant)).body).toMatchObject({ brand: {}, trust: { anchors: [{ pem: anchor }] } })
  const completed = await put(merchant, documentWith(newRegistration()))
  expect([completed.body.applied, summaryOf(completed).length]).toEqual([true, 2])
})

test('[CONFIG-5] no document causes an error of the service', { timeout: 120_000 }, async () => {
  const merchant = await configured()
  const { body: valid } = await get(merchant)
  const paths = listPaths(valid)
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...paths),
      fc.jsonValue({ maxDepth: 2 }),
      fc.boolean(),
      async (path, value, prune) => {
        const { status } = await put(merchant, replaceAt(valid, path, value), `?dry_run=true&prune=${prune}`)
        expect(status).toBeLessThan(500)
      },
    ),
    { numRuns: 250 },
  )
  const applied = fc.sample(fc.constantFrom(...paths), 40)
  for (const path of applied)
    expect((await put(merchant, replaceAt(valid, path, undefined), '?prune=true')).status).toBeLessThan(500)
})

type Path = (string | number)[]

function listPaths(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([name, each]) => listPaths(each, [...path, name]))]
}

function replaceAt(value: unknown, [first, ...rest]: Path, by: unknown): unknown {
  if (first === undefined) return by
  const copy = structuredClone(value) as Record<string, unknown>
  copy[first] = replaceAt(copy[first], rest, by)
  return copy
}
