import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { faultCases } from '../../../../../packages/sandbox/test/fault-fixture.ts'
import { createForFault, expectedResponse, namesOfHolder } from '../../../test/fault-verifications.ts'
import { startService, type Merchant, type Service } from '../../../test/service.ts'
import { openWallet } from '../../../test/wallet.ts'

let service: Service
let merchant: Merchant
const log: string[] = []

beforeAll(async () => {
  service = await startService({ environment: { LOG_LEVEL: 'trace' }, onLog: (line) => log.push(line) })
  merchant = await service.tenant({ daily_quota: 100_000 })
})

// Claims of the sandbox's adult, in every form in which they could have been stored.
let canaries: string[] = []

test.each(faultCases)(
  '[WRES-6] [RESULT-4] $title does not complete, and shows no claim',
  async (fault_case) => {
    const { fault, format } = fault_case
    const created = await createForFault({ service, merchant, fault_case })
    const wallet = await openWallet(service.ctx, service.address, { format, alterations: fault.alterations })
    canaries = namesOfHolder(wallet.wallet.credentials)
    const responded = await wallet.respond(created.wallet_uri)
    if (!responded.sent) throw new Error(JSON.stringify(responded.violations))
    const { body, text } = await merchant.get(`/v1/verifications/${created.id}`)

    expect([responded.http_status, body.status, body.error?.code]).toEqual(expectedResponse(fault_case))
    expect(body).not.toHaveProperty('claims')
    for (const canary of canaries) expect(text + responded.body).not.toContain(canary)
  },
)

test('[WRES-9] [GEN-9] no claim of a failed verification is in the database or in the logs', () => {
  const dump = execFileSync('pg_dump', ['--data-only', service.database_url], {
    maxBuffer: 1 << 28,
  }).toString()

  expect(canaries.length).toBeGreaterThan(1)
  expect(dump).toContain('verification_sessions')
  for (const canary of canaries) {
    expect(dump).not.toContain(canary)
    expect(log.join('')).not.toContain(canary)
  }
})

afterAll(() => service[Symbol.asyncDispose]())
