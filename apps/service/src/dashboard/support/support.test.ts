import { type OperatorOperation, operatorRoutes } from '@vidimus/contract'
import { expect, test } from 'vitest'
import { readAuditLog } from '../../../test/audit/audit.ts'
import { logWith } from '../../../test/request-log.ts'
import { reply, startReceiver } from '../../../test/network/receiver.ts'
import { deliverMessages } from '../../../test/alerts.ts'
import type { Service } from '../../../test/service.ts'
import { signIn } from '../../../test/sign-in/browser.ts'
import {
  createOperatorToken,
  signInOperator,
  startServiceWithConsole,
  type SignedInOperator,
} from '../../../test/sign-in/console.ts'
import { caller } from '../../../test/caller.ts'
import { openWallet } from '../../../test/wallet.ts'
import { flushAudit } from '../../audit/advance.ts'
import { installationChain } from '../../audit/append.ts'
import { sql } from '../../engine/db/sql.ts'
import { deliverEvents } from '../../program/worker.ts'
import { waitUntil } from '../../../test/wait-until.ts'

const canary = 'canary-7c1d'
const reads = [
  'listSupportVerifications',
  'getSupportVerification',
  'listSupportDeliveries',
  'listSupportRequests',
  'getSupportConfig',
] as const satisfies readonly OperatorOperation[]

/** A tenant with results, deliveries, requests and addresses that contain the canary, and secrets. */
async function fillTenant(service: Service, url: string) {
  const merchant = await service.tenant()
  const owner = await signIn(service, merchant)
  const endpoint = await merchant.post('/v1/webhook_endpoints', {
    url: `${url}/${canary}?token=${canary}`,
    events: ['verification.completed'],
  })
  await owner.call('setAlertWebhook', { body: { url: `${url}/${canary}` } })
  const wallet = await openWallet(service.ctx, service.address)
  const { body } = await merchant.post('/v1/verifications', {
    template: 'pid_full',
    purpose: canary,
    metadata: { order: canary },
  })
  await wallet.respond(body.wallet_uri)
  const failed = await merchant.post('/v1/verifications', { template: 'pid_full' })
  await (
    await openWallet(service.ctx, service.address, { persona: 'expired' })
  ).respond(failed.body.wallet_uri)
  const stop = new AbortController()
  const delivering = deliverEvents(service.ctx, stop.signal)
  await waitUntil(
    async () => (await service.ctx.db.query(sql`select 1 as d from webhook_deliveries limit 1`)).length > 0,
    { within_ms: 20_000 },
  )
  stop.abort()
  await delivering
  const last = await merchant.get(`/v1/verifications/${body.id}`)
  const full = last.body
  await logWith(owner, last.headers.get('x-request-id') ?? '')
  const secrets: string[] = [
    merchant.key,
    merchant.webhook_secret,
    endpoint.body.secret ?? endpoint.body.endpoint.secret,
    body.id,
    failed.body.id,
  ]
  return { merchant, owner, id: body.id as string, failed_id: failed.body.id as string, full, secrets }
}

const read = (operator: SignedInOperator, tenant_id: string, verification_id: string) =>
  Promise.all(
    reads.map((operation) =>
      operator.call(operation, { params: { id: tenant_id, environment: 'test', verification_id } }),
    ),
  )

test('with access operators see states and never claims, secrets, ids or addresses; without it nothing', async () => {
  await using receiver = await startReceiver(reply(500))
  await using service = await startServiceWithConsole({
    environment: { WEBHOOK_EGRESS_ALLOW: '127.0.0.0/8' },
  })
  const { ctx } = service
  const { merchant, owner, id, failed_id, full, secrets } = await fillTenant(
    service,
    new URL(receiver.url).origin,
  )
  const { tenant_id } = merchant
  const support = await signInOperator(service, 'support')
  const before = await read(support, tenant_id, id)
  expect(before.map(({ status, body }) => [status, body.error.code])).toEqual(
    reads.map(() => [403, 'role_not_allowed']),
  )

  await owner.call('grantSupport')

  const shown = await read(support, tenant_id, failed_id)
  expect(shown.map(({ status }) => status)).toEqual(reads.map(() => 200))
  const [list, one, deliveries, requests, config] = shown
  expect(list?.body.data).toHaveLength(2)
  expect(one?.body).toMatchObject({
    status: 'failed',
    template: 'pid_full',
    error_code: expect.any(String),
    credentials: [{ format: expect.any(String), findings: expect.any(Array) }],
  })
  expect(one?.body.credentials[0].findings).toContainEqual({ check: expect.any(String), status: 'fail' })
  expect(list?.body.data.map(({ hash }: { hash: string }) => hash)).toContain(one?.body.hash)
  expect(deliveries?.body.data[0]).toMatchObject({
    host: new URL(receiver.url).host,
    outcome: 'failed',
    status: 500,
    state: 'waiting',
  })
  expect(requests?.body.data.length).toBeGreaterThan(0)
  expect(config?.body.webhook_endpoints[0].url).toBe(`${new URL(receiver.url).origin}/`)

  // Every value that the wallet disclosed is a canary too.
  const disclosed = Object.values(full.claims as Record<string, unknown>)
    .map((value) => JSON.stringify(value))
    .filter((text) => text.length > 6)
  expect(disclosed.length).toBeGreaterThan(2)
  const texts = [...shown, ...(await read(support, tenant_id, id))].map(({ text }) => text).join('\n')
  for (const hidden of [canary, ...secrets, ...disclosed])
    expect([hidden, texts.includes(hidden)]).toEqual([hidden, false])
  // The same values are found where they are shown.
  expect(JSON.stringify(full)).toContain(canary)
  for (const value of disclosed) expect(JSON.stringify(full)).toContain(value)

  const other = await service.tenant()
  expect((await read(support, other.tenant_id, id)).map(({ status }) => status)).toEqual(reads.map(() => 403))
  await owner.call('grantSupport')
  await flushAudit(ctx, tenant_id)
  const recorded = (await readAuditLog(ctx, tenant_id))
    .filter(({ action }) => action === 'support.viewed')
    .map(({ actor_name, detail }) => `${actor_name}: ${String(detail?.['what'])}`)
    .toSorted()
  expect(recorded).toEqual(
    ['configuration', 'deliveries', 'requests', 'verifications'].map((what) => `The support: test ${what}`),
  )
  await flushAudit(ctx, installationChain)
  const installation = (await readAuditLog(ctx, installationChain)).filter(
    ({ action }) => action === 'installation.support_viewed',
  )
  expect(installation.map(({ actor }) => actor)).toEqual(recorded.map(() => `operator:${support.id}`))
  expect(await support.call('endSupportAccess', { params: { id: tenant_id } })).toMatchObject({ status: 200 })
  expect((await read(support, tenant_id, id))[0]?.status).toBe(403)
  expect(await deliverMessages(ctx)).toBeDefined()
})

test('only the roles owner and support may look or take access, and no route of it changes the tenant', async () => {
  await using service = await startServiceWithConsole({ environment: { SUPPORT_ACCESS: 'reason' } })
  const merchant = await service.tenant()
  const params = { id: merchant.tenant_id, environment: 'test', verification_id: 'vs_0' }
  const take = (by: SignedInOperator) =>
    by.call('takeSupportAccess', { params, body: { reason: 'Their webhooks fail.' } })
  for (const role of ['billing', 'auditor'] as const) {
    const operator = await signInOperator(service, role)
    const replies = [
      await take(operator),
      await operator.call('getSupportAccess', { params }),
      ...(await read(operator, merchant.tenant_id, 'vs_0')),
    ]
    expect(replies.map(({ status, body }) => [status, body.error.code])).toEqual(
      replies.map(() => [403, 'role_not_allowed']),
    )
  }
  const support = await signInOperator(service, 'support')
  expect((await take(support)).body).toMatchObject({
    access: { by: 'operator', name: 'The support', reason: 'Their webhooks fail.' },
    may_take: true,
  })
  // A program reads, and takes nothing.
  const { token } = await createOperatorToken(support, { role: 'support' })
  const program = caller(service.operator_address, token)
  const path = `/operator/v1/tenants/${merchant.tenant_id}/support`
  expect((await program.post(path, { reason: 'x' })).body.error.code).toBe('confirmation_required')
  expect((await program.get(`${path}/test/verifications`)).status).toBe(200)
  const routes = Object.entries(operatorRoutes).filter(([name]) => /Support/.test(name))
  expect(routes.filter(([, { method }]) => method !== 'GET').map(([name]) => name)).toEqual([
    'takeSupportAccess',
    'endSupportAccess',
  ])
})
