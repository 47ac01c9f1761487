import { failureCodes } from '@vidimus/sandbox'
import { queryForFault, type FaultCase } from '../../../packages/sandbox/test/fault-fixture.ts'
import { putTemplate } from '../src/templates/put-template.ts'
import type { Merchant, Service } from './service.ts'

type FaultyRequest = { service: Service; merchant: Merchant; fault_case: FaultCase }

/** Creates a verification on which the fault has an effect. */
export async function createForFault(
  { service, merchant, fault_case }: FaultyRequest,
  more: object = {},
): Promise<{ id: string; wallet_uri: string }> {
  const { fault, channel } = fault_case
  const { query, rules } = queryForFault(fault_case)
  if (rules === undefined) return (await merchant.post('/v1/verifications', { query, ...more })).body
  const key = `${fault.name}_${channel}`
  const template = { name: fault.name, description: fault.description, query, ...rules }
  const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
  const warnings = await putTemplate(service.ctx, { key, template, by })
  if (warnings.length > 0) throw new Error(JSON.stringify(warnings))
  return (await merchant.post('/v1/verifications', { template: key, ...more })).body
}

/** The HTTP status that the wallet gets, and the status and error code that the merchant reads. */
export function expectedResponse({ expected }: FaultCase): [number, string, string | undefined] {
  if (expected.outcome === 'rejected' || expected.outcome === 'malformed') return [400, 'pending', undefined]
  if (expected.outcome === 'noted') return [200, 'pending', undefined]
  return [200, 'failed', 'code' in expected ? expected.code : failureCodes[expected.check]]
}

/** The holder's names, as text: they appear in no query, no template and no certificate. */
export function namesOfHolder(holdings: readonly object[]): string[] {
  const names = JSON.stringify(holdings).matchAll(/"(?:given_name|family_name)[a-z_]*":"([^"]{4,})"/g)
  return [...new Set(Array.from(names, ([, name]) => name ?? ''))]
}

/** Gives the holder of these credentials a name that nobody else has, wherever a credential has a name. */
export function renameHolder(credentials: readonly object[], name: string): void {
  replaceTexts(credentials, namesOfHolder(credentials), name)
}

function replaceTexts(value: unknown, known: readonly string[], text: string): void {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return
  for (const [member, each] of Object.entries(value)) {
    if (known.includes(each as string)) Object.assign(value, { [member]: text })
    else replaceTexts(each, known, text)
  }
}
