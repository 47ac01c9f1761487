import { execFileSync } from 'node:child_process'
import { failureCodes } from '@vidimus/sandbox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  faultCases,
  queryForFault,
  type FaultCase,
} from '../../../../../packages/sandbox/test/fault-fixture.ts'
import { startService, type Merchant, type Service } from '../../../test/service.ts'
import { openWallet } from '../../../test/wallet.ts'
import { putTemplate } from '../../templates/put.ts'

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
  async ({ fault, format, expected }) => {
    const created = await create({ fault, format })
    const wallet = await openWallet(service.ctx, service.address, { format, alterations: fault.alterations })
    canaries = canariesOf(wallet.wallet.credentials)
    const responded = await wallet.respond(created.wallet_uri)
    if (!responded.answered) throw new Error(JSON.stringify(responded.violations))
    const { body, text } = await merchant.get(`/v1/verifications/${created.id}`)

    expect([responded.http_status, body.status, body.error?.code]).toEqual(expectedResponse(expected))
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

/** The HTTP status that the wallet gets, and the status and error code that the merchant reads. */
function expectedResponse(expected: FaultCase['expected']): [number, string, string | undefined] {
  if (expected.outcome === 'rejected') return [400, 'pending', undefined]
  return [200, 'failed', 'code' in expected ? expected.code : failureCodes[expected.check]]
}

async function create({ fault, format }: Pick<FaultCase, 'fault' | 'format'>) {
  const { query, rules } = queryForFault({ fault, format })
  if (rules === undefined) return (await merchant.post('/v1/verifications', { query })).body
  const template = { name: fault.name, description: fault.description, query, ...rules }
  const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
  expect(await putTemplate(service.ctx, { key: fault.name, template, by })).toEqual([])
  return (await merchant.post('/v1/verifications', { template: fault.name })).body
}

/** The holder's names, as text: they appear in no query, no template and no certificate. */
function canariesOf(holdings: readonly object[]): string[] {
  const names = JSON.stringify(holdings).matchAll(/"(?:given_name|family_name)[a-z_]*":"([^"]{4,})"/g)
  return [...new Set(Array.from(names, ([, name]) => name ?? ''))]
}
