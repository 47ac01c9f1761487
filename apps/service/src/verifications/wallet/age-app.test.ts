import { afterAll, beforeAll, expect, test } from 'vitest'
import { captureLinkForm, postForm } from '../../../test/dc-page.ts'
import { startService, type Merchant, type Service } from '../../../test/service.ts'
import { openWallet, type WalletOptions } from '../../../test/wallet.ts'
import { getHolderPage, setHolderPage } from '../../accounts/tenants/holder-page.ts'
import { setPolicies } from '../../accounts/tenants/tenant-settings.ts'
import { ageAppUri } from './age-app.ts'
import { findOpenVerification } from './find-open-verification.ts'
import type { AgeAppVia } from './uris.ts'

let service: Service
let merchant: Merchant
beforeAll(async () => {
  service = await startService()
  merchant = await service.tenant()
  await allow(merchant, true)
})
afterAll(() => service[Symbol.asyncDispose]())

async function allow({ tenant_id }: Merchant, age_app: boolean): Promise<void> {
  await setHolderPage(service.ctx, { by: { kind: 'operator', tenant_id }, age_app })
}

/** A verification with the link for the age app, where it is offered. */
async function create(body: object = {}, as: Merchant = merchant, via: AgeAppVia = 'age_app') {
  const { id } = (await as.post('/v1/verifications', { template: 'age_over_18', ...body })).body
  const { ctx } = service
  const link = ageAppUri(
    ctx,
    await findOpenVerification(ctx, id),
    { ...(await getHolderPage(ctx, as.tenant_id)), forget_on_delivery: false },
    via,
  )
  const response_path = `/wallet/response/${id}?via=${via}`
  return {
    link: link ?? '',
    offered: link !== undefined,
    response_path,
    read: async () => (await as.get(`/v1/verifications/${id}`)).body,
    post: (form: string) => postForm(service, response_path, form),
    respond: async (options: WalletOptions = {}) => {
      const responded = await (await openWallet(ctx, service.address, options)).respond(link ?? '')
      if (!responded.sent) throw new Error(JSON.stringify(responded.violations))
      return { status: responded.http_status, body: JSON.parse(responded.body) }
    },
  }
}

test('[DC-12] the age app responds to a request by value, and only its proof of age is requested', async () => {
  const { link, response_path, respond, read } = await create()
  expect(link).toMatch(/^av:\/\/\?/)
  const parameters = new URL(link).searchParams
  const response_uri = `${service.ctx.config.BASE_URL}${response_path}`
  expect(parameters.get('client_id')).toBe(`redirect_uri:${response_uri}`)
  expect(parameters.get('response_uri')).toBe(response_uri)
  expect(parameters.get('response_mode')).toBe('direct_post')
  expect(parameters.has('request') || parameters.has('request_uri')).toBe(false)
  const { credentials } = JSON.parse(parameters.get('dcql_query') ?? '')
  expect(credentials).toMatchObject([{ format: 'mso_mdoc', meta: { doctype_value: 'eu.europa.ec.av.1' } }])

  expect(await respond()).toEqual({ status: 200, body: {} })
  expect(await read()).toMatchObject({
    status: 'completed',
    claims: { age_over_18: true },
    credentials: [{ doctype_or_vct: 'eu.europa.ec.av.1', holder_binding_valid: true, trusted: true }],
  })
})

test('[DC-12] with a redirect_url the app is sent back with a code', async () => {
  const { respond } = await create({ redirect_url: 'https://shop.example/back' })
  expect((await respond()).body.redirect_uri).toMatch(/^https:\/\/shop\.example\/back#response_code=/)
})

test('[DC-12] [PAGE-5] the app that scanned the QR code of the page gets no redirect, and no code is stored', async () => {
  const redirect_url = 'https://shop.example/back'
  const { respond, read } = await create({ redirect_url }, merchant, 'age_app_screen')
  expect(await respond()).toEqual({ status: 200, body: {} })
  expect(await read()).toMatchObject({ status: 'completed', claims: { age_over_18: true } })
})

test('[DC-12] [PAGE-5] with hold_back and a redirect_url, the response address of its QR code does not exist', async () => {
  const tenant = await service.tenant()
  await allow(tenant, true)
  await setPolicies(service.ctx, { tenant_id: tenant.tenant_id, hold_back: true })
  const held = await create({ redirect_url: 'https://shop.example/back' }, tenant, 'age_app_screen')
  expect((await held.respond()).status).toBe(404)
  const { respond } = await create({}, tenant, 'age_app_screen')
  expect((await respond()).status).toBe(200)
})

test('[DC-12] a holder who is too young fails: the rules of the template apply', async () => {
  const { respond, read } = await create()
  await respond({ persona: 'minor' })
  expect(await read()).toMatchObject({ status: 'failed', error: { code: 'requirement_not_met' } })
})

test('[DC-12] without the switch there is no link, and the response address does not exist', async () => {
  const tenant = await service.tenant()
  const off = await create({}, tenant)
  expect(off.offered).toBe(false)
  const refused = await off.post('vp_token={}&state=x')
  expect([refused.status, refused.body.error.code]).toEqual([404, 'session_not_found'])

  await allow(tenant, true)
  const on = await create({}, tenant)
  const form = await captureLinkForm(service, on.link)
  await allow(tenant, false)
  expect((await on.post(form)).status).toBe(404)
  expect((await on.read()).status).toBe('pending')
  await allow(tenant, true)
  expect((await on.post(form)).status).toBe(200)
})

test.each([
  ['an identity template', { template: 'identity_basic' }],
  [
    'a query for the proof of age and another document',
    {
      template: undefined,
      query: {
        credentials: [
          {
            id: 'av',
            format: 'mso_mdoc',
            meta: { doctype_value: 'eu.europa.ec.av.1' },
            claims: [{ path: ['eu.europa.ec.av.1', 'age_over_18'] }],
          },
          {
            id: 'pid',
            format: 'dc+sd-jwt',
            meta: { vct_values: ['urn:eudi:pid:1'] },
            claims: [{ path: ['given_name'] }],
          },
        ],
      },
    },
  ],
])('[DC-12] %s gets no link, and its response address does not exist', async (_, body) => {
  const { offered, post } = await create(body)
  expect(offered).toBe(false)
  expect((await post('vp_token={}&state=x')).status).toBe(404)
})

test('[DC-12] another document that the verification requests is not accepted without encryption', async () => {
  const { respond, read } = await create()
  const pid = 'eu.europa.ec.eudi.pid.1'
  // A genuine PID, presented for this verification, as the wallet link would accept it.
  const query = {
    credentials: [
      {
        id: 'pid_mdoc',
        format: 'mso_mdoc',
        meta: { doctype_value: pid },
        claims: [{ path: [pid, 'birth_date'] }],
      },
    ],
  }
  expect((await respond({ alterations: { query: () => query } })).status).toBe(200)
  expect(await read()).toMatchObject({
    status: 'failed',
    error: { code: 'query_not_satisfied', message: expect.stringContaining('query_id') },
  })
})

test('[DC-12] a wrong or missing state, an encrypted response and an empty form change nothing', async () => {
  const { link, post, read } = await create()
  const fields = new URLSearchParams(await captureLinkForm(service, link))
  const without = new URLSearchParams(fields)
  without.delete('state')
  const wrong = new URLSearchParams(fields)
  wrong.set('state', 'A'.repeat(43))
  for (const form of [without.toString(), wrong.toString(), 'response=eyJ.x.y', '', 'error=access_denied']) {
    const { status, body } = await post(form)
    expect([form.slice(0, 20), status, body.error?.code]).toEqual([
      form.slice(0, 20),
      400,
      'invalid_wallet_response',
    ])
  }
  expect((await read()).status).toBe('pending')
  expect((await post(fields.toString())).status).toBe(200)
  expect((await post(fields.toString())).status).toBe(409)
})

test('[DC-12] every other channel still refuses an unencrypted vp_token', async () => {
  const { link, response_path, read } = await create()
  const form = await captureLinkForm(service, link)
  for (const path of [response_path.replace('?via=age_app', ''), response_path.replace('age_app', 'screen')])
    expect((await postForm(service, path, form)).status).toBe(400)
  expect((await read()).status).toBe('pending')
})
