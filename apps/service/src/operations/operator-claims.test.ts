import { operatorRoutes, type OperatorOperation, type OperatorRoute } from '@vidimus/contract'
import { expect, test } from 'vitest'
import { signInOperator, startServiceWithConsole } from '../../test/sign-in/console.ts'
import { signIn } from '../../test/sign-in/browser.ts'
import { findTables } from '../../test/database/find-text.ts'
import { openWallet } from '../../test/wallet.ts'
import { advanceAudit } from '../audit/index.ts'

/** Bodies and queries that are accepted. Any other route gets an empty body. */
function requestOf(operation: OperatorOperation, tenant_id: string, verification_id: string) {
  const month = new Date().toISOString().slice(0, 7)
  const requests: Partial<Record<OperatorOperation, { query?: Record<string, string>; body?: unknown }>> = {
    createTenant: { body: { name: 'Another', owner_email: 'o@shop.example' } },
    inviteOwner: { body: { email: 'o@shop.example' } },
    setTenantPlan: { body: { plan: 'growth' } },
    setTenantQuota: { body: { daily_quota: 10 } },
    suspendTenant: { body: { reason: 'x' } },
    closeTenant: { body: { reason: 'x' } },
    deleteTenant: { body: { name: 'A merchant', reason: 'x' } },
    addOperator: { body: { name: 'N', email: 'n@operator.example', role: 'support' } },
    changeOperatorRole: { body: { role: 'support' } },
    createToken: { body: { name: 'T', role: 'owner', expires_in_days: 1 } },
    listUsage: { query: { month, by_day: 'true', tenant_id } },
    exportUsage: { query: { month } },
    search: { query: { id: verification_id } },
  }
  return requests[operation] ?? {}
}

test('no response of any route and no line of the log has a claim, a webhook address or a secret of a tenant', async () => {
  const lines: string[] = []
  await using service = await startServiceWithConsole({ onLog: (line) => void lines.push(line) })
  const owner = await signInOperator(service)
  const merchant = await service.tenant()
  const { id, wallet_uri } = (
    await merchant.post('/v1/verifications', {
      template: 'identity_basic',
      purpose: 'canary-purpose',
      metadata: { order: 'canary-metadata' },
      webhook_url: 'https://192.0.32.7/canary-receiver',
    })
  ).body
  await (await openWallet(service.ctx, service.address)).respond(wallet_uri)
  const { claims } = (await merchant.get(`/v1/verifications/${id}`)).body
  const canaries = [
    claims.given_name,
    claims.family_name,
    claims.birth_date,
    'canary-purpose',
    'canary-metadata',
    'canary-receiver',
    merchant.key,
    merchant.webhook_secret,
  ]
  // They are there to be found.
  expect(canaries.map((canary) => typeof canary === 'string' && canary.length > 3)).toEqual(
    canaries.map(() => true),
  )
  expect(await findTables(service.ctx.db, claims.family_name)).toEqual(['verification_results'])
  await (await signIn(service, merchant)).call('grantSupport')
  await advanceAudit(service.ctx)

  const seen: string[] = []
  const statuses = new Map<string, number>()
  const last: OperatorOperation[] = [
    'endSupportAccess',
    'closeTenant',
    'deleteTenant',
    'keepTenant',
    'signOut',
    'signOutEverywhere',
  ]
  const operations = Object.keys(operatorRoutes) as OperatorOperation[]
  const route = (operation: OperatorOperation): OperatorRoute => operatorRoutes[operation]
  for (const operation of [...operations.filter((each) => !last.includes(each)), ...last]) {
    const ofTenant = route(operation).path.includes('/tenants/')
    const { query, body } = requestOf(operation, merchant.tenant_id, id)
    const sent = body ?? (route(operation).json === undefined ? undefined : {})
    const reply = await owner.call(operation, {
      params: {
        id: ofTenant ? merchant.tenant_id : owner.id,
        name: 'growth',
        seq: '1',
        environment: 'test',
        verification_id: id,
      },
      ...(query && { query }),
      ...(sent !== undefined && { body: sent }),
    })
    statuses.set(operation, reply.status)
    seen.push(reply.text)
  }
  const failed = [...statuses].filter(([, status]) => status >= 500)
  expect(failed).toEqual([])
  // Of the routes that say anything about tenants, all did.
  for (const operation of [
    'getTenant',
    'listTenants',
    'search',
    'listUsage',
    'exportUsage',
    'getHealth',
    'listLog',
    'verifyLog',
    'proveLogEntry',
    'suspendTenant',
    'deleteTenant',
    'getSupportAccess',
    'listSupportVerifications',
    'getSupportVerification',
    'listSupportDeliveries',
    'listSupportRequests',
    'getSupportConfig',
  ])
    expect([operation, statuses.get(operation)]).toEqual([operation, 200])

  const find = (texts: readonly string[]) =>
    canaries.filter((canary) => texts.some((text) => text.includes(canary)))
  expect(find(seen)).toEqual([])
  expect(lines.length).toBeGreaterThan(statuses.size)
  expect(find(lines)).toEqual([])
  expect(find([...seen, JSON.stringify(claims)])).toContain(claims.family_name)
})
