import { maxOpenIdClients } from '@vidimus/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readAuditLog } from '../../../../test/audit/audit.ts'
import { setClockOffset } from '../../../../test/database/clock.ts'
import { clientInput } from '../../../../test/openid-clients.ts'
import { startService, type Merchant, type Service } from '../../../../test/service.ts'
import { signIn } from '../../../../test/sign-in/browser.ts'
import { sql } from '../../../engine/db/sql.ts'
import { authenticateClient } from './authenticate-client.ts'
import { createClient } from './create-client.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const here = { environment: 'test' }
const shop = {
  name: 'Web shop',
  redirect_uris: ['https://shop.example/callback'],
  templates: ['age_over_18'],
}
const operator = ({ tenant_id }: Merchant) => ({ kind: 'operator', tenant_id }) as const

test('a client is created with what to enter at the site; its secret is stored only as a hash', async () => {
  await using own = await startService()
  const merchant = await own.tenant()
  const { tenant_id } = merchant
  const owner = await signIn(own, merchant)

  const { status, body } = await owner.call('createOpenIdClient', {
    params: here,
    body: { ...shop, purpose: 'Sale of wine' },
  })

  expect(status).toBe(201)
  const { BASE_URL, CELL } = own.ctx.config
  const issuer = `${BASE_URL}/oidc/${CELL}${tenant_id}`
  expect(body.client).toEqual({
    id: expect.stringMatching(/^oc_[\w-]{22}$/),
    environment: 'test',
    issuer,
    discovery_url: `${issuer}/.well-known/openid-configuration`,
    scopes: ['vidimus:age_over_18'],
    ...shop,
    purpose: 'Sale of wine',
    authentication: 'secret',
    id_token_algorithm: 'RS256',
    pkce_required: true,
    created_at: expect.any(String),
  })
  expect(body.secret).toMatch(/^vcs_test_[0-9A-Za-z]{38}$/)
  const stored = await own.ctx.db.query<{ row: string }>(sql`
    select row_to_json(c)::text as row from openid_clients c
    union all select row_to_json(s)::text from openid_client_secrets s`)
  expect(stored).toHaveLength(2)
  expect(JSON.stringify(stored)).not.toContain(body.secret.slice(9))
  const listed = await owner.call('listOpenIdClients', { params: here })
  expect(listed.body.data).toEqual([body.client])
  expect((await owner.call('listOpenIdClients', { params: { environment: 'live' } })).body.data).toEqual([])
  const entry = (await readAuditLog(own.ctx, tenant_id)).at(-1)
  expect(entry).toMatchObject({ action: 'openid_client.created', subject: body.client.id })
  expect(JSON.stringify(entry)).not.toContain(body.secret)
})

test('wrong addresses, unknown templates and roles without the permission are refused', async () => {
  const merchant = await service.tenant()
  const owner = await signIn(service, merchant)
  const create = (change: object) =>
    owner.call('createOpenIdClient', { params: here, body: { ...shop, ...change } })

  for (const redirect_uri of [
    'http://shop.example/callback',
    'https://user:pass@shop.example/',
    'https://shop.example/#here',
    'javascript:alert(1)',
    '/callback',
  ])
    expect((await create({ redirect_uris: [redirect_uri] })).status).toBe(400)
  expect((await create({ redirect_uris: [] })).status).toBe(400)
  expect((await create({ authentication: 'none', pkce_required: false })).body.error).toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining('pkce_required'),
  })
  const unknown = await create({ templates: ['age_over_18', 'nothing'] })
  expect(unknown.body.error).toMatchObject({
    code: 'unknown_template',
    message: expect.stringContaining('nothing'),
  })
  for (const role of ['support', 'auditor'] as const) {
    const member = await signIn(service, { ...merchant, role, email: `${role}@example.com` })
    const refused = await member.call('createOpenIdClient', { params: here, body: shop })
    expect(refused.body.error?.code).toBe('role_not_allowed')
    expect((await member.call('listOpenIdClients', { params: here })).status).toBe(200)
  }
  expect((await owner.call('listOpenIdClients', { params: here })).body.data).toEqual([])
  expect(
    (await create({ redirect_uris: ['http://localhost:3000/callback', 'com.example.app:/callback'] })).status,
  ).toBe(201)
})

test('clients that are created at once as the first ones share one issuer, and one more than allowed is refused', async () => {
  await using own = await startService()
  const merchant = await own.tenant()
  const by = operator(merchant)
  const count = (table: string) =>
    own.ctx.db.query<{ tenant_id: string }>(
      table === 'issuers'
        ? sql`select tenant_id from openid_issuers`
        : sql`select tenant_id from openid_keys`,
    )

  const created = await Promise.allSettled(
    Array.from({ length: 6 }, () => createClient(own.ctx, clientInput({ by }))),
  )
  expect(created.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 'fulfilled'))
  expect([(await count('issuers')).length, (await count('keys')).length]).toEqual([1, 2])

  for (let made = 6; made < maxOpenIdClients - 1; made += 1) await createClient(own.ctx, clientInput({ by }))
  const last = await Promise.allSettled(
    Array.from({ length: 4 }, () => createClient(own.ctx, clientInput({ by }))),
  )
  expect(last.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(last.find((each) => each.status === 'rejected')?.reason).toMatchObject({ code: 'too_many' })
})

test('a client is recognised only by a secret of its own that works, or by none if it has none', async () => {
  const merchant = await service.tenant()
  const other = await service.tenant()
  const { ctx } = service
  const [first, second] = [
    await createClient(ctx, clientInput({ by: operator(merchant) })),
    await createClient(ctx, clientInput({ by: operator(merchant) })),
  ]
  const open = await createClient(ctx, clientInput({ by: operator(merchant), authentication: 'none' }))
  expect(open.secret).toBeUndefined()
  const { tenant_id } = merchant
  const isAccepted = async (client_id: string, secret: string | undefined, of = tenant_id) =>
    (await authenticateClient(ctx, { tenant_id: of, client_id, secret })) !== undefined

  expect(await isAccepted(first.client_id, first.secret)).toBe(true)
  expect(await isAccepted(open.client_id, undefined)).toBe(true)
  const refused = [
    await isAccepted(first.client_id, undefined),
    await isAccepted(first.client_id, ''),
    await isAccepted(first.client_id, second.secret),
    await isAccepted(
      first.client_id,
      `${first.secret?.slice(0, -1)}${first.secret?.endsWith('x') ? 'y' : 'x'}`,
    ),
    await isAccepted(first.client_id, first.secret, other.tenant_id),
    await isAccepted('oc_unknown', first.secret),
    await isAccepted(open.client_id, ''),
    await isAccepted(open.client_id, first.secret),
  ]
  expect(refused).toEqual(refused.map(() => false))
})

test('a template that a client may ask with is not deleted; one that is gone nevertheless is named', async () => {
  await using own = await startService()
  const merchant = await own.tenant()
  const owner = await signIn(own, merchant)
  const remove = () => owner.call('deleteTemplate', { params: { key: 'bar' } })
  await owner.call('duplicateTemplate', { params: { key: 'age_over_18' }, body: { key: 'bar' } })
  const { body } = await owner.call('createOpenIdClient', {
    params: here,
    body: { ...shop, templates: ['age_over_18', 'bar'] },
  })

  const refused = await remove()
  expect(refused.body.error).toMatchObject({
    code: 'template_in_use',
    message: expect.stringContaining('“Web shop” (test)'),
  })
  // As a restored database could have it.
  await own.ctx.db.execute(sql`delete from templates where tenant_id = ${merchant.tenant_id}`)
  const [listed] = (await owner.call('listOpenIdClients', { params: here })).body.data
  expect(listed.missing_templates).toEqual(['bar'])
  const id = body.client.id
  const changed = await owner.call('changeOpenIdClient', {
    params: { ...here, id },
    body: { templates: ['age_over_18'] },
  })
  expect(changed.body).not.toHaveProperty('missing_templates')
  expect((await remove()).body.error?.code).toBe('template_not_found')
})

test('a client and its secret end with the member who created them, unless they are kept', async () => {
  const merchant = await service.tenant()
  const owner = await signIn(service, merchant)
  for (const decision of ['end', 'keep']) {
    const email = `${decision}@example.com`
    const developer = await signIn(service, { ...merchant, role: 'developer', email })
    const { id } = (await developer.call('getMe')).body.member
    const { body } = await developer.call('createOpenIdClient', { params: here, body: shop })
    const query = decision === 'keep' ? { openid_client: 'keep' } : {}
    expect((await owner.call('removeMember', { params: { id }, query })).status).toBe(200)

    const credentials = { tenant_id: merchant.tenant_id, client_id: body.client.id, secret: body.secret }
    const client = await authenticateClient(service.ctx, credentials)
    expect(client?.name).toBe(decision === 'keep' ? 'Web shop' : undefined)
  }
})

test('a change sets what it names and removes what is null; another environment has no such client', async () => {
  await using own = await startService()
  const merchant = await own.tenant()
  const owner = await signIn(own, merchant)
  const created = await owner.call('createOpenIdClient', { params: here, body: { ...shop, purpose: 'Wine' } })
  const { id } = created.body.client
  const change = (body: object, environment = 'test') =>
    owner.call('changeOpenIdClient', { params: { environment, id }, body })
  await setClockOffset(own.ctx.db, '1 minute')

  const changed = await change({ name: 'New shop', id_token_algorithm: 'ES256', purpose: null })

  const { purpose: _removed, ...unchanged } = created.body.client
  expect(changed.body).toEqual({ ...unchanged, name: 'New shop', id_token_algorithm: 'ES256' })
  expect((await change({})).status).toBe(400)
  expect((await change({ authentication: 'none' })).status).toBe(400)
  expect((await change({ name: 'x' }, 'live')).body.error?.code).toBe('openid_client_not_found')
  const missing = await owner.call('deleteOpenIdClient', { params: { environment: 'live', id } })
  expect(missing.body.error?.code).toBe('openid_client_not_found')
})
