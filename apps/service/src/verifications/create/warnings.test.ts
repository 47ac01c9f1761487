import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { here, logWith, withId } from '../../../test/request-log.ts'
import { signIn } from '../../../test/sign-in/browser.ts'
import { startService, type Merchant } from '../../../test/service.ts'
import { setPolicies } from '../../accounts/tenants/tenant-settings.ts'
import { sql } from '../../engine/db/sql.ts'
import { maxWarning_characters, maxWarnings } from './resolve-query.ts'

const service = await startService()
afterAll(() => service[Symbol.asyncDispose]())

const withoutMeta = { credentials: [{ id: 'pid', format: 'dc+sd-jwt', claims: [{ path: 'given_name' }] }] }
const mistakes = [
  'query.credentials[0].meta: is missing (OpenID4VP 1.0 section 6.1)',
  'query.credentials[0].claims[0].path: must be a non-empty array of strings, nulls and non-negative integers (OpenID4VP 1.0 section 6.3)',
]

const create = (merchant: Merchant, body: object, query = '') =>
  merchant.post(`/v1/verifications${query}`, body)

test('[CREATE-5] the warning names the place and the rule of every mistake in a query', async () => {
  const merchant = await service.tenant()
  const { status, headers, body } = await create(merchant, { query: withoutMeta })
  expect([status, headers.get('x-service-warning')]).toEqual([201, mistakes.join('; ')])
  expect(body).not.toHaveProperty('warnings')
})

test('[CREATE-5] warnings are bounded in number and length, and are ASCII', async () => {
  const merchant = await service.tenant()
  const strange = { id: 'é\r\n; x', format: '😀', meta: 7, claims: [{ path: 'ü; ' }, { path: 'ü; ' }] }
  const { status, headers } = await create(merchant, {
    query: { credentials: Array.from({ length: 20 }, () => strange) },
  })
  expect(status).toBe(201)
  const warnings = (headers.get('x-service-warning') ?? '').split('; ')
  expect(warnings).toHaveLength(maxWarnings)
  expect(warnings.at(-1)).toBe('further warnings are left out')
  for (const warning of warnings) {
    expect(warning).toMatch(/^[ -~]+$/)
    expect(warning.length).toBeLessThanOrEqual(maxWarning_characters)
  }
})

test('[CREATE-16] a strict request, or the policy of the tenant, refuses a query that violates DCQL', async () => {
  const merchant = await service.tenant()
  const refused = await create(merchant, { query: withoutMeta }, '?strict=true')
  expect([refused.status, refused.body.error.code]).toEqual([400, 'invalid_request'])
  for (const mistake of mistakes) expect(refused.body.error.message).toContain(`${mistake}.`)
  expect((await merchant.get('/v1/usage')).body.verifications_created).toBe(0)
  expect((await create(merchant, { template: 'age_over_18' }, '?strict=true')).status).toBe(201)
  expect((await create(merchant, { query: withoutMeta }, '?strict=perhaps')).status).toBe(400)

  const { tenant_id } = merchant
  await setPolicies(service.ctx, { tenant_id, strict_queries: true })
  expect((await create(merchant, { query: withoutMeta })).status).toBe(400)
  expect((await create(merchant, { query: withoutMeta }, '?strict=false')).status).toBe(201)
  const optional = { options: [['pid']], required: false }
  const allowed = await create(merchant, {
    query: { credentials: [{ id: 'pid', format: 'dc+sd-jwt', meta: {} }], credential_sets: [optional] },
  })
  // DCQL allows it, so it stays a warning.
  expect([allowed.status, allowed.headers.get('x-service-warning')]).toEqual([
    201,
    expect.stringContaining('every set is optional'),
  ])
})

test('[CREATE-16] a request that is repeated gets its first response, also when the policy has become strict', async () => {
  const merchant = await service.tenant()
  const send = () =>
    merchant.post('/v1/verifications', { query: withoutMeta }, { headers: { 'idempotency-key': 'order-1' } })
  const first = await send()
  await setPolicies(service.ctx, { tenant_id: merchant.tenant_id, strict_queries: true })
  const again = await send()
  expect([again.status, again.body]).toEqual([201, first.body])
})

test('a redirect_url over http gets a warning if its host is public', async () => {
  const merchant = await service.tenant()
  const warning = async (redirect_url: string) =>
    (await create(merchant, { template: 'age_over_18', redirect_url })).headers.get('x-service-warning')
  for (const url of ['http://shop.example/done', 'http://93.184.215.14/', 'http://[2606:2800:220:1::1]/'])
    expect([url, await warning(url)]).toEqual([url, expect.stringMatching(/^redirect_url: http is not/)])
  for (const url of [
    'https://shop.example/done',
    'http://localhost:3000/done',
    'http://shop.localhost/done',
    'http://127.0.0.1:3000/done',
    'http://192.168.1.7/done',
    'http://[::1]:3000/done',
    'http://till/done',
    'com.shop.app:/return',
  ])
    expect([url, await warning(url)]).toEqual([url, null])
})

test('[CREATE-17] the warnings of a creation are on the page of the verification and in its request, until it is erased', async () => {
  const merchant = await service.tenant()
  const owner = await signIn(service, merchant)
  const [request_id, last] = [randomUUID(), randomUUID()]
  const { body } = await merchant.post('/v1/verifications', { query: withoutMeta }, withId(request_id))
  const plain = await create(merchant, { template: 'age_over_18' })
  await merchant.get('/v1/usage', withId(last))
  const detail = (id: string) => owner.call('getVerification', { params: { ...here, id } })

  expect((await detail(body.id)).body.warnings).toEqual(mistakes)
  expect((await detail(plain.body.id)).body).not.toHaveProperty('warnings')
  const { data } = await logWith(owner, last)
  expect(data.map(({ warning }) => warning)).toEqual([undefined, undefined, mistakes.join('; ')])
  expect(data[2]).toMatchObject({ request_id })

  expect((await merchant.delete(`/v1/verifications/${body.id}`)).status).toBe(200)
  const { body: logged } = await owner.call('listRequests', { params: here, query: { request_id } })
  expect(logged.data).toHaveLength(1)
  expect(logged.data[0]).not.toHaveProperty('warning')
  const [row] = await service.ctx.db.query<{ count: number }>(sql`
    select count(*) as count from verification_sessions where tenant_id = ${merchant.tenant_id} and warnings is not null`)
  expect(row?.count).toBe(0)
})
