import { afterAll, beforeAll, expect, test } from 'vitest'
import { queryForVariant, variantCases } from '../../../../../packages/sandbox/test/fault-fixture.ts'
import { startService, type Merchant, type Service } from '../../../test/service.ts'
import { openWallet } from '../../../test/wallet.ts'

let service: Service
let merchant: Merchant

beforeAll(async () => {
  service = await startService()
  merchant = await service.tenant({ daily_quota: 100_000 })
})

afterAll(() => service[Symbol.asyncDispose]())

test.each(variantCases)('$title completes over HTTP', async ({ variant, format }) => {
  const { alterations } = variant
  const { wallet, respond } = await openWallet(service.ctx, service.address, { format, alterations })
  const query = queryForVariant({ variant, format }, wallet.issuer)
  const { body: created } = await merchant.post('/v1/verifications', { query })
  const responded = await respond(created.wallet_uri)
  const { body } = await merchant.get(`/v1/verifications/${created.id}`)

  expect(responded).toMatchObject({ sent: true, http_status: 200 })
  expect([body.status, body.error]).toEqual(['completed', undefined])
  expect(Object.keys(body.claims)).toEqual(expect.arrayContaining(['given_name', 'family_name']))
})
