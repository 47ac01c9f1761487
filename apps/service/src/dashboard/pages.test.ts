import {
  dashboardRoutes,
  managementScopes,
  scopes,
  type DashboardOperation,
  type DashboardRoute,
} from '@vidimus/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signIn, type SignedInBrowser } from '../../test/sign-in/browser.ts'
import { startService, type Merchant, type Service } from '../../test/service.ts'
import { openWallet } from '../../test/wallet.ts'
import { readAuditLog } from '../../test/audit/audit.ts'
import { sql } from '../engine/db/sql.ts'

let service: Service
let merchant: Merchant
let owner: SignedInBrowser
let stranger: SignedInBrowser
beforeAll(async () => {
  service = await startService()
  merchant = await service.tenant()
  owner = await signIn(service, merchant)
  stranger = await signIn(service, await service.tenant())
})
afterAll(() => service[Symbol.asyncDispose]())

const here = { environment: 'test' }

async function completed(more: object = {}): Promise<string> {
  const created = await merchant.post('/v1/verifications', { template: 'age_over_18', ...more })
  await (await openWallet(service.ctx, service.address)).respond(created.body.wallet_uri)
  return created.body.id
}

describe('keys', () => {
  test('[DASH-1] every scope and expiry can be chosen; the key works and is shown once', async () => {
    const manages = new Set<string>(managementScopes)
    for (const lifetime_days of [undefined, 30, 90, 365]) {
      // A key that manages has an end.
      const chosen = scopes.filter((scope) => [30, 90].includes(lifetime_days ?? 0) || !manages.has(scope))
      const { status, body } = await owner.call('createKey', {
        params: here,
        body: { name: 'Shop', scopes: chosen, ...(lifetime_days !== undefined && { lifetime_days }) },
      })
      expect(status).toBe(201)
      expect(body.key.scopes).toEqual(chosen)
      expect(body.key.expires_at === undefined).toBe(lifetime_days === undefined)
      const used = await fetch(`${service.address}/v1/usage`, {
        headers: { authorization: `Bearer ${body.secret}` },
      })
      expect(used.status).toBe(200)
      const listed = await owner.call('listKeys', { params: here })
      expect(listed.text).toContain(body.key.id)
      expect(listed.text).not.toContain(body.secret)
      const revoked = await owner.call('revokeKey', { params: { ...here, id: body.key.id } })
      expect(revoked.body.revoked_at).toBeDefined()
    }
    const odd = await owner.call('createKey', {
      params: here,
      body: { name: 'x', scopes, lifetime_days: 31 },
    })
    expect(odd.status).toBe(400)
    const live = await owner.call('revokeKey', { params: { environment: 'live', id: merchant.key_id } })
    expect(live.body.error.code).toBe('key_not_found')
  })
})

describe('the webhook secret', () => {
  test('[DASH-2] [HOOK-10] is shown to an owner on request, with an audit entry, and after a rotation once', async () => {
    const before = await owner.call('revealWebhookSecret', { params: here })
    expect(before.body.secret).toBe(merchant.webhook_secret)
    const rotated = await owner.call('rotateWebhookSecret', { params: here })
    expect(rotated.body.secret).toMatch(/^whsec_/)
    expect(rotated.body.secret).not.toBe(before.body.secret)
    const state = await owner.call('getWebhookSecret', { params: here })
    expect(state.text).not.toContain('whsec_')
    const left = Date.parse(state.body.previous_retires_at) - Date.parse(state.body.now)
    expect(left).toBeGreaterThan(23.9 * 3_600_000)
    expect(left).toBeLessThanOrEqual(24 * 3_600_000)
    const actions = (await readAuditLog(service.ctx, merchant.tenant_id)).map(({ action }) => action)
    expect(actions).toEqual(expect.arrayContaining(['webhook_secret.revealed', 'webhook_secret.rotated']))
    const developer = await signIn(service, { ...merchant, role: 'developer' })
    expect((await developer.call('revealWebhookSecret', { params: here })).body.error.code).toBe(
      'role_not_allowed',
    )
  })
})

describe('verifications', () => {
  test('lists, details and deliveries contain no claims; revealing them is audited with the member', async () => {
    const id = await completed({ purpose: 'Sale of wine' })
    const listed = await owner.call('listVerifications', { params: here, query: { status: 'completed' } })
    expect(listed.body.data[0].id).toBe(id)
    const detail = await owner.call('getVerification', { params: { ...here, id } })
    expect(detail.body).toMatchObject({
      status: 'completed',
      claim_names: ['age_over_18'],
      credentials: [{ format: 'mso_mdoc', claim_names: ['age_over_18'] }],
      erasable: { verification_sessions: 1, verification_results: 1, webhook_deliveries: 0 },
    })
    for (const { text } of [listed, detail]) expect(text).not.toContain('"age_over_18":')
    const revealed = await owner.call('revealClaims', { params: { ...here, id } })
    expect(revealed.body.claims).toEqual({ age_over_18: true })
    const entry = (await readAuditLog(service.ctx, merchant.tenant_id)).at(-1)
    expect(entry).toMatchObject({
      action: 'verification.claims_revealed',
      subject: id,
      actor_name: 'The owner',
    })
    const erased = await owner.call('eraseVerification', { params: { ...here, id } })
    expect(erased.body.deleted).toMatchObject({ verification_sessions: 1, verification_results: 1 })
    expect((await owner.call('getVerification', { params: { ...here, id } })).status).toBe(404)
  })

  test('the timeline shows the fetch before the response, even if it was recorded later', async () => {
    const id = await completed()
    await service.ctx.db.execute(sql`
      update verification_sessions
      set fetches = 1, first_fetched_at = responded_at + interval '1 second'
      where day = service_day() and id = ${id}`)
    const detail = await owner.call('getVerification', { params: { ...here, id } })
    expect(detail.body.timeline.map(({ kind }: { kind: string }) => kind)).toEqual([
      'created',
      'request_fetched',
      'responded',
    ])
  })

  test('a persona responds to a test verification, and the filters find it', async () => {
    const made = await owner.call('createTestVerification', {
      body: { template: 'age_over_18', persona: 'minor' },
    })
    expect(made.status).toBe(201)
    const failed = await owner.call('listVerifications', {
      params: here,
      query: { status: 'failed', error_code: 'requirement_not_met', limit: '1' },
    })
    expect(failed.body.data).toMatchObject([{ id: made.body.id, error_code: 'requirement_not_met' }])
    const none = await owner.call('createTestVerification', {
      body: { template: 'age_over_18', persona: 'nobody' },
    })
    expect(none.body.error.code).toBe('unknown_persona')
    const tried = await owner.call('tryTemplate', { body: { template: 'age_over_18', persona: 'adult' } })
    expect(tried.body).toMatchObject({ status: 'completed', claims: { age_over_18: true } })
  })

  test('[HOOK-7] the log shows every attempt and its payload without claims, and can resend', async () => {
    const id = await completed({ webhook_url: 'https://8.8.8.8/hook' })
    const { ctx } = service
    await ctx.db.execute(sql`
      insert into webhook_deliveries (verification_day, verification_id, attempt, tenant_id, environment, attempted_at, outcome, status, duration_ms, error)
      select service_day(), ${id}, n, ${merchant.tenant_id}, 'test', service_now() + n * interval '1 second',
        case n when 3 then 'delivered' else 'failed' end, case n when 3 then 200 else 500 end, 40, null
      from generate_series(1, 3) n`)
    const all = await owner.call('listDeliveries', { params: here, query: { verification_id: id } })
    expect(all.body.data).toMatchObject([
      {
        attempt: 3,
        state: 'waiting',
        attempts: [
          { attempt: 3, outcome: 'delivered' },
          { attempt: 2, outcome: 'failed' },
          { attempt: 1, outcome: 'failed' },
        ],
      },
    ])
    const unsuccessful = await owner.call('listDeliveries', {
      params: here,
      query: { verification_id: id, outcome: 'unsuccessful' },
    })
    // What counts is the latest attempt.
    expect(unsuccessful.body.data).toEqual([])
    const detail = await owner.call('getDelivery', { params: { ...here, id, attempt: '3' } })
    expect(detail.body.attempts).toHaveLength(3)
    expect(detail.body.payload.verification.claims).toEqual({ age_over_18: '•••' })
    const payload = await owner.call('revealPayload', { params: { ...here, id } })
    expect(JSON.parse(payload.body.body).verification.claims).toEqual({ age_over_18: true })
    expect((await owner.call('resendWebhook', { params: { ...here, id } })).status).toBe(200)
  })
})

describe('templates, usage, audit, settings', () => {
  test('a template can be copied, changed and used by the API; an invalid one is refused with the place of the error', async () => {
    const copied = await owner.call('duplicateTemplate', {
      params: { key: 'age_over_18' },
      body: { key: 'bar' },
    })
    expect(copied.status).toBe(201)
    const again = await owner.call('duplicateTemplate', {
      params: { key: 'age_over_18' },
      body: { key: 'bar' },
    })
    expect(again.body.error.code).toBe('template_exists')
    const { template } = copied.body
    const put = await owner.call('putTemplate', {
      params: { key: 'bar' },
      body: { template: { ...template, name: 'Bar' } },
    })
    expect(put.body.saved).toBe(true)
    expect((await owner.call('getTemplate', { params: { key: 'bar' } })).body.name).toBe('Bar')
    const wrong = await owner.call('putTemplate', {
      params: { key: 'bar' },
      body: { template: { name: 'x' } },
    })
    expect(wrong.body).toMatchObject({ saved: false, lints: [{ place: 'description' }, { place: 'query' }] })
    expect((await merchant.post('/v1/verifications', { template: 'bar' })).status).toBe(201)
    expect((await stranger.call('getTemplate', { params: { key: 'bar' } })).status).toBe(404)
  })

  test('usage as CSV, settings and the audit pages respond', async () => {
    const csv = await owner.call('exportUsage')
    expect(csv.text).toMatch(/^day,verifications_created,daily_quota\r\n\d{4}-\d\d-\d\d,\d+,\d+\r\n/)
    const brand = {
      display_name: 'Wine & Co',
      colour: '#1a2b3c',
      alternative_url: 'https://shop.example/verify-otherwise',
      kept_days: 0,
    }
    expect((await owner.call('changeBrand', { body: brand })).body.brand).toEqual(brand)
    for (const wrong of [{ alternative_url: 'http://shop.example' }, { kept_days: -1 }, { kept_days: 1.5 }])
      expect((await owner.call('changeBrand', { body: wrong })).status).toBe(400)
    const policies = await owner.call('changePolicies', { body: { hold_back: true } })
    expect(policies.body.policies.hold_back).toBe(true)
    expect(policies.body.certificate).toMatchObject({ own: false, self_made: true })
    await owner.call('changePolicies', {
      body: { hold_back: false, time_zone: 'Europe/Madrid', max_attempts: 3, strict_queries: true },
    })
    expect((await owner.call('changePolicies', { body: { max_attempts: 6 } })).status).toBe(400)
    expect(await owner.call('changePolicies', { body: { time_zone: 'Europe/Atlantis' } })).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_request', message: expect.stringContaining('time_zone') } },
    })
    expect((await owner.call('getSettings')).body.policies).toMatchObject({
      time_zone: 'Europe/Madrid',
      max_attempts: 3,
      strict_queries: true,
    })
    expect((await owner.call('getAuditKey')).body.public_key).toContain('BEGIN PUBLIC KEY')
    expect((await owner.call('listAudit')).status).toBe(200)
    const overview = await owner.call('getOverview', { params: here })
    expect(overview.body.checklist).toMatchObject({ key_created: true, verification_completed: true })
  })
})

describe('a session of one tenant', () => {
  test("cannot reach another tenant's data", async () => {
    const id = await completed({ webhook_url: 'https://8.8.8.8/hook' })
    const { body: registered } = await owner.call('registerDevice', {
      params: here,
      body: { name: 'Till', allowed_templates: ['age_over_18'] },
    })
    const invited = await owner.call('inviteMember', { body: { email: 'x@example.com', role: 'admin' } })
    const me = await owner.call('getMe')
    const targets: Partial<Record<DashboardOperation, Record<string, string>[]>> = {
      revokeKey: [{ id: merchant.key_id }],
      rollKey: [{ id: merchant.key_id }],
      revokeDevice: [{ id: registered.device.id }],
      changeDevice: [{ id: registered.device.id }],
      renewPairingCode: [{ id: registered.device.id }],
      listMemberAccess: [{ id: me.body.member.id }],
      removeMember: [{ id: me.body.member.id }],
      changeRole: [{ id: me.body.member.id }],
      withdrawInvitation: [{ id: invited.body.invitation.id }],
      getDelivery: [{ id, attempt: '1' }],
      removePasskey: [{ id: owner.passkey.id }],
      endSession: [{ id: me.body.sessions[0].id }],
    }
    const bodies: Partial<Record<DashboardOperation, object>> = {
      rollKey: { overlap_seconds: 0 },
      changeDevice: { name: 'Mine' },
      renewPairingCode: {},
    }
    const routes = Object.entries<DashboardRoute>(dashboardRoutes) as [DashboardOperation, DashboardRoute][]
    await service.ctx.db.execute(sql`
      insert into webhook_deliveries (verification_day, verification_id, attempt, tenant_id, environment, attempted_at, outcome)
      values (service_day(), ${id}, 1, ${merchant.tenant_id}, 'test', service_now(), 'delivered')`)
    const named = routes.filter(([, { path }]) => path.includes('{id}'))
    for (const [operation, route] of named) {
      for (const params of targets[operation] ?? [{ id }]) {
        const response = await stranger.call(operation, {
          params: { ...here, ...params },
          ...(route.json !== undefined && { body: bodies[operation] ?? { role: 'auditor' } }),
        })
        expect([operation, response.status]).toEqual([operation, 404])
      }
    }
    const lists = [
      'listVerifications',
      'listDeliveries',
      'listKeys',
      'listDevices',
      'listTeam',
      'listAudit',
      'exportAudit',
    ] as const
    const read = (by: SignedInBrowser) =>
      Promise.all(lists.map(async (operation) => (await by.call(operation, { params: here })).text))
    const [theirs, own] = [await read(stranger), await read(owner)]
    for (const secret of [id, registered.device.id, merchant.key_id, me.body.member.id]) {
      expect(theirs.filter((text) => text.includes(secret))).toEqual([])
      expect(own.filter((text) => text.includes(secret)).length).toBeGreaterThan(0)
    }
    expect(own.at(-1)).toContain(id)
    expect((await owner.call('getDelivery', { params: { ...here, id, attempt: '1' } })).status).toBe(200)
  })
})
