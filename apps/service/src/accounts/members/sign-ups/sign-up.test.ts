import { expect, test } from 'vitest'
import { startAlertService } from '../../../../test/alerts.ts'
import { readAuditLog } from '../../../../test/audit/audit.ts'
import { setClockOffset } from '../../../../test/database/clock.ts'
import { softwareAuthenticator } from '../../../../test/sign-in/authenticator.ts'
import { openBrowser, signIn, tokenFromLink, type Browser } from '../../../../test/sign-in/browser.ts'
import { flushAudit } from '../../../audit/advance.ts'
import { installationChain } from '../../../audit/append.ts'
import { readConfig } from '../../../engine/config/config.ts'
import { sql } from '../../../engine/db/sql.ts'
import { createKey } from '../../api-keys/create-key.ts'
import { decideApproval, listUnapproved } from '../../tenants/approval.ts'
import { setTenantState } from '../../tenants/state.ts'
import { sweepMembers } from '../team.ts'

const operator = { name: 'ada', reason: 'They called.' }
const shop = { organisation: 'Corner shop', email: 'Ada@Shop.example' }
const plain = { template: 'age_over_18' }

async function startSignUp(SIGN_UP: 'off' | 'waitlist' | 'open' = 'open') {
  const service = await startAlertService({}, { environment: { SIGN_UP } })
  const rows = async (table: 'sign_ups' | 'tenants') => {
    const from = { sign_ups: sql`sign_ups`, tenants: sql`tenants` }[table]
    return (await service.ctx.db.query(sql`select 1 as row from ${from}`)).length
  }
  const request = (body: object = shop) => openBrowser(service).call('requestSignUp', { body })
  return {
    ...service,
    rows,
    request,
    /** The link of the latest mail. */
    async mailedLink(body: object = shop): Promise<string> {
      expect((await request(body)).status).toBe(200)
      await service.notifyAll()
      return /http\S+/.exec(service.mails.received.at(-1)?.text ?? '')?.[0] ?? ''
    },
  }
}

type Started = Awaited<ReturnType<typeof startSignUp>>

/** Opens the account with a passkey, as the page does. */
async function accept(service: Started, link: string): Promise<Browser & { status: number }> {
  const browser = openBrowser(service)
  const token = tokenFromLink(link)
  const name = 'Ada'
  const offered = await browser.call('startPasskeyOfInvitation', { body: { token, name } })
  if (offered.status !== 200) return { ...browser, status: offered.status }
  const response = softwareAuthenticator(browser.origin).create(offered.body.options)
  const { status } = await browser.call('acceptWithPasskey', { body: { token, name, response } })
  return { ...browser, status }
}

async function actions({ ctx }: Started, tenant_id: string) {
  await flushAudit(ctx, tenant_id)
  return (await readAuditLog(ctx, tenant_id)).map(({ action, actor, detail }) => [action, actor, detail])
}

test('an account opens by mail and passkey, tests at once, and goes live once an operator approves it', async () => {
  await using service = await startSignUp()
  expect((await openBrowser(service).call('getSignIn')).body.sign_up).toBe('open')
  const link = await service.mailedLink()
  expect(service.mails.received[0]).toMatchObject({ to: ['ada@shop.example'] })
  expect(service.mails.received[0]?.raw).not.toContain('Corner')
  expect(link).toMatch(/^http:\/\/localhost:8080\/dashboard\/invitation#0[\w-]{43}$/)
  expect(await service.rows('tenants')).toBe(0)
  const read = await openBrowser(service).call('readInvitation', { body: { token: tokenFromLink(link) } })
  expect(read.body).toMatchObject({
    tenant_name: 'Corner shop',
    email: 'ada@shop.example',
    role: 'owner',
    returning: false,
    signing_up: true,
  })

  const owner = await accept(service, link)

  expect([owner.status, await service.rows('sign_ups'), await service.rows('tenants')]).toEqual([200, 0, 1])
  expect((await accept(service, link)).status).toBe(404)
  const { tenant, member, approval } = (await owner.call('getMe')).body
  expect([tenant.name, member.role, approval]).toEqual(['Corner shop', 'owner', 'pending'])
  expect((await owner.call('createTestVerification', { body: plain })).status).toBe(201)
  const newKey = (environment: string) =>
    owner.call('createKey', {
      params: { environment },
      body: { name: 'K', scopes: ['verifications:create'] },
    })
  expect((await newKey('test')).status).toBe(201)
  const refused = await newKey('live')
  expect([refused.status, refused.body.error]).toMatchObject([
    403,
    { code: 'tenant_not_approved', message: expect.stringContaining('has not approved live') },
  ])
  const by = { kind: 'operator', tenant_id: tenant.id } as const
  await expect(
    createKey(service.ctx, { by, environment: 'live', scopes: ['verifications:create'] }),
  ).rejects.toMatchObject({ code: 'tenant_not_approved' })
  expect(await listUnapproved(service.ctx, { after: undefined, limit: 10 })).toMatchObject([
    {
      tenant_id: tenant.id,
      name: 'Corner shop',
      approval: 'pending',
      state: 'active',
      email: 'ada@shop.example',
    },
  ])

  await decideApproval(service.ctx, { tenant_id: tenant.id, approval: 'approved', operator })

  expect((await owner.call('getMe')).body).not.toHaveProperty('approval')
  await service.notifyAll()
  const decided = service.mails.received.find(({ text }) => text.includes('approved your account'))
  expect(decided?.to).toEqual(['ada@shop.example'])
  expect((await newKey('live')).status).toBe(201)
  expect(await listUnapproved(service.ctx, { after: undefined, limit: 10 })).toEqual([])
  await expect(
    decideApproval(service.ctx, { tenant_id: tenant.id, approval: 'refused', operator }),
  ).rejects.toMatchObject({ code: 'invalid_request' })
  const chain = await actions(service, tenant.id)
  expect(chain.slice(0, 4)).toEqual([
    ['tenant.created', 'service', { plan: 'starter', daily_quota: 1000, approval: 'pending' }],
    ['member.joined', `member:${member.id}`, { role: 'owner', link_by: 'service' }],
    ['member.passkey_added', `member:${member.id}`, { with_link: true }],
    ['member.signed_in', `member:${member.id}`, { method: 'link' }],
  ])
  expect(chain).toContainEqual([
    'tenant.approval_changed',
    'operator',
    { approval: 'approved', state: 'active' },
  ])
  expect(await actions(service, installationChain)).toEqual([
    ['installation.sign_up_requested', 'service', { domain: 'shop.example', known: false }],
    [
      'installation.tenant_signed_up',
      'service',
      { tenant_id: tenant.id, plan: 'starter', approval: 'pending' },
    ],
    ['installation.tenant_approval_changed', 'operator', { tenant_id: tenant.id, approval: 'approved' }],
  ])
})

test('whatever a tenant has for live creates nothing before it is approved', async () => {
  await using service = await startSignUp()
  const merchant = await service.tenant()
  const live = await merchant.as({ environment: 'live' })
  const set = (approval: string) =>
    service.ctx.db.execute(sql`update tenants set approval = ${approval} where id = ${merchant.tenant_id}`)
  const create = async () => {
    const replies = [
      await merchant.post('/v1/verifications', plain),
      await live.post('/v1/verifications', plain),
    ]
    return replies.map(({ status, body }) => (status === 201 ? status : body.error.code))
  }
  expect(await create()).toEqual([201, 201])
  await set('pending')
  expect(await create()).toEqual([201, 'tenant_not_approved'])
  await set('refused')
  expect(await create()).toEqual([201, 'tenant_not_approved'])
  await set('waiting')
  expect(await create()).toEqual(['tenant_not_approved', 'tenant_not_approved'])
  await set('approved')
  expect(await create()).toEqual([201, 201])
})

test('an account of the waiting list does nothing until it is approved, and is closed if it is refused', async () => {
  await using service = await startSignUp('waitlist')
  const approved = await accept(service, await service.mailedLink())
  const refused = await accept(service, await service.mailedLink({ organisation: 'B', email: 'b@b.example' }))
  for (const owner of [approved, refused]) {
    expect((await owner.call('getMe')).body.approval).toBe('waiting')
    const { status, body } = await owner.call('createTestVerification', { body: plain })
    expect([status, body.error.code]).toEqual([403, 'tenant_not_approved'])
  }
  const idOf = async (owner: Browser): Promise<string> => (await owner.call('getMe')).body.tenant.id
  await decideApproval(service.ctx, { tenant_id: await idOf(approved), approval: 'approved', operator })
  await decideApproval(service.ctx, { tenant_id: await idOf(refused), approval: 'refused', operator })
  expect((await approved.call('createTestVerification', { body: plain })).status).toBe(201)
  expect((await refused.call('getMe')).body.suspension).toMatchObject({
    state: 'closed',
    reason: 'They called.',
  })
})

test('a tenant that signed up is suspended with one action, and approving it does not resume it', async () => {
  await using service = await startSignUp()
  const owner = await accept(service, await service.mailedLink())
  const tenant_id = (await owner.call('getMe')).body.tenant.id
  await setTenantState(service.ctx, { tenant_id, state: 'suspended', operator })
  await decideApproval(service.ctx, { tenant_id, approval: 'approved', operator })
  const { body } = await owner.call('createTestVerification', { body: plain })
  expect(body.error.code).toBe('tenant_suspended')
})

test('a member of any tenant gets a mail that says so, and the response is the same', async () => {
  await using service = await startSignUp()
  await signIn(service, { ...(await service.tenant()), email: 'known@shop.example' })
  await service.notifyAll()
  service.mails.received.length = 0
  const replies = [
    await service.request({ organisation: 'X', email: 'Known@shop.example', language: 'de' }),
    await service.request({ organisation: 'X', email: 'unknown@shop.example', language: 'de' }),
  ]
  expect(replies.map(({ status, body }) => [status, body])).toEqual([
    [200, {}],
    [200, {}],
  ])
  await service.notifyAll()
  const texts = new Map(service.mails.received.map(({ to, text }) => [to[0], text]))
  expect(texts.get('known@shop.example')).toContain('Sie haben bereits eines')
  expect(texts.get('known@shop.example')).not.toContain('#')
  expect(texts.get('unknown@shop.example')).toContain('/dashboard/invitation#')
  expect(await service.rows('sign_ups')).toBe(1)
})

test('a link works once, for 15 minutes, and ends the others of its address', async () => {
  await using service = await startSignUp()
  const [first, second] = [await service.mailedLink(), await service.mailedLink()]
  expect(first).not.toBe(second)
  const statuses = await Promise.all([
    accept(service, first),
    accept(service, second),
    accept(service, second),
  ])
  expect(statuses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404, 404])
  expect(await service.rows('tenants')).toBe(1)

  const late = await service.mailedLink({ organisation: 'B', email: 'b@b.example' })
  await setClockOffset(service.ctx.db, '16 minutes')
  expect((await accept(service, late)).status).toBe(404)
  expect(await service.rows('sign_ups')).toBe(1)
  await sweepMembers(service.ctx)
  expect(await service.rows('sign_ups')).toBe(0)
})

test('only the hash of the link is stored, and neither it nor the address is logged', async () => {
  await using service = await startSignUp()
  await service.request()
  const stored = await service.ctx.db.query<{ row: string }>(sql`
    select s::text as row from sign_ups s union all select m::text from mails m union all select e::text from webhook_events e`)
  await service.notifyAll()
  const token = tokenFromLink(/http\S+/.exec(service.mails.received[0]?.text ?? '')?.[0] ?? '')
  expect(token).toHaveLength(44)
  expect(stored.map(({ row }) => row).join()).not.toContain(token)
  expect(service.log.join('')).not.toMatch(new RegExp(`${token}|shop[.]example`))
  expect(await service.ctx.db.query(sql`select 1 as mail from mails`)).toEqual([])
})

test('where nobody may sign up, the route does not exist, the page is not offered, and old links do not work', async () => {
  await using service = await startSignUp()
  const link = await service.mailedLink()
  service.ctx.config.SIGN_UP = 'off'
  expect((await service.request()).body.error.code).toBe('not_found')
  expect((await openBrowser(service).call('getSignIn')).body).not.toHaveProperty('sign_up')
  expect((await accept(service, link)).status).toBe(404)
  expect(() =>
    readConfig({ DATABASE_URL: 'postgres://localhost/x', MASTER_KEY: 'A'.repeat(43) + '=', SIGN_UP: 'open' }),
  ).toThrow('SIGN_UP needs SMTP_URL and MAIL_FROM')
})
