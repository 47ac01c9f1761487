import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Environment } from '@vidimus/contract'
import { afterAll, expect, test } from 'vitest'
import { setClockOffset } from '../../../../test/database/clock.ts'
import { reply, startReceiver } from '../../../../test/network/receiver.ts'
import { startService, type Merchant, type Service } from '../../../../test/service.ts'
import { newAccessCertificate } from '../../../../test/trust/access-certificate.ts'
import { joinPem, newAuthority } from '../../../../test/trust/authorities.ts'
import { newRegistration } from '../../../../test/trust/registrations.ts'
import { listType, newListOperator, pidIssuance, writeTrustList } from '../../../../test/trust/trust-list.ts'
import { listAlerts } from '../../../audit/alerts/list-alerts.ts'
import { sql } from '../../../engine/db/sql.ts'
import { addRegistration } from '../../../trust/registrations/add-registration.ts'
import { removeRegistration } from '../../../trust/registrations/change-registration.ts'
import { setPlan } from '../../../accounts/plans/plans.ts'
import { setQuota } from '../../../accounts/tenants/quota.ts'
import { setIdentity } from '../../../trust/identity/set-identity.ts'
import { refreshAllLists } from '../../../trust/lists/refresh.ts'
import { setTrustPolicy } from '../../../trust/tenant/change-anchors.ts'
import { watchExpiry, watchLists, watchQuota } from './watch.ts'

const folder = mkdtempSync(join(tmpdir(), 'vidimus-alerts-'))
afterAll(() => rmSync(folder, { recursive: true }))

const open = async (service: Service, { tenant_id }: Merchant, environment: Environment = 'live') =>
  (await listAlerts(service.ctx, { tenant_id, environment })).filter(
    ({ resolved_at }) => resolved_at === undefined,
  )
const countRaised = async ({ ctx }: Service, { tenant_id }: Merchant) =>
  (await ctx.db.query(sql`select id from alert_events where tenant_id = ${tenant_id} and type = 'raised'`))
    .length

test('a quota is announced once a day at 80 and once at 100 %, until the next day', async () => {
  await using service = await startService()
  const merchant = await service.tenant({ daily_quota: 5 })
  const other = await service.tenant({ daily_quota: 5 })
  const create = () => merchant.post('/v1/verifications', { template: 'age_over_18' })
  await other.post('/v1/verifications', { template: 'age_over_18' })
  for (let n = 0; n < 3; n += 1) await create()
  await watchQuota(service.ctx)
  expect(await open(service, merchant)).toEqual([])

  await create()
  await Promise.all(Array.from({ length: 4 }, () => watchQuota(service.ctx)))
  expect(await open(service, merchant)).toMatchObject([
    { kind: 'quota', details: { percent: 80, used: 4, daily_quota: 5 } },
  ])
  for (let n = 0; n < 3; n += 1) await create()
  for (let n = 0; n < 3; n += 1) await watchQuota(service.ctx)
  expect(await open(service, merchant)).toMatchObject([{ details: { percent: 100, used: 5 } }])
  expect(await countRaised(service, merchant)).toBe(2)

  // More quota ends the alert; using that up on the same day does not raise it again.
  await setQuota(service.ctx, { tenant_id: merchant.tenant_id, daily_quota: 10 })
  await watchQuota(service.ctx)
  expect(await open(service, merchant)).toEqual([])
  for (let n = 0; n < 5; n += 1) await create()
  await watchQuota(service.ctx)
  expect(await countRaised(service, merchant)).toBe(2)

  await setClockOffset(service.ctx.db, '1 day')
  await watchQuota(service.ctx)
  for (let n = 0; n < 10; n += 1) await create()
  await watchQuota(service.ctx)
  expect(await open(service, merchant)).toMatchObject([{ details: { percent: 100 } }])
  expect(await countRaised(service, merchant)).toBe(3)
  expect(await open(service, other)).toEqual([])
})

test('the quota of a plan counts, as it is now', async () => {
  await using service = await startService()
  const merchant = await service.tenant()
  for (let n = 0; n < 2; n += 1) await merchant.post('/v1/verifications', { template: 'age_over_18' })
  await setPlan(service.ctx, { name: 'starter', daily_quota: 2 })
  await watchQuota(service.ctx)
  expect(await open(service, merchant)).toMatchObject([{ details: { percent: 100, daily_quota: 2 } }])
})

test('a tenant’s certificate is announced 30, 7 and 1 days before its end and at its end, until it is replaced', async () => {
  await using service = await startService()
  const merchant = await service.tenant()
  const use = (days: number) => {
    const { chain, key } = newAccessCertificate({ days })
    return setIdentity(service.ctx, { tenant_id: merchant.tenant_id, certificate: { chain, key } })
  }
  await use(60)
  const days: unknown[] = []
  for (const offset of ['0', '31 days', '40 days', '54 days', '59 days 1 hour', '61 days']) {
    await setClockOffset(service.ctx.db, offset)
    await watchExpiry(service.ctx)
    await watchExpiry(service.ctx)
    days.push((await open(service, merchant))[0]?.details['days'])
  }
  expect(days).toEqual([undefined, 30, 30, 7, 1, 0])
  expect(await countRaised(service, merchant)).toBe(4)

  await setClockOffset(service.ctx.db, '0')
  await use(90)
  await watchExpiry(service.ctx)
  expect(await open(service, merchant)).toEqual([])
})

test('a registration is announced 30, 7 and 1 days before its end and at its end, until it is removed', async () => {
  await using service = await startService()
  const merchant = await service.tenant()
  const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
  const { id, name } = await addRegistration(service.ctx, { by, certificate: newRegistration() })
  const days: unknown[] = []
  // The registrar's certificates are valid for 180 days.
  for (const offset of ['0', '151 days', '174 days', '179 days 1 hour', '181 days']) {
    await setClockOffset(service.ctx.db, offset)
    await watchExpiry(service.ctx)
    await watchExpiry(service.ctx)
    days.push((await open(service, merchant))[0]?.details['days'])
  }
  expect(days).toEqual([undefined, 30, 7, 1, 0])
  expect(await open(service, merchant)).toMatchObject([
    { kind: 'registration_expires', subject: id, details: { registration: name } },
  ])
  await removeRegistration(service.ctx, { by, id })
  await watchExpiry(service.ctx)
  expect(await open(service, merchant)).toEqual([])
})

test('a trust list that ends because it cannot be refreshed is announced to tenants that trust it', async () => {
  const operator = newListOperator('List Operator')
  const root = newAuthority('Issuers').certificate
  let sequence_number = 1
  await using server = await startReceiver((socket, request) => {
    const issued_at = Date.now() / 1000
    const next_update = issued_at + sequence_number * 30 * 3600
    const services = { [pidIssuance]: [root] }
    const text = writeTrustList(operator, { sequence_number, issued_at, next_update, services })
    reply(200, { 'content-type': 'application/jose' }, text)(socket, request)
  })
  const file = join(folder, 'lists.json')
  const services = [{ service_type: pidIssuance, document_types: ['urn:eudi:pid:1'] }]
  const signers = joinPem(operator.authority.certificate)
  writeFileSync(
    file,
    JSON.stringify([
      { url: server.url, environment: 'test', type: listType, services, signers, grace_hours: 0 },
    ]),
  )
  await using service = await startService({
    environment: { TRUST_LISTS_FILE: file, WEBHOOK_EGRESS_ALLOW: '127.0.0.0/8' },
  })
  const [merchant, independent] = [await service.tenant(), await service.tenant()]
  const { tenant_id } = independent
  await setTrustPolicy(service.ctx, {
    by: { kind: 'member', member_id: tenant_id, name: 'x', role: 'owner', tenant_id },
    policy: 'own',
  })
  await refreshAllLists(service.ctx)
  await watchLists(service.ctx)
  expect(await open(service, merchant, 'test')).toEqual([])

  await setClockOffset(service.ctx.db, '4 hours')
  await watchLists(service.ctx)
  await watchLists(service.ctx)
  expect(await open(service, merchant, 'test')).toMatchObject([
    { kind: 'trust_list_stale', subject: server.url },
  ])
  expect(await open(service, independent, 'test')).toEqual([])
  expect(await countRaised(service, merchant)).toBe(1)

  sequence_number = 2
  await refreshAllLists(service.ctx)
  await watchLists(service.ctx)
  expect(await open(service, merchant, 'test')).toEqual([])
})

test('a device that is revoked because a token was reused is announced with the revocation, for a week', async () => {
  await using service = await startService()
  const merchant = await service.tenant({ environment: 'live' })
  const till = { name: 'Bar', allowed_templates: ['age_over_18'] }
  const { body } = await merchant.post('/v1/devices', till)
  const { body: tokens } = await service.anonymous.post('/v1/devices/enroll', {
    pairing_code: body.pairing_code,
  })
  const refresh = () => service.anonymous.post('/v1/devices/token', { refresh_token: tokens.refresh_token })
  await refresh()
  expect(await open(service, merchant)).toEqual([])
  await refresh()
  await refresh()
  expect(await open(service, merchant)).toMatchObject([
    { kind: 'device_revoked_by_reuse', subject: body.device.id, details: { device_name: 'Bar' } },
  ])
  expect(JSON.stringify(await open(service, merchant))).not.toContain('vd_')
  await setClockOffset(service.ctx.db, '7 days 1 minute')
  await watchExpiry(service.ctx)
  expect(await open(service, merchant)).toEqual([])
})
