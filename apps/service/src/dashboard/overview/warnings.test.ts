import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OverviewWarning } from '@vidimus/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newAccessCertificate } from '../../../test/trust/access-certificate.ts'
import { newAuthority, joinPem } from '../../../test/trust/authorities.ts'
import { signIn } from '../../../test/sign-in/browser.ts'
import { setClockOffset } from '../../../test/database/clock.ts'
import { startDeliveryService } from '../../../test/deliveries.ts'
import { reply, startReceiver } from '../../../test/network/receiver.ts'
import { startService, type Merchant, type Service } from '../../../test/service.ts'
import { listType, newListOperator, pidIssuance, writeTrustList } from '../../../test/trust/trust-list.ts'
import { setQuota } from '../../accounts/tenants/quota.ts'
import { refreshAllLists } from '../../trust/lists/refresh.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const folder = mkdtempSync(join(tmpdir(), 'vidimus-warnings-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** An owner, and the warnings of their overview. */
async function openOverview(running: Service, merchant: Merchant) {
  const owner = await signIn(running, merchant)
  const warnings = async (): Promise<OverviewWarning[]> =>
    (await owner.call('getOverview', { params: { environment: 'test' } })).body.warnings
  return { owner, warnings }
}

test('warns of a nearly used up quota until it is raised', async () => {
  const merchant = await service.tenant({ daily_quota: 5 })
  const { warnings } = await openOverview(service, merchant)
  const create = () => merchant.post('/v1/verifications', { template: 'age_over_18' })
  for (let n = 0; n < 3; n += 1) await create()
  expect(await warnings()).toEqual([])
  await create()
  expect(await warnings()).toEqual([{ kind: 'quota_nearly_spent', used: 4, daily_quota: 5 }])

  await setQuota(service.ctx, { tenant_id: merchant.tenant_id, daily_quota: 100 })
  expect(await warnings()).toEqual([])
})

test('warns of a webhook event that could not be delivered until it is delivered', async () => {
  await using deliveries = await startDeliveryService({ WEBHOOK_BACKOFF_SECONDS: '1' })
  let status = 500
  await using receiver = await startReceiver((socket, request) => reply(status)(socket, request))
  const merchant = await deliveries.tenant()
  const { owner, warnings } = await openOverview(deliveries, merchant)
  await using worker = deliveries.startWorker()
  const id = await deliveries.complete(merchant, receiver.url)
  await deliveries.waitForAttempts(merchant, 2)
  await expect
    .poll(warnings, { timeout: 10_000 })
    .toMatchObject([{ kind: 'webhooks_exhausted', events: 1, last_at: expect.stringMatching(/Z$/) }])

  status = 200
  await owner.call('resendWebhook', { params: { environment: 'test', id } })
  await deliveries.waitForAttempts(merchant, 3)
  await expect.poll(warnings, { timeout: 10_000 }).toEqual([])
  await worker.stop()
})

test('warns for a week of a device that was revoked because a token was reused', async () => {
  await using own = await startService()
  const merchant = await own.tenant()
  const { warnings } = await openOverview(own, merchant)
  const till = { name: 'Bar', allowed_templates: ['age_over_18'] }
  const { body } = await merchant.post('/v1/devices', till)
  const { body: tokens } = await own.anonymous.post('/v1/devices/enroll', {
    pairing_code: body.pairing_code,
  })
  const refresh = () => own.anonymous.post('/v1/devices/token', { refresh_token: tokens.refresh_token })
  await refresh()
  expect(await warnings()).toEqual([])
  await refresh()
  expect(await warnings()).toMatchObject([
    { kind: 'device_revoked_by_reuse', device_name: 'Bar', at: expect.stringMatching(/Z$/) },
  ])

  await setClockOffset(own.ctx.db, '7 days 1 minute')
  const owner = await signIn(own, { ...merchant, email: 'later@example.com' })
  const later = await owner.call('getOverview', { params: { environment: 'test' } })
  expect(later.body.warnings).toEqual([])
})

test('warns of a certificate that expires soon until it is replaced', async () => {
  const merchant = await service.tenant()
  const { owner, warnings } = await openOverview(service, merchant)
  expect(await warnings()).toEqual([])
  const use = (days: number) => {
    const { chain, key } = newAccessCertificate({ days })
    return owner.call('changeIdentity', { body: { certificate: { chain, key } } })
  }
  expect((await use(20)).status).toBe(200)
  expect(await warnings()).toMatchObject([{ kind: 'certificate_expires', expired: false }])

  expect((await use(90)).status).toBe(200)
  expect(await warnings()).toEqual([])
})

test('warns of a trust list that expires soon because it cannot be refreshed, until a newer one is loaded', async () => {
  const operator = newListOperator('List Operator')
  const root = newAuthority('Issuers').certificate
  const hour = 3600
  const list = { sequence_number: 1, lifetime_seconds: 30 * hour }
  await using server = await startReceiver((socket, request) => {
    const issued_at = Date.now() / 1000
    const text = writeTrustList(operator, {
      sequence_number: list.sequence_number,
      issued_at,
      next_update: issued_at + list.lifetime_seconds,
      services: { [pidIssuance]: [root] },
    })
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
  await using own = await startService({
    environment: { TRUST_LISTS_FILE: file, WEBHOOK_EGRESS_ALLOW: '127.0.0.0/8' },
  })
  const merchant = await own.tenant()
  const { warnings: warningsBefore } = await openOverview(own, merchant)
  await refreshAllLists(own.ctx)
  expect(await warningsBefore()).toEqual([])
  await setClockOffset(own.ctx.db, '4 hours')
  const { warnings } = await openOverview(own, merchant)
  expect(await warnings()).toMatchObject([{ kind: 'trust_list_expires', url: server.url, expired: false }])

  Object.assign(list, { sequence_number: 2, lifetime_seconds: 30 * 24 * hour })
  await refreshAllLists(own.ctx)
  expect(await warnings()).toEqual([])
})

test('warns of a key that expires within a week until it is revoked', async () => {
  await using own = await startService()
  const merchant = await own.tenant()
  const made = await merchant.as({ lifetime_days: 30 })
  await setClockOffset(own.ctx.db, '22 days 23 hours 30 minutes')
  const { owner, warnings } = await openOverview(own, merchant)
  expect(await warnings()).toEqual([])
  await setClockOffset(own.ctx.db, '23 days 1 minute')
  expect(await warnings()).toMatchObject([{ kind: 'key_expires', key_id: made.key_id }])

  await owner.call('revokeKey', { params: { environment: 'test', id: made.key_id } })
  expect(await warnings()).toEqual([])
})
