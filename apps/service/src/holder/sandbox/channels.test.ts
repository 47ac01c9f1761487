import { afterAll, beforeAll, expect, test } from 'vitest'
import { startService, type Merchant, type Service } from '../../../test/service.ts'
import { holderChannels, openWallet } from '../../../test/wallet.ts'
import { setHolderPage } from '../../accounts/tenants/holder-page.ts'

const origin = 'https://shop.example'

let service: Service
let merchant: Merchant

beforeAll(async () => {
  service = await startService()
  merchant = await service.tenant()
  const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
  await setHolderPage(service.ctx, { by, page_origins: [origin], age_app: true })
})
afterAll(() => service[Symbol.asyncDispose]())

async function create(): Promise<string> {
  return (await merchant.post('/v1/verifications', { template: 'age_over_18' })).body.id
}

async function readStatus(id: string): Promise<string> {
  return (await merchant.get(`/v1/verifications/${id}`)).body.status
}

test.each(holderChannels)('the wallet answers over %s', async (channel) => {
  const id = await create()
  const wallet = await openWallet(service.ctx, service.address)

  expect(await wallet.respondOver(channel, id)).toMatchObject({ sent: true, http_status: 200 })
  expect(await readStatus(id)).toBe('completed')
})

test('a persona with only the EU app’s proof of age completes over its three channels', async () => {
  const wallet = await openWallet(service.ctx, service.address, { persona: 'age_app' })
  for (const channel of ['age_app', 'dc_api', 'annex_c'] as const) {
    const id = await create()
    expect(await wallet.respondOver(channel, id, origin)).toMatchObject({ http_status: 200 })
    expect(await readStatus(id)).toBe('completed')
  }
})

test('the sandbox page answers a verification over the Digital Credentials API, and the age app’s link', async () => {
  const { anonymous } = service
  const send = (body: object) => anonymous.post('/sandbox/responses', body)
  const url = (id: string) => `${service.ctx.config.BASE_URL}/verify/${id}`

  for (const channel of ['dc_api', 'annex_c'])
    for (const page of [{}, { origin }])
      expect((await send({ wallet_uri: url(await create()), channel, ...page })).body).toMatchObject({
        status: 'completed',
        http_status: 200,
      })
  const refused = await create()
  const elsewhere = { wallet_uri: url(refused), channel: 'dc_api', origin: 'https://elsewhere.example' }
  expect((await send(elsewhere)).body).toMatchObject({ status: 'pending', http_status: 403 })
  expect((await send({ ...elsewhere, origin, fault: 'origin_other' })).body).toMatchObject({
    status: 'failed',
  })
  expect((await send({ wallet_uri: url(await create()), channel: 'redirect' })).status).toBe(400)
})
