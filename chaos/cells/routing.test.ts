import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildApp } from '../../apps/service/src/program/app.ts'
import { startService, type Service } from '../../apps/service/test/service.ts'
import { drawCredentials } from './credentials.ts'
import { listRoutes, type MountedRoute } from './list-routes.ts'
import { findRule, type RoutedRequest } from './routing-rules.ts'
import { otherCell, send, sendToRoutes, startStub } from './send-to-routes.ts'
import { readRules, startRouter } from '../../apps/service/test/cells/start-router.ts'

let service: Service
let routes: MountedRoute[]
const stubs = { a: await startStub(), b: await startStub() }
const cells = { a: stubs.a.port, b: stubs.b.port }

beforeAll(async () => {
  service = await startService()
  const app = buildApp(service.ctx)
  await app.ready()
  routes = listRoutes(app).filter(({ method }) => method !== 'HEAD')
  await app.close()
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  stubs.a.close()
  stubs.b.close()
})

test('every route of the service has a rule that finds its cell, or is the same in every cell', () => {
  expect(routes.length).toBeGreaterThan(150)
  expect(routes.filter((route) => findRule(route) === undefined)).toEqual([])
  expect(findRule({ method: 'GET', path: '/v1/new' })).toBeUndefined()
  expect(findRule({ method: 'POST', path: '/dashboard/api/new' })).toBeUndefined()
})

test('[CELL-2] each rule finds the cell, whatever the request carries of another cell', async () => {
  await using router = await startRouter({ cells })
  const { wrong, sent } = await sendToRoutes({ ...router, ...service.ctx, routes, expected: (own) => own })
  expect(wrong).toEqual([])
  expect(sent).toBeGreaterThan(400)
})

test('what was moved reaches its new cell by its old key, token, id, cookie or passkey', async () => {
  const { keyring } = service.ctx
  const drawn = { a: drawCredentials(keyring, 'a'), b: drawCredentials(keyring, 'b') }
  const moved = (['a', 'b'] as const).flatMap((cell) =>
    drawn[cell].moved_keys.map((key) => `${key} ${otherCell(cell)}`),
  )
  await using router = await startRouter({ cells, moved })
  const { wrong, sent } = await sendToRoutes({
    ...router,
    routes,
    keyring,
    drawn,
    expected: otherCell,
    only: isLookedUp,
  })
  expect(wrong).toEqual([])
  expect(sent).toBeGreaterThan(300)
})

test('cookies, links and passkeys of a release without cells reach the first cell', async () => {
  await using router = await startRouter({ cells })
  const drawn = drawCredentials(service.ctx.keyring, 'b')
  const old = {
    ...drawn,
    cookie: drawn.cookie.slice(1),
    invitation: drawn.invitation.slice(1),
    state: drawn.state.slice(1),
    user_handle: Buffer.from(crypto.randomUUID()).toString('base64url'),
    issuer: crypto.randomUUID(),
  }
  const paths = ['me', 'invitation', 'sign-in/passkey', 'sign-in/oidc/callback'].map(
    (path) => `/dashboard/api/${path}`,
  )
  for (const route of routes.filter(({ path }) => paths.includes(path))) {
    const rule = findRule(route)
    if (typeof rule !== 'function') throw new Error(`${route.path} has no rule`)
    for (const request of rule(route, old))
      expect([route, await send(router.address, route.method, request)]).toEqual([route, 'a'])
  }
})

test('a key or id of a cell that does not exist, or no credential at all, reaches any cell', async () => {
  await using router = await startRouter({ cells })
  const { key, verification_id } = drawCredentials(service.ctx.keyring, 'a')
  const authorization = `Bearer ${key.replace('vk_test_a', 'vk_test_z')}`
  const requests: RoutedRequest[] = [
    { path: '/v1/usage', headers: { authorization } },
    { path: `/verify/${verification_id.replace('vs_a', 'vs_z')}` },
    { path: '/v1/usage' },
    { path: '/dashboard' },
  ]
  for (const request of requests) expect(await send(router.address, 'GET', request)).toBe('any cell (200)')
})

test('[CELL-2] without any one of its rules, the router sends a request to the wrong cell', async () => {
  const rules = readRules().match(/^ {2}http-request set-var\(.*$/gm) ?? []
  expect(rules.length).toBeGreaterThan(20)
  const { keyring } = service.ctx
  // Of each kind of route, one is enough.
  const samples = Array.from(new Map(routes.map((route) => [kindOf(route), route])).values())
  const missed: string[] = []
  for (const rule of rules) {
    const drawn = { a: drawCredentials(keyring, 'a'), b: drawCredentials(keyring, 'b') }
    const lookup = rule.includes('txn.moved')
    const moved = lookup
      ? (['a', 'b'] as const).flatMap((cell) =>
          drawn[cell].moved_keys.map((key) => `${key} ${otherCell(cell)}`),
        )
      : []
    await using router = await startRouter({ cells, moved, change: (all) => all.replace(rule, '') })
    const options = { ...router, routes: samples, keyring, drawn }
    const { wrong } = lookup
      ? await sendToRoutes({ ...options, expected: otherCell, only: isLookedUp })
      : await sendToRoutes({ ...options, expected: (own) => own })
    if (wrong.length === 0) missed.push(rule)
  }
  expect(missed).toEqual([])
})

function kindOf(route: MountedRoute): string {
  const rule = findRule(route)
  return rule === undefined || rule === 'same' ? '' : `${rule.name} ${route.path.split('/')[1] ?? ''}`
}

/** A pairing code, a page's question and a provider's state live for minutes: they are not looked up. */
function isLookedUp({ path }: MountedRoute, request: RoutedRequest): boolean {
  // A code of the screen is over before a tenant has moved.
  return !/enroll|callback|wallet\/code/.test(path) && !request.path.includes('?cell=')
}
