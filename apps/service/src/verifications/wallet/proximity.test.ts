import {
  describeSession,
  exportReaderKey,
  findPersona,
  generateSigningKey,
  openProximitySession,
  respondNearby,
  type ProximitySession,
  type RespondNearbyOptions,
  type Wallet,
} from '@vidimus/sandbox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readAuditLog } from '../../../test/audit/audit.ts'
import type { Caller } from '../../../test/caller.ts'
import { newAccessCertificate } from '../../../test/trust/access-certificate.ts'
import { pairDevice } from '../../../test/pair-device.ts'
import { startService, type Merchant, type Service } from '../../../test/service.ts'
import { signIn } from '../../../test/sign-in/browser.ts'
import { sql } from '../../engine/db/sql.ts'
import { setIdentity } from '../../trust/identity/set-identity.ts'
import { openSandboxIssuer } from '../../trust/sandbox/open-sandbox.ts'
import { maxUnreadableResponses } from './accept-response.ts'

let service: Service
let merchant: Merchant
let till: Awaited<ReturnType<typeof pairDevice>>
beforeAll(async () => {
  service = await startService()
  merchant = await service.tenant({ daily_quota: 10_000 })
  till = await pairDevice(service, merchant)
})
afterAll(() => service[Symbol.asyncDispose]())

const create = async (as: Caller = till.device) =>
  (await as.post('/v1/verifications', { template: 'age_over_18' })).body.id as string
const request = (id: string, session: ProximitySession, as: Caller = till.device) =>
  as.post(`/v1/verifications/${id}/reader-requests`, describeSession(session))
const present = (id: string, session: ProximitySession, more: object, as: Caller = till.device) =>
  as.post(`/v1/verifications/${id}/presentations`, { ...describeSession(session), ...more })
const read = async (id: string) => (await merchant.get(`/v1/verifications/${id}`)).body

async function holder(persona = 'adult', alterations?: Wallet['alterations']): Promise<Wallet> {
  const credentials = findPersona(persona)?.credentials(new Date()) ?? []
  return {
    issuer: await openSandboxIssuer(service.ctx),
    credentials,
    ...(alterations !== undefined && { alterations }),
  }
}

/** The wallet's response to the request that the service made for this session. */
async function respond(
  id: string,
  session: ProximitySession,
  options: Partial<RespondNearbyOptions> & { asked?: ProximitySession } = {},
): Promise<string> {
  const { asked = session, ...more } = options
  const { status, body } = await request(id, asked)
  if (status !== 200) throw new Error(JSON.stringify(body))
  const wallet = await holder()
  const response = await respondNearby({
    wallet,
    session,
    device_request: body.device_request,
    now: new Date(),
    ...more,
  })
  if ('violations' in response) throw new Error(JSON.stringify(response.violations))
  return response.device_response
}

const refused = ({ status, body }: Awaited<ReturnType<typeof present>>) => [status, body.error?.code]

test.each([
  ['qr', 'signature'],
  ['nfc', 'signature'],
  ['nfc_negotiated', 'mac'],
  ['qr', 'mac'],
] as const)(
  "[PROX-1] a wallet nearby responds to the till's own reader: engaged by %s, with a %s",
  async (by, authentication) => {
    const id = await create()
    const session = openProximitySession({ by })
    const device_response = await respond(id, session, { authentication })
    const key = authentication === 'mac' ? { reader_private_key: exportReaderKey(session) } : {}
    const presented = await present(id, session, { device_response, ...key })
    expect([presented.status, presented.body]).toEqual([200, { id, status: 'completed' }])
    expect(await read(id)).toMatchObject({ status: 'completed', claims: { age_over_18: true } })
  },
)

test('[PROX-1] the result names channel and device, in the audit log and on the timeline', async () => {
  const own = await service.tenant()
  const paired = await pairDevice(service, own)
  const id = await create(paired.device)
  const session = openProximitySession()
  const { body } = await request(id, session, paired.device)
  const wallet = await holder()
  const response = await respondNearby({ wallet, session, now: new Date(), ...body })
  await present(id, session, response, paired.device)
  const entry = (await readAuditLog(service.ctx, own.tenant_id)).find(
    ({ action }) => action === 'verification.completed',
  )
  expect(entry?.detail).toEqual({
    channel: 'proximity',
    device_id: paired.id,
    receipt: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  const owner = await signIn(service, own)
  const detail = await owner.call('getVerification', { params: { environment: 'test', id } })
  expect(detail.body.timeline.at(-1)).toEqual({
    at: expect.any(String),
    kind: 'presented',
    actor: 'Till 7',
    detail: 'completed',
  })
})

test('[PROX-2] a response that was made for another session is refused', async () => {
  for (const authentication of ['signature', 'mac'] as const) {
    const [session, other] = [openProximitySession(), openProximitySession()]
    const [id, elsewhere] = [await create(), await create()]
    // The device signed for another reader, whose response somebody passes on.
    const device_response = await respond(elsewhere, other, { authentication })
    await request(id, session)
    const key = { reader_private_key: exportReaderKey(session) }
    expect((await present(id, session, { device_response, ...key })).status).toBe(200)
    expect(await read(id)).toMatchObject({
      status: 'failed',
      error: { code: 'holder_binding_invalid' },
    })
  }
})

test('[PROX-2] a session that was not requested, or for another verification, is refused and ends nothing', async () => {
  const [id, other] = [await create(), await create()]
  const [session, second] = [openProximitySession(), openProximitySession({ by: 'nfc' })]
  const device_response = await respond(id, session)
  // Never requested, requested for the other one, and each part on its own.
  const wrong: [string, ProximitySession][] = [
    [id, second],
    [other, session],
    [id, { ...session, device_engagement: second.device_engagement }],
    [id, { ...session, reader_key: second.reader_key }],
    [id, { ...session, handover: second.handover }],
  ]
  for (const [verification, shown] of wrong)
    expect(refused(await present(verification, shown, { device_response }))).toEqual([
      400,
      'invalid_wallet_response',
    ])
  // The session serves one verification, also if both are requested at once.
  expect(refused(await request(other, session))).toEqual([400, 'invalid_request'])
  const third = openProximitySession()
  const ids = await Promise.all(Array.from({ length: 8 }, () => create()))
  const racing = await Promise.all(ids.map((each) => request(each, third)))
  expect(racing.filter(({ status }) => status === 200)).toHaveLength(1)

  expect([(await read(id)).status, (await read(other)).status]).toEqual(['pending', 'pending'])
  expect((await present(id, session, { device_response })).status).toBe(200)
  expect((await read(id)).status).toBe('completed')
})

test('[PROX-2] a response counts once: at the same verification, at another, and for the same session again', async () => {
  const id = await create()
  const session = openProximitySession()
  const device_response = await respond(id, session)
  const racing = await Promise.all(
    Array.from({ length: 10 }, () => present(id, session, { device_response })),
  )
  expect(racing.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(refused(await present(id, session, { device_response }))).toEqual([409, 'session_already_responded'])
  expect(refused(await request(id, session))).toEqual([409, 'session_already_responded'])
  const next = await create()
  expect(refused(await request(next, session))).toEqual([400, 'invalid_request'])
  expect(refused(await present(next, session, { device_response }))).toEqual([400, 'invalid_wallet_response'])
})

test('[PROX-1] a later session replaces one that came to nothing', async () => {
  const id = await create()
  const [first, second] = [openProximitySession(), openProximitySession()]
  const lost = await respond(id, first)
  const device_response = await respond(id, second)
  expect(refused(await present(id, first, { device_response: lost }))).toEqual([
    400,
    'invalid_wallet_response',
  ])
  expect((await present(id, second, { device_response })).body.status).toBe('completed')
})

test("[PROX-3] a MAC under another key fails, also with the reader's own key, and without a key it cannot be verified", async () => {
  const session = openProximitySession()
  const id = await create()
  const wallet = await holder('adult', { proof_key: () => generateSigningKey() })
  const forged = await respond(id, session, { wallet, authentication: 'mac' })
  await present(id, session, { device_response: forged, reader_private_key: exportReaderKey(session) })
  expect(await read(id)).toMatchObject({ status: 'failed', error: { code: 'holder_binding_invalid' } })

  const without = await create()
  const other = openProximitySession()
  const device_response = await respond(without, other, { authentication: 'mac' })
  const wrongKey = await present(without, other, {
    device_response,
    reader_private_key: exportReaderKey(session),
  })
  expect(refused(wrongKey)).toEqual([400, 'invalid_request'])
  expect((await read(without)).status).toBe('pending')
  await present(without, other, { device_response })
  const { error, credentials } = await read(without)
  expect(error.code).toBe('holder_binding_invalid')
  expect(JSON.stringify(credentials)).toContain('device_mac')
})

test('[PROX-3] what a check refuses on other channels, it refuses here; what cannot be read leaves the verification open', async () => {
  for (const [persona, code] of [
    ['minor', 'requirement_not_met'],
    ['expired', 'credential_expired'],
  ] as const) {
    const id = await create()
    const session = openProximitySession()
    const wallet = await holder(persona)
    await present(id, session, { device_response: await respond(id, session, { wallet }) })
    expect([persona, (await read(id)).error?.code]).toEqual([persona, code])
  }
  const id = await create()
  const session = openProximitySession()
  const broken = await holder('adult', { mso: (right) => new Map([...right, ['version', '2.0']]) })
  const unreadable = await respond(id, session, { wallet: broken })
  for (const device_response of ['AAAA', ...Array<string>(maxUnreadableResponses).fill(unreadable)])
    expect(refused(await present(id, session, { device_response }))).toEqual([400, 'invalid_wallet_response'])
  expect((await present(id, session, { device_response: unreadable })).body.status).toBe('failed')
})

test("[PROX-4] only the device that created the verification may: no key, no other device, no other tenant's, no revoked one", async () => {
  const id = await create()
  const session = openProximitySession()
  const device_response = await respond(id, session)
  const colleague = await pairDevice(service, merchant, { name: 'Door', allowed_templates: ['age_over_18'] })
  const stranger = await pairDevice(service, await service.tenant())
  for (const as of [colleague.device, stranger.device]) {
    expect(refused(await request(id, session, as))).toEqual([404, 'session_not_found'])
    expect(refused(await present(id, session, { device_response }, as))).toEqual([404, 'session_not_found'])
  }
  expect(refused(await request(id, session, merchant))).toEqual([403, 'insufficient_scope'])
  expect(refused(await present(id, session, { device_response }, merchant))).toEqual([
    403,
    'insufficient_scope',
  ])
  expect(refused(await present(id, session, { device_response }, service.anonymous))).toEqual([
    401,
    'invalid_api_key',
  ])

  const gone = await pairDevice(service, merchant, { name: 'Gone', allowed_templates: ['age_over_18'] })
  const theirs = await create(gone.device)
  const last = openProximitySession()
  const { body } = await request(theirs, last, gone.device)
  const wallet = await holder()
  const response = await respondNearby({ wallet, session: last, now: new Date(), ...body })
  await merchant.delete(`/v1/devices/${gone.id}`)
  expect(refused(await present(theirs, last, response, gone.device))).toEqual([401, 'invalid_api_key'])
  expect([(await read(id)).status, (await read(theirs)).status]).toEqual(['pending', 'pending'])
})

test('[PROX-4] what is not a session, or a query without mdocs, is refused; an expired verification too', async () => {
  const id = await create()
  const good = describeSession(openProximitySession())
  for (const wrong of [
    {},
    { ...good, device_engagement: 'AA' },
    { ...good, device_engagement: `${good.device_engagement}=` },
    { ...good, reader_key: 'oA' },
    { ...good, handover: {} },
    { ...good, extra: 1 },
    { ...good, device_engagement: 'A'.repeat(9000) },
  ])
    expect(refused(await till.device.post(`/v1/verifications/${id}/reader-requests`, wrong))).toEqual([
      400,
      'invalid_request',
    ])
  const session = openProximitySession()
  const device_response = await respond(id, session)
  await service.ctx.db.execute(
    sql`update verification_sessions set expires_at = service_now() where id = ${id}`,
  )
  expect(refused(await request(id, session))).toEqual([410, 'session_expired'])
  expect(refused(await present(id, session, { device_response }))).toEqual([410, 'session_expired'])
})

test("[PROX-1] with a certificate of the merchant's own, the request is signed for this session and no other", async () => {
  const signing = await service.tenant()
  await setIdentity(service.ctx, { tenant_id: signing.tenant_id, certificate: newAccessCertificate() })
  const paired = await pairDevice(service, signing)
  const id = await create(paired.device)
  const [session, other] = [openProximitySession(), openProximitySession()]
  const { body } = await request(id, session, paired.device)
  const given = { wallet: await holder(), now: new Date(), ...body }
  expect(await respondNearby({ ...given, session })).toHaveProperty('device_response')
  expect(await respondNearby({ ...given, session: other })).toMatchObject({
    violations: expect.arrayContaining([expect.objectContaining({ rule: 'annex_c.reader_signature' })]),
  })
})
