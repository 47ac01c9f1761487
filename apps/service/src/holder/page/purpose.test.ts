import { decodeJwt } from 'jose'
import { afterAll, expect, test } from 'vitest'
import { startService, type Merchant } from '../../../test/service.ts'
import { sql } from '../../engine/db/sql.ts'
import { readBuiltInTemplates } from '../../templates/built-in/read-built-in.ts'
import { putTemplate } from '../../templates/put-template.ts'

const service = await startService()
const { ctx, anonymous } = service
afterAll(() => service[Symbol.asyncDispose]())

const purpose = [
  { lang: 'de', content: 'Einlass in den Club' },
  { lang: 'pl', content: 'Wstęp do klubu' },
]

async function setUp(texts: object[] = purpose) {
  const merchant = await service.tenant({
    scopes: ['verifications:create', 'verifications:read', 'links:manage'],
  })
  const template = { ...readBuiltInTemplates().get('age_over_18'), purpose: texts }
  const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
  const violations = await putTemplate(ctx, { by, key: 'club', template })
  return { merchant, violations }
}

async function create(merchant: Merchant, more: object = {}) {
  const { status, body } = await merchant.post('/v1/verifications', { template: 'club', ...more })
  expect(status).toBe(201)
  return body
}

async function show(id: string, acceptLanguage: string) {
  const headers = { 'accept-language': acceptLanguage }
  const session = (await anonymous.request('GET', `/verify/${id}/session`, { headers })).body
  const page = await anonymous.request('GET', `/verify/${id}`, { headers })
  return { lang: session.lang, purpose: session.purpose, page: page.text }
}

test('the reason of a template is in the language of its reader, and the page has one language', async () => {
  const { merchant } = await setUp()
  const { id } = await create(merchant)

  expect(await show(id, 'pl, de;q=0.5')).toMatchObject({ lang: 'pl', purpose: 'Wstęp do klubu' })
  expect(await show(id, 'fr, pl;q=0.1')).toMatchObject({ lang: 'pl', purpose: 'Wstęp do klubu' })
  const { page, ...other } = await show(id, 'fr')
  expect(other).toEqual({ lang: 'de', purpose: 'Einlass in den Club' })
  expect(page).toContain('<html lang="de"')
  expect(page).not.toContain('lang=fr')
  expect(page).toContain('Einlass in den Club')
})

test('the first text is what the merchant reads, the wallet is told and the audit log records', async () => {
  const { merchant } = await setUp()
  const created = await create(merchant)
  const read = (await merchant.get(`/v1/verifications/${created.id}`)).body
  const request = await anonymous.get(`/wallet/request/${created.id}`)
  const { dcql_query } = decodeJwt<{ dcql_query: { credential_sets: { purpose: string }[] } }>(request.text)
  const audited = await ctx.db.query<{ purpose: string }>(sql`
    select coalesce(
      (select purpose from audit_inbox where subject = ${created.id}),
      (select purpose from audit_texts where subject = ${created.id})) as purpose`)

  expect(created.purpose).toBe('Einlass in den Club')
  expect(read.purpose).toBe('Einlass in den Club')
  expect(dcql_query.credential_sets.map((each) => each.purpose)).toEqual(['Einlass in den Club'])
  expect(audited).toEqual([{ purpose: 'Einlass in den Club' }])
})

test('a reason of the verification itself replaces that of the template, on a page in any language', async () => {
  const { merchant } = await setUp()
  const { id, purpose: own } = await create(merchant, { purpose: 'Private party' })

  expect(own).toBe('Private party')
  expect(await show(id, 'fr')).toMatchObject({ lang: 'fr', purpose: 'Private party' })
})

test('a verification keeps the reason of the version that it was created with', async () => {
  const { merchant } = await setUp()
  const { id } = await create(merchant)
  const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
  const template = { ...readBuiltInTemplates().get('age_over_18') }
  expect(await putTemplate(ctx, { by, key: 'club', template })).toEqual([])

  expect(await show(id, 'pl')).toMatchObject({ lang: 'pl', purpose: 'Wstęp do klubu' })
  expect((await create(merchant)).purpose).toBeUndefined()
})

test('a link without a reason of its own shows that of its template', async () => {
  const { merchant } = await setUp()
  const { body } = await merchant.post('/v1/verification_links', { name: 'Door', template: 'club' })
  const { pathname } = new URL(body.url)
  const headers = { 'accept-language': 'pl' }

  expect((await anonymous.request('GET', pathname, { headers })).text).toContain('Wstęp do klubu')
})

test('a reason in a language that no page has is shown as it is', async () => {
  const { merchant } = await setUp([{ lang: 'is', content: 'Aðgangur' }])
  const { id } = await create(merchant)

  expect(await show(id, 'fr')).toMatchObject({ lang: 'fr', purpose: 'Aðgangur' })
})

test.each([
  [[], 'purpose'],
  [[{ lang: 'DE', content: 'x' }], 'purpose[0].lang'],
  [[...purpose, { lang: 'de', content: 'x' }], 'purpose[2].lang'],
  [[{ lang: 'de', content: 'x'.repeat(301) }], 'purpose[0].content'],
  [[{ lang: 'de', content: 'x', text: 'y' }], 'purpose[0]'],
  [[null], 'purpose'],
])('a purpose that is not valid is refused: %j', async (texts, place) => {
  const { violations } = await setUp(texts as object[])

  expect(violations).toMatchObject([{ place }])
})
