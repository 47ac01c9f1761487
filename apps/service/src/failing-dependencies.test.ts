import { dashboardPaths, routes, type DashboardOperation } from '@vidimus/contract'
import { expect, test } from 'vitest'
import { signIn } from '../test/browser.ts'
import { caller, type Answer } from '../test/caller.ts'
import { ownDatabase } from '../test/databases.ts'
import { failing } from '../test/failing-dependency.ts'
import { newMerchant, testEnvironment } from '../test/service.ts'
import { openWallet } from '../test/wallet.ts'
import { buildApp } from './app.ts'
import { readConfig } from './config.ts'
import { openContext } from './context.ts'
import { openLog } from './platform/log.ts'
import { openVerifier } from './verifications/open-verifier.ts'

/** Of a request's calls to the dependency, how many succeed before one fails. */
const depths = [0, 2]
const answerWithin_ms = 15_000

/** The whole service with dependencies that fail when they are told to. */
async function start() {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await ownDatabase())
  const settings = readConfig(
    testEnvironment(database.url, { RATE_LIMITS: 'key=999999/60,ip=999999/60,session=999999/60' }),
  )
  const ctx = stack.use(await openContext({ ...settings, log: openLog({ LOG_LEVEL: 'silent' }) }))
  await ctx.identity()
  const trust = failing('trust', ctx.trust)
  // Its threads ask for anchors and lists.
  const verifier = openVerifier(trust.dependency)
  stack.defer(() => verifier.close())
  const dependencies = {
    trust,
    verifier: failing('verifier', verifier),
    db: failing('db', ctx.db),
    egress: failing('egress', ctx.egress),
    keyring: failing('keyring', ctx.keyring),
    limiter: failing('limiter', ctx.limiter),
    context: failing('identity', { identity: () => ctx.identity() }),
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

/** Streams stay open while all is well, and signing out would end the session that the others need. */
const leftOut = new Set<DashboardOperation>(['signOut'])

test('[FAULT-10] whichever dependency fails at whichever call of a request, every route answers in the envelope, and the process goes on', async () => {
  await using service = await start()
  const { ctx, address, dependencies } = service
  const unhandled: unknown[] = []
  const note = (error: unknown) => unhandled.push(error)
  process.on('unhandledRejection', note)
  const merchant = await newMerchant(ctx, address, { daily_quota: 100_000 })
  const member = await signIn(service, { tenant_id: merchant.tenant_id })
  const create = (body = {}) => merchant.post('/v1/verifications', { template: 'age_over_18', ...body })
  const { body: session } = await create()
  const forms: string[] = []
  await (await openWallet(ctx, address, { onPost: (form) => forms.push(form) })).respond(session.wallet_uri)

  const fill = (path: string) => path.replaceAll(/\{\w+\}/g, session.id)
  const calls: [string, () => Promise<Answer>][] = [
    ['create', () => create({ webhook_url: 'https://receiver.example/hook' })],
    ...Object.entries(routes).map(([name, { method, path }]): [string, () => Promise<Answer>] => [
      name,
      () =>
        name.toLowerCase().includes('response') && method === 'POST'
          ? caller(address).request('POST', fill(path), {
              headers: { 'content-type': 'application/x-www-form-urlencoded' },
              raw: forms[0] ?? '',
            })
          : merchant.request(method, fill(path), method === 'POST' ? { body: {} } : {}),
    ]),
    ...Object.keys(dashboardPaths)
      .map((name) => name as DashboardOperation) // its own keys
      .filter((name) => !leftOut.has(name) && !name.toLowerCase().includes('watch'))
      .map((name): [string, () => Promise<Answer>] => [
        name,
        () => {
          const { method, path } = dashboardPaths[name]
          const params = Object.fromEntries(
            Array.from(path.matchAll(/\{(\w+)\}/g), ([, key = '']) => [key, session.id]),
          )
          return member.call(name, { params, ...(method !== 'GET' && { body: {} }) })
        },
      ]),
  ]

  const wrong: string[] = []
  let failed = 0
  for (const [which, dependency] of Object.entries(dependencies)) {
    for (const [route, send] of calls) {
      for (const depth of depths) {
        dependency.failAfter(depth)
        const sent = performance.now()
        const answer = await send().catch((error: unknown) => ({
          status: 0,
          body: error,
          text: String(error),
        }))
        dependency.heal()
        const took_ms = performance.now() - sent
        if (answer.status >= 500) failed += 1
        const enveloped = answer.status < 400 || answer.body?.error?.code !== undefined
        if (answer.status === 0 || !enveloped || took_ms > answerWithin_ms)
          wrong.push(
            `${route} with ${which} failing after ${depth}: ${answer.status} in ${Math.round(took_ms)} ms`,
          )
      }
    }
  }
  process.off('unhandledRejection', note)

  expect(wrong).toEqual([])
  expect(unhandled).toEqual([])
  expect(failed).toBeGreaterThan(calls.length)
  expect(await create()).toMatchObject({ status: 201 })
})
