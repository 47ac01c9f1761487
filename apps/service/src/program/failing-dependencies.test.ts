import { dashboardPaths, routes, type DashboardOperation } from '@vidimus/contract'
import { expect, test } from 'vitest'
import { signIn, type Browser } from '../../test/sign-in/browser.ts'
import type { ApiResponse } from '../../test/caller.ts'
import { createTestDatabase } from '../../test/database/test-database.ts'
import { withFailures } from '../../test/failing-dependency.ts'
import { newMerchant, testEnvironment, type Merchant } from '../../test/service.ts'
import { openWallet } from '../../test/wallet.ts'
import { buildApp } from './app.ts'
import { readConfig } from '../engine/config/config.ts'
import { openContext } from './context.ts'
import { openLog } from '../engine/observability/log.ts'
import { insertBuiltInTemplates } from '../templates/open-built-in.ts'
import { openVerifier } from '../verifications/wallet/open-verifier.ts'

/** How many of a request's calls to the dependency succeed before one fails. */
const depths = [0, 1, 2]
const responseTimeout_ms = 15_000

/** The whole service, with dependencies that fail on demand. */
async function start() {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await createTestDatabase())
  const settings = readConfig(
    testEnvironment(database.url, { RATE_LIMITS: 'key=999999/60,ip=999999/60,session=999999/60' }),
  )
  const ctx = stack.use(await openContext({ ...settings, log: openLog({ LOG_LEVEL: 'silent' }) }))
  await insertBuiltInTemplates(ctx)
  await ctx.identity()
  const trust = withFailures(ctx.trust)
  // Its threads request anchors and lists.
  const verifier = openVerifier({ ...ctx, trust: trust.dependency })
  stack.defer(() => verifier.close())
  const dependencies = {
    trust,
    verifier: withFailures(verifier),
    db: withFailures(ctx.db, 'Connection terminated unexpectedly'),
    egress: withFailures(ctx.egress),
    keyring: withFailures(ctx.keyring),
    limiter: withFailures(ctx.limiter),
    context: withFailures({ identity: () => ctx.identity() }),
  }
  const app = buildApp({
    ...ctx,
    db: dependencies.db.dependency,
    egress: dependencies.egress.dependency,
    keyring: dependencies.keyring.dependency,
    trust: trust.dependency,
    verifier: dependencies.verifier.dependency,
    limiter: dependencies.limiter.dependency,
    identity: dependencies.context.dependency.identity,
  })
  stack.defer(() => app.close())
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const disposable = stack.move()
  return { ctx, address, dependencies, [Symbol.asyncDispose]: () => disposable.disposeAsync() }
}

/** Signing out would end the verification that the other calls need, and streams stay open. */
const isSkipped = (name: string) => name === 'signOut' || /watch|stream/i.test(name)

type Call = { route: string; erases: boolean; send: () => Promise<ApiResponse> }
type Responded = { id: string; form: string }
/** `dc` is answered through the Digital Credentials API, and needs a verification that no other call has answered. */
type Subject = { merchant: Merchant; member: Browser; verification: Responded; dc: Responded }

/** A call of every route of the API and the dashboard for one session. Those that delete it come last. */
function listCalls({ merchant, member, verification, dc }: Subject): Call[] {
  const verificationOf = (path: string) => (path.startsWith('/wallet/dc/') ? dc : verification)
  const fill = (path: string) => path.replaceAll(/\{\w+\}/g, verificationOf(path).id)
  const walletForm = (path: string) => ({
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: member.origin },
    raw: verificationOf(path).form,
  })
  const api = Object.entries(routes)
    .filter(([name]) => !isSkipped(name))
    .map(([route, { method, path }]) => ({
      route,
      erases: method === 'DELETE',
      send: () =>
        merchant.request(
          method,
          fill(path),
          method !== 'POST' ? {} : path.startsWith('/wallet/') ? walletForm(path) : { body: {} },
        ),
    }))
  const dashboard = Object.entries(dashboardPaths)
    .filter(([name]) => !isSkipped(name))
    .map(([route, { method, path }]) => ({
      route,
      erases: method === 'DELETE',
      send: () => {
        const params = Object.fromEntries(
          Array.from(path.matchAll(/\{(\w+)\}/g), ([, key = '']) => [key, verification.id]),
        )
        // The name comes from the table above.
        return member.call(route as DashboardOperation, { params, ...(method !== 'GET' && { body: {} }) })
      },
    }))
  const create = () =>
    merchant.post('/v1/verifications', {
      template: 'age_over_18',
      webhook_url: 'https://receiver.example/hook',
    })
  const all = [{ route: 'create', erases: false, send: create }, ...api, ...dashboard]
  return all.toSorted((a, b) => Number(a.erases) - Number(b.erases))
}

test('whichever dependency fails at whichever call, every route responds with an error envelope (503 for the database) and the process keeps running', async () => {
  await using service = await start()
  const { ctx, address, dependencies } = service
  const unhandled: unknown[] = []
  const note = (error: unknown) => unhandled.push(error)
  process.on('unhandledRejection', note)
  const merchant = await newMerchant(ctx, address, { daily_quota: 100_000 })
  const member = await signIn(service, { tenant_id: merchant.tenant_id })

  const wrong: string[] = []
  let failed = 0
  for (const [which, dependency] of Object.entries(dependencies)) {
    const create = async () => (await merchant.post('/v1/verifications', { template: 'age_over_18' })).body
    const [verification, dc] = [
      { ...(await create()), form: '' },
      { ...(await create()), form: '' },
    ]
    const open = (responded: Responded) =>
      openWallet(ctx, address, { onPost: (posted) => (responded.form = posted) })
    await (await open(verification)).respond(verification.wallet_uri)
    await (await open(dc)).respondInBrowser({ id: dc.id, origin: member.origin, channel: 'dc_api' })
    expect([verification.form, dc.form]).not.toContain('')
    for (const { route, send } of listCalls({ merchant, member, verification, dc })) {
      for (const depth of depths) {
        dependency.failAfter(depth)
        const sent = performance.now()
        const response = await send().catch((error: unknown) => ({
          status: 0,
          body: error,
          headers: new Headers(),
        }))
        dependency.stopFailing()
        const took_ms = Math.round(performance.now() - sent)
        if (response.status >= 500) failed += 1
        const enveloped = response.status < 400 || response.body?.error?.code !== undefined
        // A lost database comes back, so the caller is asked to retry.
        const isRetryable = response.status !== 503 || response.headers.has('retry-after')
        const expected = which !== 'db' || (response.status !== 500 && isRetryable)
        if (response.status === 0 || !enveloped || !expected || took_ms > responseTimeout_ms)
          wrong.push(`${route}, ${which} failing after ${depth}: ${response.status} in ${took_ms} ms`)
      }
    }
  }
  process.off('unhandledRejection', note)

  expect(wrong).toEqual([])
  expect(unhandled).toEqual([])
  // Otherwise no fault would have reached a request.
  expect(failed).toBeGreaterThan(50)
  expect(await merchant.post('/v1/verifications', { template: 'age_over_18' })).toMatchObject({ status: 201 })
})
