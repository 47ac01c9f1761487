import { dcProtocols } from '@vidimus/protocol'
import type { AnnexCReading } from '@vidimus/sandbox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readAuditLog } from '../../../test/audit/audit.ts'
import { appOrigin, captureLinkForm, createForPages, postForm } from '../../../test/dc-page.ts'
import { decodeJwt } from '../../../test/decode-jwt.ts'
import { startService, type Merchant, type Service } from '../../../test/service.ts'
import { signIn } from '../../../test/sign-in/browser.ts'
import { openWallet, type WalletOptions } from '../../../test/wallet.ts'
import { sql } from '../../engine/db/sql.ts'
import { setHolderPage } from '../../accounts/tenants/holder-page.ts'
import { setPolicies } from '../../accounts/tenants/tenant-settings.ts'
import { ageAppUri } from './age-app.ts'
import { findOpenVerification } from './find-open-verification.ts'
import { screenUri, type AgeAppVia } from './uris.ts'

const shop = 'https://shop.example'
const other = 'https://other.example'
const redirect_url = 'https://shop.example/back'

let service: Service
let merchant: Merchant
beforeAll(async () => {
  service = await startService()
  merchant = await service.tenant()
})
afterAll(() => service[Symbol.asyncDispose]())

const create = (body: object = {}, as: Merchant = merchant) =>
  createForPages({ service, merchant: as, page_origins: [shop, other], body })

test.each([
  ['dc_api', 'dc+sd-jwt'],
  ['dc_api', 'mso_mdoc'],
  ['annex_c', 'mso_mdoc'],
] as const)('[DC-3] a response over %s completes the verification, in %s', async (channel, format) => {
  const { respond, read } = await create()
  expect(await respond({ origin: shop, channel }, { format })).toEqual({ status: 200, body: {} })
  expect(await read()).toMatchObject({
    status: 'completed',
    claims: { age_over_18: true },
    credentials: expect.arrayContaining([
      expect.objectContaining({ format, trusted: true, signature_valid: true, holder_binding_valid: true }),
    ]),
  })
})

test.each([
  ['dc_api', 'dc+sd-jwt'],
  ['dc_api', 'mso_mdoc'],
  ['annex_c', 'mso_mdoc'],
] as const)(
  '[DC-3] an Android app gets a response over %s in %s, and one that was made for another app is refused',
  async (channel, format) => {
    const [app, otherApp] = [appOrigin(Buffer.from('its certificate')), appOrigin(Buffer.from('another'))]
    const createForApps = () =>
      createForPages({ service, merchant, page_origins: [shop, app, otherApp], body: {} })
    const asked = await createForApps()
    const { requests } = (await asked.getRequests(app)).body
    expect(decodeJwt(requests[0].data.request).claims['expected_origins']).toEqual([app])
    for (const origin of [otherApp, shop]) {
      const { status, body } = await asked.post(await asked.captureForm({ origin, channel }, { format }), app)
      expect([status, body.error.code]).toEqual([400, 'invalid_wallet_response'])
    }
    expect(await asked.respond({ origin: app, channel }, { format })).toEqual({ status: 200, body: {} })
    expect(await asked.read()).toMatchObject({ status: 'completed', claims: { age_over_18: true } })

    // The right request, but the proof of possession is for the other app.
    const forged = await createForApps()
    const verification: NonNullable<WalletOptions['alterations']>['verification'] = (binding) =>
      binding.kind === 'client' ? binding : { ...binding, origin: otherApp }
    await forged.respond({ origin: app, channel }, { format, alterations: { verification } })
    const { status, error, claims } = await forged.read()
    expect([status, error.code, claims]).toEqual(['failed', 'holder_binding_invalid', undefined])
  },
)

test('wallets that read a request over annex C in different ways complete it, also if a document that is not needed fails', async () => {
  const respondAs = async (
    annex_c_reading: AnnexCReading,
    alterations: WalletOptions['alterations'] = {},
  ) => {
    const { respond, read } = await create()
    await respond({ origin: shop, channel: 'annex_c' }, { annex_c_reading, alterations })
    const { status, claims, credentials } = await read()
    return {
      status,
      claims,
      types: credentials.map(({ doctype_or_vct }: { doctype_or_vct: string }) => doctype_or_vct),
      checks: credentials.flatMap(({ findings }: { findings: { check: string }[] }) =>
        findings.map(({ check }) => check),
      ),
    }
  }
  const ofAge = { status: 'completed', claims: { age_over_18: true } }
  const [av, licence] = ['eu.europa.ec.av.1', 'org.iso.18013.5.1.mDL']
  for (const reading of ['use_cases', 'first'] as const)
    expect(await respondAs(reading)).toMatchObject({ ...ofAge, types: [av], checks: [] })
  const every = await respondAs('every')
  expect(every).toMatchObject({ ...ofAge, checks: [] })
  expect(every.types).toEqual(expect.arrayContaining([av, licence]))

  const failing = (document: string): WalletOptions['alterations'] => ({
    verification: (binding, { credential }) =>
      credential.document === document && binding.kind === 'annex_c'
        ? { ...binding, origin: 'https://elsewhere.example' }
        : binding,
  })
  const discarded = await respondAs('every', failing('mdl'))
  expect(discarded).toMatchObject({ ...ofAge, checks: ['discarded_presentations'] })
  expect(discarded.types).not.toContain(licence)
  expect(await respondAs('use_cases', failing('av'))).toMatchObject({ status: 'failed', claims: {} })
})

test.each(['link', 'dc_api'] as const)(
  '[WRES-6] a response without any presentation fails over %s, although every credential set is optional',
  async (channel) => {
    const credentials = [{ id: 'pid', format: 'dc+sd-jwt', meta: { vct_values: ['urn:eudi:pid:1'] } }]
    const query = { credentials, credential_sets: [{ options: [['pid']], required: false }] }
    const { wallet_uri, respond, read } = await create({ template: undefined, query })
    const alterations = { vp_token: () => ({}) }
    if (channel === 'dc_api') await respond({ origin: shop, channel }, { alterations })
    else await (await openWallet(service.ctx, service.address, { alterations })).respond(wallet_uri)
    expect(await read()).toMatchObject({ status: 'failed', error: { code: 'query_not_satisfied' } })
  },
)

function withProtocol(form: string, protocol: string): string {
  const fields = new URLSearchParams(form)
  fields.set('protocol', protocol)
  return fields.toString()
}

test('[DC-3] a response made for one channel or origin is refused on every other and leaves the verification open', async () => {
  const { ctx } = service
  const { id, wallet_uri, captureForm, post, read } = await create()
  const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
  const { age_app } = await setHolderPage(ctx, { by, age_app: true })
  const verification = await findOpenVerification(ctx, id)
  const captureAgeApp = (via: AgeAppVia) =>
    captureLinkForm(
      service,
      ageAppUri(ctx, verification, { age_app, forget_on_delivery: false }, via) ??
        'the age app was not offered',
    )
  const respondAt = (via: string) => (form: string) => postForm(service, `/wallet/response/${id}${via}`, form)
  const channels = [
    { name: 'link', form: await captureLinkForm(service, wallet_uri), post: respondAt('') },
    {
      name: 'screen',
      form: await captureLinkForm(service, screenUri(ctx.config.BASE_URL, verification)),
      post: respondAt('?via=screen'),
    },
    { name: 'age app', form: await captureAgeApp('age_app'), post: respondAt('?via=age_app') },
    {
      name: 'age app, screen',
      form: await captureAgeApp('age_app_screen'),
      post: respondAt('?via=age_app_screen'),
    },
    ...(['dc_api', 'annex_c'] as const).flatMap((channel) =>
      [shop, other].map((origin) => ({ name: `${channel} ${origin}`, channel, origin })),
    ),
  ]
  const all = await Promise.all(
    channels.map(async (each) =>
      'form' in each
        ? each
        : {
            ...each,
            form: await captureForm(each),
            // Both protocols share an address, so the form has to claim the right one.
            post: (form: string) => post(withProtocol(form, dcProtocols[each.channel]), each.origin),
          },
    ),
  )
  expect(all).toHaveLength(8)

  for (const sent of all) {
    for (const at of all.filter((each) => each !== sent)) {
      const { status, body } = await at.post(sent.form)
      expect([sent.name, at.name, status, body.error?.code]).toEqual([
        sent.name,
        at.name,
        400,
        'invalid_wallet_response',
      ])
    }
  }
  expect((await read()).status).toBe('pending')

  const results: number[] = []
  for (const { form, post: send } of all.toReversed()) results.push((await send(form)).status)
  expect(results).toEqual([200, 409, 409, 409, 409, 409, 409, 409])
  expect((await read()).status).toBe('completed')
})

test.each(['dc_api', 'annex_c'] as const)(
  'over %s, the page gets the redirect with a code that works once',
  async (channel) => {
    const { id, respond } = await create({ redirect_url })
    const { body } = await respond({ origin: shop, channel })
    const response_code = body.redirect_uri.split('response_code=')[1]
    const redeem = () => merchant.post(`/v1/verifications/${id}/redeem`, { response_code })
    expect(await redeem()).toMatchObject({ status: 200, body: { status: 'completed' } })
    expect((await redeem()).status).toBe(404)
  },
)

test('[RET-2] a result that is held back waits for the code that the page got', async () => {
  const tenant = await service.tenant()
  await setPolicies(service.ctx, { tenant_id: tenant.tenant_id, hold_back: true })
  const { id, respond, read } = await create({ redirect_url }, tenant)
  const { body } = await respond({ origin: shop, channel: 'dc_api' })
  expect((await read()).status).toBe('pending')
  const response_code = body.redirect_uri.split('response_code=')[1]
  await tenant.post(`/v1/verifications/${id}/redeem`, { response_code })
  expect(await read()).toMatchObject({ status: 'completed', claims: { age_over_18: true } })
})

const clearTextErrors = [
  'protocol=openid4vp-v1-signed&error=access_denied',
  'protocol=openid4vp-v1-signed&error=access_denied&error_description=The+holder+declined.',
  'protocol=org-iso-mdoc&error=invalid_request',
  `protocol=openid4vp-v1-signed&error=${'x'.repeat(5000)}`,
]

test('an unencrypted error changes nothing except the timeline, however often it comes', async () => {
  const tenant = await service.tenant()
  const { id, post, respond, read } = await create({ webhook_url: 'https://8.8.8.8/hook' }, tenant)
  const owner = await signIn(service, tenant)
  const readTimeline = async () =>
    (await owner.call('getVerification', { params: { environment: 'test', id } })).body.timeline
  const dcErrors = async () =>
    (await readTimeline()).filter(({ kind }: { kind: string }) => kind === 'dc_error')
  expect(await dcErrors()).toEqual([])

  for (const form of clearTextErrors) {
    const { status, body } = await post(form, shop)
    expect([status, body]).toEqual([200, {}])
  }
  expect((await read()).status).toBe('pending')
  const [first, ...more] = await dcErrors()
  expect([first, more]).toEqual([{ at: expect.stringMatching(/Z$/), kind: 'dc_error' }, []])
  await post(clearTextErrors[0] ?? '', shop)
  expect(await dcErrors()).toEqual([first])
  const queued = await service.ctx.db.query(sql`select from webhook_events where verification_id = ${id}`)
  const audit = (await readAuditLog(service.ctx, tenant.tenant_id)).filter(({ subject }) => subject === id)
  expect([queued.length, audit.map(({ action }) => action)]).toEqual([0, ['verification.created']])

  expect((await respond({ origin: shop, channel: 'annex_c' })).status).toBe(200)
  expect((await read()).status).toBe('completed')
  const late = await post(clearTextErrors[0] ?? '', shop)
  expect([late.status, late.body.error.code]).toEqual([409, 'session_already_responded'])
  expect((await readTimeline()).map(({ kind }: { kind: string }) => kind)).toEqual([
    'created',
    'dc_error',
    'responded',
  ])
})

test('an error inside an encrypted response is final, as on any other channel', async () => {
  const declining: WalletOptions = {
    alterations: {
      parameters: () => ({ error: 'access_denied', error_description: 'The holder declined.' }),
    },
  }
  const { respond, read } = await create()
  expect((await respond({ origin: shop, channel: 'dc_api' }, declining)).status).toBe(200)
  expect(await read()).toMatchObject({ status: 'failed', error: { code: 'holder_declined' } })
})

test('an encrypted refusal without a reason leaves the verification open for another wallet, once', async () => {
  const refusing: WalletOptions = { alterations: { parameters: () => ({ error: 'access_denied' }) } }
  const { respond, read } = await create()
  expect(await respond({ origin: shop, channel: 'dc_api' }, refusing)).toEqual({ status: 200, body: {} })
  expect((await read()).status).toBe('pending')
  expect((await respond({ origin: other, channel: 'dc_api' }, refusing)).status).toBe(200)
  expect((await read()).status).toBe('failed')
})
