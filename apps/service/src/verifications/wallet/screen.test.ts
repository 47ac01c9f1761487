import { afterAll, beforeAll, expect, test } from 'vitest'
import { decodeJwt } from '../../../test/decode-jwt.ts'
import { startService, type Merchant, type Service } from '../../../test/service.ts'
import { openWallet, type WalletOptions } from '../../../test/wallet.ts'
import { sql } from '../../engine/db/sql.ts'
import { setPolicies } from '../../accounts/tenants/tenant-settings.ts'
import { screenUri } from './uris.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const redirect_url = 'https://shop.example/back'

/** A verification with the content of the QR code that the holder's page shows. */
async function createForScreen(merchant: Merchant, more: object = {}) {
  const { body } = await merchant.post('/v1/verifications', { template: 'age_over_18', ...more })
  const id: string = body.id
  const [row] = await service.ctx.db.query<{ certificate: Buffer }>(
    sql`select certificate from verification_sessions where id = ${id}`,
  )
  if (row === undefined) throw new Error('the verification was not created')
  return {
    id,
    wallet_uri: body.wallet_uri as string,
    screen_uri: screenUri(service.ctx.config.BASE_URL, { id, certificate: row.certificate }),
    read: async () => (await merchant.get(`/v1/verifications/${id}`)).body,
    respond: async (uri: string, options: WalletOptions = {}) => {
      const responded = await (await openWallet(service.ctx, service.address, options)).respond(uri)
      if (!responded.sent) throw new Error(JSON.stringify(responded.violations))
      return { status: responded.http_status, body: JSON.parse(responded.body) }
    },
  }
}

/** The form that a wallet would post after reading this link. */
async function captureForm(uri: string): Promise<string> {
  let form = ''
  const wallet = await openWallet(service.ctx, service.address, { onPost: (posted) => (form = posted) })
  await wallet.respond(uri)
  return form
}

async function readRequest(path: string) {
  return decodeJwt((await service.anonymous.get(path)).text).claims
}

async function postForm(path: string, form: string) {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return service.anonymous.request('POST', path, { headers, raw: form })
}

test('[PAGE-5] the QR code of the page has its own request: other addresses and other secrets, otherwise the same', async () => {
  const { id, screen_uri, wallet_uri } = await createForScreen(await service.tenant())
  const { BASE_URL } = service.ctx.config
  expect(new URL(screen_uri).searchParams.get('request_uri')).toBe(
    `${BASE_URL}/wallet/request/${id}?via=screen`,
  )
  expect(new URL(screen_uri).searchParams.get('client_id')).toBe(
    new URL(wallet_uri).searchParams.get('client_id'),
  )

  const link = await readRequest(`/wallet/request/${id}`)
  const screen = await readRequest(`/wallet/request/${id}?via=screen`)
  expect(screen['response_uri']).toBe(`${BASE_URL}/wallet/response/${id}?via=screen`)
  expect(link['response_uri']).toBe(`${BASE_URL}/wallet/response/${id}`)
  for (const secret of ['nonce', 'state', 'client_metadata']) expect(screen[secret]).not.toEqual(link[secret])
  for (const same of ['client_id', 'dcql_query', 'exp']) expect(screen[same]).toEqual(link[same])
})

test('[PAGE-5] a response to the QR code of the page gets no redirect, and no code is stored', async () => {
  const { id, screen_uri, respond, read } = await createForScreen(await service.tenant(), { redirect_url })

  expect(await respond(screen_uri)).toEqual({ status: 200, body: {} })
  expect(await read()).toMatchObject({ status: 'completed', claims: { age_over_18: true } })
  const stored = await service.ctx.db.query(
    sql`select response_code_hash from verification_sessions where id = ${id}`,
  )
  expect(stored).toEqual([{ response_code_hash: null }])
})

test('[DC-3] a response to the QR code is refused at the address of the link, and the other way round; the verification stays open', async () => {
  const { id, screen_uri, wallet_uri, read, respond } = await createForScreen(await service.tenant())
  const refused = [
    await postForm(`/wallet/response/${id}`, await captureForm(screen_uri)),
    await postForm(`/wallet/response/${id}?via=screen`, await captureForm(wallet_uri)),
  ]
  expect(refused.map(({ status, body }) => [status, body.error.code])).toEqual([
    [400, 'invalid_wallet_response'],
    [400, 'invalid_wallet_response'],
  ])
  expect((await read()).status).toBe('pending')
  expect((await respond(screen_uri)).status).toBe(200)
  expect((await respond(wallet_uri)).status).toBe(409)
})

test('[PAGE-5] with hold_back and a redirect_url, request and response of the QR code do not exist', async () => {
  const merchant = await service.tenant()
  const { id, screen_uri, read, wallet_uri, respond } = await createForScreen(merchant, { redirect_url })
  const form = await captureForm(screen_uri)
  await setPolicies(service.ctx, { tenant_id: merchant.tenant_id, hold_back: true })

  const refused = [
    await service.anonymous.get(`/wallet/request/${id}?via=screen`),
    await postForm(`/wallet/request/${id}?via=screen`, 'wallet_nonce=abc'),
    await postForm(`/wallet/response/${id}?via=screen`, form),
  ]
  for (const { status, body } of refused)
    expect([status, body.error.code]).toEqual([404, 'session_not_found'])
  expect((await read()).status).toBe('pending')
  expect((await respond(wallet_uri)).body.redirect_uri).toContain('response_code=')

  const without = await createForScreen(merchant)
  expect(await without.respond(without.screen_uri)).toEqual({ status: 200, body: {} })
  expect((await without.read()).status).toBe('completed')
})

test('[PAGE-5] after a refusal without a reason another wallet may scan the QR code, even with a redirect_url', async () => {
  const refusing: WalletOptions = {
    alterations: { form: (_, { request }) => ({ error: 'access_denied', state: request.state ?? '' }) },
  }
  const { screen_uri, respond, read } = await createForScreen(await service.tenant(), { redirect_url })
  expect(await respond(screen_uri, refusing)).toEqual({ status: 200, body: {} })
  expect((await read()).status).toBe('pending')
  expect((await respond(screen_uri)).status).toBe(200)
  expect((await read()).status).toBe('completed')
})

test('an unknown `via` is refused', async () => {
  const { id } = await createForScreen(await service.tenant())
  const { status, body } = await service.anonymous.get(`/wallet/request/${id}?via=pigeon`)
  expect([status, body.error.code]).toEqual([400, 'invalid_request'])
})
