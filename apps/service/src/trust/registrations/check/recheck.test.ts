import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { setClockOffset } from '../../../../test/database/clock.ts'
import { startNameServer } from '../../../../test/network/name-server.ts'
import { signIn } from '../../../../test/sign-in/browser.ts'
import { startService } from '../../../../test/service.ts'
import { newAccessCertificate } from '../../../../test/trust/access-certificate.ts'
import { joinPem } from '../../../../test/trust/authorities.ts'
import { startRegistrarServer } from '../../../../test/trust/registrar-server.ts'
import { newRegistration, newValidRegistration } from '../../../../test/trust/registrations.ts'
import { listAlerts } from '../../../audit/alerts/list-alerts.ts'
import { sql } from '../../../engine/db/sql.ts'
import { addAnchors } from '../../anchors/add-anchor.ts'
import { setIdentity } from '../../identity/set-identity.ts'
import {
  countRegistrationStates,
  getRegistration,
  listRegistrationWarnings,
  reportRegistrationStates,
} from '../list-registrations.ts'
import { recheckDueRegistrations } from './recheck.ts'

const names = await startNameServer({ 'registrar.test': ['127.0.0.1'] })
const server = await startRegistrarServer()
const { registrar } = server
const service = await startService({
  environment: { DNS_SERVERS: names.address, WEBHOOK_EGRESS_ALLOW: '127.0.0.0/8' },
})
const { ctx } = service
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
  await names[Symbol.asyncDispose]()
})

/** Every process uses the anchors of a second ago. */
async function trust({ root }: typeof registrar): Promise<void> {
  const pem = joinPem(root.certificate)
  await addAnchors(ctx, { environment: 'test', pem, role: 'registration' })
  await sleep(1100)
}
await trust(registrar)

async function newOwner() {
  const { tenant_id } = await service.tenant()
  const certificate = newAccessCertificate({ identifier: 'NTRUT-1234', days: 400 })
  await setIdentity(ctx, { tenant_id, certificate })
  const owner = await signIn(service, { tenant_id, role: 'owner' })
  const add = (token: string) => owner.call('addRegistration', { body: { certificate: token } })
  return { owner, add, tenant_id }
}

const codesOf = (body: { findings: { code: string }[] }) => body.findings.map(({ code }) => code)
/** Without those about changes of the access certificate. */
const openAlerts = async (tenant_id: string) =>
  (await listAlerts(ctx, { tenant_id, environment: 'live' })).filter(
    ({ kind, resolved_at }) => resolved_at === undefined && kind !== 'access_changed',
  )

test('the issuer and the status list of a certificate are checked over HTTP', async () => {
  const { add } = await newOwner()
  const { status, body } = await add(newValidRegistration({}, { by: registrar }))
  expect(status).toBe(201)
  expect(body.state).toBe('ok')
  expect(codesOf(body)).toEqual([
    'signature_valid',
    'issuer_trusted',
    'lifetime_valid',
    'binding_matches',
    'status_valid',
  ])
})

test.each(['revoked', 'suspended'] as const)(
  'a certificate that its status list says is %s is refused',
  async (fault) => {
    const { add } = await newOwner()
    const { status, body } = await add(newRegistration({}, { by: registrar, fault }))
    expect(status).toBe(422)
    expect(body.error.message).toContain('It was revoked')
  },
)

test('an issuer that is not among the trusted ones is a warning', async () => {
  const { add } = await newOwner()
  const { status, body } = await add(newRegistration())
  expect(status).toBe(201)
  expect(codesOf(body)).toContain('issuer_untrusted')
})

test('a status list that cannot be fetched is a warning, and is fetched again at the next check', async () => {
  await using other = await startRegistrarServer()
  other.setAvailable(false)
  const { add, owner } = await newOwner()
  const { status, body } = await add(newValidRegistration({}, { by: other.registrar }))
  expect(status).toBe(201)
  expect(codesOf(body)).toContain('status_unavailable')
  other.setAvailable(true)
  await setClockOffset(ctx.db, '1 minute')
  // The issuer is unknown here, so that only public addresses may be asked for its list.
  const { body: checked } = await owner.call('checkRegistration', { params: { id: body.id } })
  expect(codesOf(checked)).toContain('status_unavailable')
  await trust(other.registrar)
  await setClockOffset(ctx.db, '2 minutes')
  const { body: again } = await owner.call('checkRegistration', { params: { id: body.id } })
  expect(codesOf(again)).toContain('status_valid')
  await setClockOffset(ctx.db, '0')
})

test('a registration that no longer belongs to the access certificate raises an alert until it does', async () => {
  const { add, owner, tenant_id } = await newOwner()
  const { body } = await add(newRegistration({}, { by: registrar }))
  const sign = (identifier: string) => {
    const { chain, key } = newAccessCertificate({ identifier, days: 400 })
    return owner.call('changeIdentity', { body: { certificate: { chain, key } } })
  }
  await sign('NTRUT-OTHER')
  await recheckDueRegistrations(ctx)
  const read = async () => (await owner.call('getRegistration', { params: { id: body.id } })).body
  expect(await read()).toMatchObject({ state: 'fail' })
  expect(await openAlerts(tenant_id)).toMatchObject([
    { kind: 'registration_refused', subject: body.id, details: { registration: body.name } },
  ])
  const { body: overview } = await owner.call('getOverview', { params: { environment: 'live' } })
  expect(overview.warnings).toContainEqual(
    expect.objectContaining({
      kind: 'registration_refused',
      registration_id: body.id,
      finding: expect.objectContaining({ code: 'binding_differs' }),
    }),
  )
  expect((await countRegistrationStates(ctx)).refused).toBe(1)
  await reportRegistrationStates(ctx)
  expect(await ctx.metrics.registry.metrics()).toContain('vidimus_registrations{state="refused"} 1')

  await sign('NTRUT-1234')
  await recheckDueRegistrations(ctx)
  expect(await read()).toMatchObject({ state: 'warning' })
  expect(await openAlerts(tenant_id)).toEqual([])
})

test('the worker checks once a day, several workers share the work, and the overview warns 30 days ahead', async () => {
  const { add, tenant_id } = await newOwner()
  const { body } = await add(newRegistration({}, { by: registrar }))
  const read = () => getRegistration(ctx, { tenant_id, id: body.id })
  const countChecks = async () =>
    (
      await ctx.db.query(sql`
        select 1 as one from audit_inbox where tenant_id = ${tenant_id} and action = 'registration.checked'`)
    ).length
  await recheckDueRegistrations(ctx)
  expect((await read()).checked_at).toBe(body.checked_at)
  expect(await listRegistrationWarnings(ctx, tenant_id)).toEqual([])

  await setClockOffset(ctx.db, '155 days')
  await Promise.all(Array.from({ length: 3 }, () => recheckDueRegistrations(ctx)))
  expect(codesOf(await read())).toContain('lifetime_ends_soon')
  expect((await read()).checked_at).not.toBe(body.checked_at)
  expect(await listRegistrationWarnings(ctx, tenant_id)).toMatchObject([
    { kind: 'registration_expires', registration_id: body.id, name: body.name, expired: false },
  ])
  expect(await countChecks()).toBe(1)
  await setClockOffset(ctx.db, '181 days')
  expect(await listRegistrationWarnings(ctx, tenant_id)).toMatchObject([{ expired: true }])
  await setClockOffset(ctx.db, '0')
})
