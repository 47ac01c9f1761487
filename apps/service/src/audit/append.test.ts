import { afterAll, beforeAll, expect, test } from 'vitest'
import { AccessDecisions, type AuditAction } from '@vidimus/contract'
import { readAuditLog } from '../../test/audit/audit.ts'
import { caller } from '../../test/caller.ts'
import { runSqlText } from '../../test/database/clock.ts'
import { failAuditCommit, failAuditInsert, isRefused } from '../../test/audit/failing-audit.ts'
import { signIn } from '../../test/sign-in/browser.ts'
import { startService, type Merchant, type Service } from '../../test/service.ts'
import { openWallet } from '../../test/wallet.ts'
import { newAccessCertificate } from '../../test/trust/access-certificate.ts'
import { newRegistration } from '../../test/trust/registrations.ts'
import { createKey } from '../accounts/api-keys/create-key.ts'
import { removeMemberAndAccess } from '../dashboard/team/change-team.ts'
import { revokeKey, rollKey } from '../accounts/api-keys/roll-key.ts'
import { registerSealingKey } from '../accounts/sealing-keys/register-key.ts'
import { retireSealingKey } from '../accounts/sealing-keys/retire-key.ts'
import { newSealingKey, prepareActivation } from '../../test/sealing.ts'
import { changeLink, deleteLink } from '../holder/links/change-link.ts'
import { createLink } from '../holder/links/create-link.ts'
import { changeClient, deleteClient } from '../holder/openid-provider/clients/change-client.ts'
import { createClient } from '../holder/openid-provider/clients/create-client.ts'
import { rollClientSecret } from '../holder/openid-provider/clients/roll-secret.ts'
import { rotateSigningKeys } from '../holder/openid-provider/issuer/rotate-keys.ts'
import { clientInput } from '../../test/openid-clients.ts'
import { linkInput } from '../../test/links.ts'
import { sql } from '../engine/db/sql.ts'
import { addRegistration } from '../trust/registrations/add-registration.ts'
import { changeRegistration, removeRegistration } from '../trust/registrations/change-registration.ts'
import { recheckRegistration } from '../trust/registrations/check/recheck.ts'
import { setRegistrationSettings } from '../trust/registrations/settings.ts'
import { assignRegistration } from '../templates/lint.ts'
import { deleteTemplate, putTemplate } from '../templates/put-template.ts'
import { setRequestLog } from '../dashboard/request-log/record.ts'
import { createTenant } from '../accounts/tenants/create.ts'
import { setAlertWebhook } from '../deliveries/notifications/webhook/alert-webhook.ts'
import { setBrand, setHolderPage } from '../accounts/tenants/holder-page.ts'
import { setPolicies } from '../accounts/tenants/tenant-settings.ts'
import { installationChain } from './append.ts'
import { insertRestoredEntries } from './log/log-store.ts'
import { setQuota, setTenantPlan } from '../accounts/tenants/quota.ts'
import { takeSupport, viewAsSupport } from '../accounts/support/support-access.ts'
import { decideApproval } from '../accounts/tenants/approval.ts'
import { setTenantState } from '../accounts/tenants/state.ts'
import { setTrustPolicy } from '../trust/tenant/change-anchors.ts'
import { setIdentity } from '../trust/identity/set-identity.ts'
import { eraseMatches } from '../verifications/erasure-requests/erase-matches.ts'
import { refuseErasureRequest, requestErasure } from '../verifications/erasure-requests/request-erasure.ts'
import { findOpenVerification } from '../verifications/wallet/find-open-verification.ts'
import { resendWebhook } from '../verifications/dashboard/show-webhook.ts'
import { watchFailingEndpoints } from '../deliveries/webhooks/endpoints/watch-failing.ts'
import { requestResend } from '../deliveries/webhooks/resend/resend.ts'
import { revealSecret, rotateWebhookSecret } from '../deliveries/webhooks/secrets/secrets.ts'
import { sendTestEvent } from '../deliveries/webhooks/send-test-event.ts'

type AuditFixture = { service: Service; merchant: Merchant; by: { kind: 'operator'; tenant_id: string } }
/** Prepares and returns the change. The change may throw, or return a 500, if it was not made. */
type Change = (fixture: AuditFixture) => Promise<() => Promise<unknown>>

const template = {
  name: 'Age',
  description: 'Whether someone is of age',
  query: { credentials: [{ id: 'pid', format: 'dc+sd-jwt', meta: { vct_values: ['urn:eudi:pid:1'] } }] },
}

const endpointInput = { url: 'https://8.8.8.8/hook', events: ['verification.completed'] }
const newEndpoint = async (merchant: Merchant) =>
  `/v1/webhook_endpoints/${(await merchant.post('/v1/webhook_endpoints', endpointInput)).body.endpoint.id}`

const operator = { name: 'ada', reason: 'Their webhooks fail.' }

const till = { name: 'Till 7', allowed_templates: ['age_over_18'] }

const create = async ({ merchant }: AuditFixture, more: object = {}) =>
  (await merchant.post('/v1/verifications', { template: 'age_over_18', purpose: 'Sale of wine', ...more }))
    .body

const prepareResponse = async (
  fixture: AuditFixture,
  more: object,
  behaviour: 'responds' | 'declines' = 'responds',
) => {
  const created = await create(fixture, more)
  const wallet = await openWallet(fixture.service.ctx, fixture.service.address, { behaviour })
  return { ...created, respond: () => wallet.respond(created.wallet_uri) }
}

/**
 * Every change of AUD-1 by its action. The creation and deletion of a tenant and its members are tested separately, and so is the entry
 * before the changes of a configuration.
 */
const changes: Record<
  Exclude<
    AuditAction,
    'config.applied' | 'tenant.created' | 'tenant.deleted' | `tenant.move${string}` | `member.${string}`
  >,
  Change
> = {
  'audit.restored': async ({ service }) => {
    const named = { abandoned_size: 7, abandoned_root: 'ab'.repeat(32), continued_size: 3 }
    return () => service.ctx.db.transaction((tx) => insertRestoredEntries(tx, named, installationChain))
  },
  'access.taken_over': async ({ service, merchant, by }) => {
    const member = await signIn(service, { ...merchant, role: 'developer', email: 'left@example.com' })
    await member.call('createOpenIdClient', {
      params: { environment: 'test' },
      body: { name: 'Shop', redirect_uris: ['https://shop.example/cb'], templates: ['age_over_18'] },
    })
    const { id } = (await member.call('getMe')).body.member
    const decisions = AccessDecisions.parse({ openid_client: 'keep' })
    return () => removeMemberAndAccess(service.ctx, by, { id, decisions })
  },
  'erasure.compared': async (fixture) => {
    const { service, merchant } = fixture
    const { id } = await create(fixture)
    await setHolderPage(service.ctx, {
      by: { kind: 'operator', tenant_id: merchant.tenant_id },
      holder_erasure: 'automatic',
    })
    return async () => {
      const verification = { ...(await findOpenVerification(service.ctx, id)), erasing_day: '2026-11-19' }
      await eraseMatches(service.ctx, verification, [])
    }
  },
  'erasure.requested': async (fixture) => {
    const { service, merchant } = fixture
    const { id } = await create(fixture)
    return () =>
      requestErasure(service.ctx, {
        tenant_id: merchant.tenant_id,
        id,
        reference_hash: Buffer.alloc(32),
        mode: 'ask_merchant',
      })
  },
  'erasure.refused': async (fixture) => {
    const { service, merchant, by } = fixture
    const { id } = await create(fixture)
    const asked = { tenant_id: merchant.tenant_id, id, reference_hash: Buffer.alloc(32) }
    await requestErasure(service.ctx, { ...asked, mode: 'ask_merchant' })
    return () => refuseErasureRequest(service.ctx, { by, environment: 'test', id })
  },
  'tenant.quota_changed': async ({ service, merchant }) => {
    return () => setQuota(service.ctx, { tenant_id: merchant.tenant_id, daily_quota: 7 })
  },
  'tenant.state_changed': async ({ service, merchant: { tenant_id } }) => {
    return () => setTenantState(service.ctx, { tenant_id, state: 'suspended', operator })
  },
  'tenant.approval_changed': async ({ service, merchant: { tenant_id } }) => {
    await service.ctx.db.execute(sql`update tenants set approval = 'pending' where id = ${tenant_id}`)
    return () => decideApproval(service.ctx, { tenant_id, approval: 'approved', operator: { name: 'ada' } })
  },
  'support.granted': async ({ service, merchant }) => {
    const owner = await signIn(service, merchant)
    return () => owner.call('grantSupport')
  },
  'support.taken': async ({ service, merchant: { tenant_id } }) => {
    service.ctx.config.SUPPORT_ACCESS = 'reason'
    return () => takeSupport(service.ctx, { tenant_id, operator })
  },
  'support.viewed': async ({ service, merchant }) => {
    await (await signIn(service, merchant)).call('grantSupport')
    const { tenant_id } = merchant
    return () => viewAsSupport(service.ctx, { tenant_id, operator, what: 'test requests' })
  },
  'support.ended': async ({ service, merchant }) => {
    const owner = await signIn(service, merchant)
    await owner.call('grantSupport')
    return () => owner.call('endSupport')
  },
  'tenant.plan_changed': async ({ service, merchant }) => {
    return () => setTenantPlan(service.ctx, { tenant_id: merchant.tenant_id, plan: 'growth' })
  },
  'key.created': async ({ service, by }) => {
    return () => createKey(service.ctx, { by, environment: 'live', scopes: ['verifications:read'] })
  },
  'key.revoked': async ({ service, by, merchant }) => {
    const { key_id } = await merchant.as({})
    return () => revokeKey(service.ctx, { by, key_id })
  },
  'webhook_endpoint.created': async ({ merchant }) => {
    return () => merchant.post('/v1/webhook_endpoints', endpointInput)
  },
  'webhook_endpoint.changed': async ({ merchant }) => {
    const path = await newEndpoint(merchant)
    return () => merchant.patch(path, { enabled: false })
  },
  'webhook_endpoint.deleted': async ({ merchant }) => {
    const path = await newEndpoint(merchant)
    return () => merchant.delete(path)
  },
  'webhook_endpoint.secret_rotated': async ({ merchant }) => {
    const path = await newEndpoint(merchant)
    return () => merchant.post(`${path}/rotate_secret`)
  },
  'webhook_endpoint.disabled': async ({ service, merchant }) => {
    await newEndpoint(merchant)
    await service.ctx.db.execute(sql`
      update webhook_endpoints
      set failing_since = service_now() - interval '6 days', last_failed_at = service_now(), alerted_at = service_now()`)
    return () => watchFailingEndpoints(service.ctx)
  },
  'webhook.failed_resent': async ({ service, by }) => {
    return () => requestResend(service.ctx, { by, environment: 'test', since: '2026-01-01T00:00:00Z' })
  },
  'key.rolled': async ({ service, by, merchant }) => {
    const { key_id } = await merchant.as({})
    return () => rollKey(service.ctx, { by, environment: 'test', key_id, overlap_seconds: 3600 })
  },
  'link.created': async ({ service, by }) => {
    return () => createLink(service.ctx, linkInput({ by }))
  },
  'link.changed': async ({ service, by }) => {
    const { id, environment } = await createLink(service.ctx, linkInput({ by }))
    return () => changeLink(service.ctx, { by, id, environment, change: { active: false } })
  },
  'link.deleted': async ({ service, by }) => {
    const { id, environment } = await createLink(service.ctx, linkInput({ by }))
    return () => deleteLink(service.ctx, { by, id, environment })
  },
  'sealing_key.registered': async ({ service, by }) => {
    const { publicJwk: jwk } = await newSealingKey()
    return () => registerSealingKey(service.ctx, { by, environment: 'live', jwk })
  },
  'sealing_key.activated': async ({ service, by }) => {
    return (await prepareActivation(service, by, 'live')).activate
  },
  'sealing_key.retired': async ({ service, by }) => {
    const { kid, activate } = await prepareActivation(service, by, 'live')
    await activate()
    return () => retireSealingKey(service.ctx, { by, environment: 'live', kid, end_sealing: true })
  },
  'openid_client.created': async ({ service, by }) => {
    await createClient(service.ctx, clientInput({ by }))
    return () => createClient(service.ctx, clientInput({ by }))
  },
  'openid_client.changed': async ({ service, by }) => {
    const { client_id } = await createClient(service.ctx, clientInput({ by }))
    return () => changeClient(service.ctx, { by, client_id, change: { name: 'Another name' } })
  },
  'openid_client.secret_rolled': async ({ service, by }) => {
    const { client_id } = await createClient(service.ctx, clientInput({ by }))
    return () => rollClientSecret(service.ctx, { by, client_id, overlap_seconds: 3600 })
  },
  'openid_client.deleted': async ({ service, by }) => {
    const { client_id } = await createClient(service.ctx, clientInput({ by }))
    return () => deleteClient(service.ctx, { by, client_id })
  },
  'openid_issuer.keys_rotated': async ({ service, by }) => {
    await createClient(service.ctx, clientInput({ by }))
    return () => rotateSigningKeys(service.ctx, { by })
  },
  'webhook_secret.revealed': async ({ service, by }) => {
    return () => revealSecret(service.ctx, { by, environment: 'test' })
  },
  'webhook_secret.rotated': async ({ service, by }) => {
    return () => rotateWebhookSecret(service.ctx, { by, environment: 'test' })
  },
  'template.put': async ({ service, by }) => {
    return () => putTemplate(service.ctx, { key: 'own', template, by })
  },
  'template.deleted': async ({ service, by }) => {
    await putTemplate(service.ctx, { key: 'own', template, by })
    return () =>
      service.ctx.db.transaction((tx) =>
        deleteTemplate(tx, { by, key: 'own', requireUnused: () => Promise.resolve() }),
      )
  },
  'tenant.policies_changed': async ({ service, merchant }) => {
    return () => setPolicies(service.ctx, { tenant_id: merchant.tenant_id, hold_back: true })
  },
  'tenant.alert_webhook_changed': async ({ service, by }) => {
    return () => setAlertWebhook(service.ctx, { by, url: 'https://192.0.32.7/alerts' })
  },
  'tenant.brand_changed': async ({ service, by }) => {
    return () => setBrand(service.ctx, { by, brand: { colour: '#1a2b3c' } })
  },
  'tenant.holder_page_changed': async ({ service, by }) => {
    return () => setHolderPage(service.ctx, { by, page_origins: ['https://shop.example'], age_app: true })
  },
  'registration.added': async ({ service, by }) => {
    return () => addRegistration(service.ctx, { by, certificate: newRegistration() })
  },
  'registration.changed': async ({ service, by }) => {
    const { id } = await addRegistration(service.ctx, { by, certificate: newRegistration() })
    return () => changeRegistration(service.ctx, { by, id, name: 'Wine' })
  },
  'registration.assigned': async ({ service, by }) => {
    const { id } = await addRegistration(service.ctx, { by, certificate: newRegistration() })
    return () => assignRegistration(service.ctx, { by, key: 'age_over_18', registration_id: id })
  },
  'registration.checked': async ({ service, by }) => {
    const { id } = await addRegistration(service.ctx, { by, certificate: newRegistration() })
    const certificate = newAccessCertificate({ identifier: 'NTRUT-OTHER' })
    await setIdentity(service.ctx, { tenant_id: by.tenant_id, certificate })
    return () => recheckRegistration(service.ctx, { by, id })
  },
  'registration.removed': async ({ service, by }) => {
    const { id } = await addRegistration(service.ctx, { by, certificate: newRegistration() })
    return () => removeRegistration(service.ctx, { by, id })
  },
  'registration.settings_changed': async ({ service, by }) => {
    return () => setRegistrationSettings(service.ctx, { by, policy: 'refuse' })
  },
  'tenant.identity_changed': async ({ service, merchant }) => {
    return () => setIdentity(service.ctx, { tenant_id: merchant.tenant_id, certificate: null })
  },
  'tenant.request_log_changed': async ({ service, by }) => {
    return () => setRequestLog(service.ctx, { by, enabled: false })
  },
  'tenant.trust_changed': async ({ service, by }) => {
    return () => setTrustPolicy(service.ctx, { by, policy: 'own' })
  },
  'device.registered': async ({ merchant }) => {
    return () => merchant.post('/v1/devices', till)
  },
  'device.enrolled': async ({ service, merchant }) => {
    const { pairing_code } = (await merchant.post('/v1/devices', till)).body
    return () => service.anonymous.post('/v1/devices/enroll', { pairing_code })
  },
  'device.changed': async ({ merchant }) => {
    const { device } = (await merchant.post('/v1/devices', till)).body
    return () => merchant.request('PATCH', `/v1/devices/${device.id}`, { body: { name: 'Till 8' } })
  },
  'device.pairing_renewed': async ({ merchant }) => {
    const { device } = (await merchant.post('/v1/devices', till)).body
    return () => merchant.post(`/v1/devices/${device.id}/pairing-code`, {})
  },
  'device.revoked': async ({ merchant }) => {
    const { device } = (await merchant.post('/v1/devices', till)).body
    return () => merchant.delete(`/v1/devices/${device.id}`)
  },
  'verification.created': async (fixture) => {
    return () => create(fixture)
  },
  'verification.completed': async (fixture) => {
    return (await prepareResponse(fixture, {})).respond
  },
  'verification.failed': async (fixture) => {
    return (await prepareResponse(fixture, {}, 'declines')).respond
  },
  'verification.attempted': async (fixture) => {
    return (await prepareResponse(fixture, { max_attempts: 2 }, 'declines')).respond
  },
  'verification.cancelled': async (fixture) => {
    const { id } = await create(fixture, {})
    return () => fixture.merchant.post(`/v1/verifications/${id}/cancel`)
  },
  'verification.compared': async (fixture) => {
    const { id, respond } = await prepareResponse(fixture, {})
    await respond()
    return () => fixture.merchant.post(`/v1/verifications/${id}/comparison`, { same_person: true })
  },
  'verification.responded': async (fixture) => {
    await setPolicies(fixture.service.ctx, { tenant_id: fixture.merchant.tenant_id, hold_back: true })
    return (await prepareResponse(fixture, { redirect_url: 'https://shop.example/back' })).respond
  },
  'verification.redeemed': async (fixture) => {
    const { id, respond } = await prepareResponse(fixture, { redirect_url: 'https://shop.example/back' })
    const responded = await respond()
    const { redirect_uri } = JSON.parse(responded.sent ? responded.body : '{}')
    const response_code = new URLSearchParams(new URL(redirect_uri).hash.slice(1)).get('response_code')
    return () => fixture.merchant.post(`/v1/verifications/${id}/redeem`, { response_code })
  },
  'verification.claims_revealed': async (fixture) => {
    const { id, respond } = await prepareResponse(fixture, {})
    await respond()
    const owner = await signIn(fixture.service, fixture.merchant)
    return () => owner.call('revealClaims', { params: { environment: 'test', id } })
  },
  'verification.claims_exported': async (fixture) => {
    const owner = await signIn(fixture.service, fixture.merchant)
    return () => owner.call('exportClaims', { params: { environment: 'test' } })
  },
  'verification.erased': async (fixture) => {
    const { id } = await create(fixture)
    return () => fixture.merchant.delete(`/v1/verifications/${id}`)
  },
  'webhook.resent': async (fixture) => {
    const { id, respond } = await prepareResponse(fixture, { webhook_url: 'https://8.8.8.8/hook' })
    await respond()
    return () => resendWebhook(fixture.service.ctx, { by: fixture.by, environment: 'test', id })
  },
  'webhook.test_sent': async ({ service, by }) => {
    return () => sendTestEvent(service.ctx, { by, url: 'http://127.0.0.1:8/hook' })
  },
}

/** Everything that a change can touch. When a key, device or request was last used is recorded apart from changes. */
const everything = sql`
  select row from (
    select to_jsonb(t)::text as row from tenants t union all select (to_jsonb(k) - 'last_used_at')::text from api_keys k
    union all select to_jsonb(s)::text from webhook_secrets s union all select to_jsonb(t)::text from templates t
    union all select to_jsonb(t)::text from tenant_trust t
    union all select (to_jsonb(s) - '{fetches,first_fetched_at,fetched_at}'::text[])::text from verification_sessions s union all select to_jsonb(r)::text from verification_results r
    union all select to_jsonb(q)::text from webhook_events q union all select to_jsonb(e)::text from webhook_endpoints e
    union all select to_jsonb(r)::text from webhook_resends r union all select to_jsonb(d)::text from webhook_deliveries d
    union all select (to_jsonb(d) - 'last_seen_at')::text from devices d
    union all select to_jsonb(u)::text from tenant_usage u union all select to_jsonb(k)::text from idempotency_keys k
    union all select to_jsonb(i)::text from audit_inbox i) rows order by row limit 5000`

let shared: Service
beforeAll(async () => {
  shared = await startService({ environment: { WEBHOOK_EGRESS_ALLOW: '127.0.0.0/8' } })
})
afterAll(() => shared[Symbol.asyncDispose]())

async function newFixture(): Promise<AuditFixture> {
  const merchant = await shared.tenant()
  return { service: shared, merchant, by: { kind: 'operator', tenant_id: merchant.tenant_id } }
}

for (const [action, change] of Object.entries(changes)) {
  test(`[AUD-1] [AUD-2] ${action} is recorded with its change, and a rollback leaves neither`, async () => {
    const fixture = await newFixture()
    const { ctx } = fixture.service
    const make = await change(fixture)
    const readState = () => ctx.db.query(everything)
    const before = await readState()
    for (const failure of [failAuditInsert(action), failAuditCommit(action)]) {
      await runSqlText(ctx.db, failure)
      const outcome = await Promise.resolve(make()).catch((error: unknown) => ({ error }))
      expect([action, isRefused(outcome)]).toEqual([action, true])
      expect(await readState()).toEqual(before)
      await runSqlText(ctx.db, 'drop trigger injected on audit_inbox')
    }

    await make()
    expect(await readState()).not.toEqual(before)
    const entries = await readAuditLog(ctx, fixture.merchant.tenant_id)
    expect(
      entries.map((entry) => entry.action).filter((each) => each === action).length,
    ).toBeGreaterThanOrEqual(1)
    expect(entries.at(-1)?.action).toBe(action)
  })
}

test('[AUD-1] [AUD-2] a tenant is created together with its first entry, and not without it', async () => {
  const { ctx } = shared
  const count = async () => (await ctx.db.query(sql`select count(*) as tenants from tenants`))[0]
  const before = await count()
  await runSqlText(ctx.db, failAuditCommit('tenant.created'))
  await expect(createTenant(ctx, { name: 'Another' })).rejects.toThrow('injected')
  expect(await count()).toEqual(before)
  await runSqlText(ctx.db, 'drop trigger injected on audit_inbox')

  const { tenant_id } = await createTenant(ctx, { name: 'Another' })
  expect((await readAuditLog(ctx, tenant_id)).map(({ action }) => action)).toEqual(['tenant.created'])
})

test('entries of a device have its id in the chain and its name in the texts', async () => {
  const { service, merchant } = await newFixture()
  const { pairing_code } = (await merchant.post('/v1/devices', till)).body
  const { access_token, refresh_token, device } = (
    await service.anonymous.post('/v1/devices/enroll', { pairing_code })
  ).body
  const created = await caller(service.address, access_token).post('/v1/verifications', {
    template: 'age_over_18',
  })
  // A used token is presented again, which revokes the device.
  for (let turn = 0; turn < 2; turn += 1) await service.anonymous.post('/v1/devices/token', { refresh_token })

  const entries = await readAuditLog(service.ctx, merchant.tenant_id)
  const actor = { actor: `device:${device.id}`, actor_name: 'Till 7' }
  expect(entries.slice(-3)).toEqual([
    { action: 'device.enrolled', ...actor, subject: device.id },
    { action: 'verification.created', ...actor, subject: created.body.id },
    { action: 'device.revoked', ...actor, subject: device.id, detail: { reason: 'refresh_token_reused' } },
  ])
})
