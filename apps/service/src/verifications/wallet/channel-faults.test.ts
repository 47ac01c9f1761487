import { afterAll, beforeAll, expect, test } from 'vitest'
import { channelFaultCases } from '../../../../../packages/sandbox/test/fault-fixture.ts'
import { createForFault, expectedResponse, namesOfHolder } from '../../../test/fault-verifications.ts'
import { startService, type Merchant, type Service } from '../../../test/service.ts'
import { openWallet } from '../../../test/wallet.ts'
import { setHolderPage } from '../../accounts/tenants/holder-page.ts'

const origin = 'https://shop.example'

let service: Service
let merchant: Merchant

beforeAll(async () => {
  service = await startService()
  merchant = await service.tenant({ daily_quota: 100_000 })
  const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
  await setHolderPage(service.ctx, { by, page_origins: [origin], age_app: true })
})
afterAll(() => service[Symbol.asyncDispose]())

test.each(channelFaultCases)('$title does not complete, and shows no claim', async (fault_case) => {
  const { fault, channel, format } = fault_case
  // A browser waits for the redirect, so that a refusal without a reason is final as well.
  const created = await createForFault({ service, merchant, fault_case }, { redirect_url: `${origin}/back` })
  const wallet = await openWallet(service.ctx, service.address, { format, alterations: fault.alterations })
  const responded = await wallet.respondOver(channel, created.id, origin)
  if (!responded.sent) throw new Error(JSON.stringify(responded.violations))
  const { body, text } = await merchant.get(`/v1/verifications/${created.id}`)

  expect([responded.http_status, body.status, body.error?.code]).toEqual(expectedResponse(fault_case))
  expect(body).not.toHaveProperty('claims')
  for (const name of namesOfHolder(wallet.wallet.credentials))
    expect(text + responded.body).not.toContain(name)
})
