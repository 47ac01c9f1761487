import {
  type DashboardOperation,
  type DashboardRoute,
  dashboardRoutes,
  routes as publishedRoutes,
} from '@vidimus/contract'
import { expect, test } from 'vitest'
import { pairDevice } from '../../test/pair-device.ts'
import { startService, type Service } from '../../test/service.ts'
import { signIn } from '../../test/sign-in/browser.ts'
import { openWallet } from '../../test/wallet.ts'
import { changeTenantState } from './tenant-state.ts'

type Route = { method: string; path: string; stream?: boolean }
const published = Object.entries<Route>(publishedRoutes)
const dashboard = Object.entries<DashboardRoute>(dashboardRoutes)

/** What creates a verification. Everything else goes on. */
const creations = [
  'createVerification',
  'tryTemplate',
  'dashboard createTestVerification',
  'dashboard tryTemplate',
]

const template = {
  name: 'Own',
  description: 'x',
  query: {
    credentials: [
      {
        id: 'pid',
        format: 'dc+sd-jwt',
        meta: { vct_values: ['urn:eudi:pid:1'] },
        claims: [{ path: ['age_over_18'] }],
      },
    ],
  },
}
/** Bodies that are accepted, by operation. Any other body is refused in the same way for everybody. */
const bodies: Record<string, unknown> = {
  createVerification: { template: 'age_over_18' },
  createTestVerification: { template: 'age_over_18' },
  tryTemplate: { template: 'age_over_18', persona: 'adult' },
  registerDevice: { name: 'Till', allowed_templates: ['age_over_18'] },
  changeDevice: { name: 'Bar' },
  renewPairingCode: {},
  checkPin: { pin: '4711' },
  createWebhookEndpoint: { url: 'https://hooks.example/x', events: ['verification.completed'] },
  changeWebhookEndpoint: { enabled: false },
  createKey: { name: 'K', scopes: ['verifications:read'], lifetime_days: 30 },
  putTemplate: { template },
  duplicateTemplate: { key: 'copy' },
  lintTemplate: { template },
  requestSignUp: { organisation: 'Shop', email: 'shop@example.com' },
  inviteMember: { email: 'new@example.com', role: 'support' },
  changeMe: { name: 'Ada' },
  changePolicies: { retention_days: 7 },
  changeBrand: {},
  changeRequestLog: { enabled: false },
  changeTrustPolicy: { policy: 'own' },
  createOpenIdClient: {
    name: 'Shop',
    redirect_uris: ['https://shop.example/cb'],
    templates: ['age_over_18'],
  },
  resendFailed: { since: '2026-01-01T00:00:00Z' },
}

/** A tenant with one of what the routes name, before it is suspended. */
async function prepare(service: Service) {
  const merchant = await service.tenant()
  const owner = await signIn(service, merchant)
  const create = async () => (await merchant.post('/v1/verifications', { template: 'age_over_18' })).body
  const [open, completed, erased] = [await create(), await create(), await create()]
  await (await openWallet(service.ctx, service.address)).respond(completed.wallet_uri)
  let form = ''
  const wallet = await openWallet(service.ctx, service.address, { onPost: (posted) => (form = posted) })
  await wallet.respond(open.wallet_uri)
  const { id: device } = await pairDevice(service, merchant)
  const endpoint = (await merchant.post('/v1/webhook_endpoints', bodies['createWebhookEndpoint'])).body
    .endpoint
  const { key_id } = await merchant.as({})
  const named = (name: string, path: string): string => {
    if (path.includes('/devices/')) return device
    if (/webhook.endpoints\//.test(path)) return endpoint.id
    if (path.includes('/keys/') || path.includes('/api_keys/')) return key_id
    if (path.includes('/members/') || path.includes('/sessions/') || path.includes('/passkeys/'))
      return crypto.randomUUID()
    if (name === 'eraseVerification') return erased.id
    return path.startsWith('/wallet') || path.startsWith('/verify') ? open.id : completed.id
  }
  const fill = (name: string, path: string) => ({
    environment: 'test',
    key: name === 'putTemplate' ? 'own' : 'age_over_18',
    attempt: '1',
    ecosystem: 'apple',
    fingerprint: '0'.repeat(64),
    code: 'x',
    id: named(name, path),
    sessionId: open.id,
  })
  const toPath = (name: string, path: string) =>
    path.replaceAll(
      /\{(\w+)\}/g,
      (_, param: string) => Object.entries(fill(name, path)).find(([key]) => key === param)?.[1] ?? '',
    )
  const openStream = async (path: string) => {
    const headers = { cookie: owner.cookie(), 'sec-fetch-site': 'same-origin' }
    const response = await fetch(service.address + path, { headers })
    await response.body?.cancel()
    return `${response.status}`
  }
  const show = ({ status, body }: { status: number; body: { error?: { code: string } } | undefined }) =>
    `${status}${body?.error === undefined ? '' : ` ${body.error.code}`}`
  return {
    merchant,
    owner,
    async callPublished(name: string, { method, path }: Route) {
      if (path.endsWith('/events')) return openStream(toPath(name, path))
      const isWallet = name === 'postWalletResponse' || name === 'postDcResponse'
      const options = isWallet
        ? { raw: form, headers: { 'content-type': 'application/x-www-form-urlencoded' } }
        : method === 'GET' || method === 'DELETE'
          ? {}
          : { body: bodies[name] ?? {} }
      return show(await merchant.request(method, toPath(name, path), options))
    },
    async callDashboard(name: string, { method, path, stream }: DashboardRoute) {
      if (stream === true) return openStream(toPath(name, path))
      const body = method === 'GET' || method === 'DELETE' ? {} : { body: bodies[name] ?? {} }
      return show(await owner.call(name as DashboardOperation, { params: fill(name, path), ...body })) // a key of the table
    },
  }
}

/** What ends the session, or deletes what others name, comes last. */
const last = (name: string) =>
  ['signOut', 'signOutEverywhere'].includes(name) ? 2 : /^(revoke|delete|remove|erase)/.test(name) ? 1 : 0
const inOrder = <Item extends [string, unknown]>(items: Item[]) =>
  items.toSorted(([a], [b]) => last(a) - last(b))

test(
  'a suspended and a closed tenant are refused exactly what creates a verification, of all routes',
  { timeout: 240_000 },
  async () => {
    await using service = await startService()
    const [active, suspended, closed] = [
      await prepare(service),
      await prepare(service),
      await prepare(service),
    ]
    const operator = { name: 'ada', reason: 'Not paid.' }
    await changeTenantState(service.ctx, {
      tenant_id: suspended.merchant.tenant_id,
      state: 'suspended',
      operator,
    })
    await changeTenantState(service.ctx, { tenant_id: closed.merchant.tenant_id, state: 'closed', operator })

    const statuses: [name: string, active: string, suspended: string, closed: string][] = []
    for (const [name, route] of inOrder(published)) {
      const call = (tenant: typeof active) => tenant.callPublished(name, route)
      statuses.push([name, await call(active), await call(suspended), await call(closed)])
    }
    for (const [name, route] of inOrder(dashboard)) {
      const call = (tenant: typeof active) => tenant.callDashboard(name, route)
      statuses.push([`dashboard ${name}`, await call(active), await call(suspended), await call(closed)])
    }

    expect(statuses).toHaveLength(published.length + dashboard.length)
    const refused = statuses.filter(([, , after]) => after === '403 tenant_suspended').map(([name]) => name)
    expect(refused.toSorted()).toEqual(creations.toSorted())
    expect(statuses.filter(([name, before, after]) => before !== after && !creations.includes(name))).toEqual(
      [],
    )
    for (const [name, before, , after] of statuses.filter(([each]) => creations.includes(each)))
      expect([name, before.slice(0, 2), after]).toEqual([name, '20', '403 tenant_suspended'])
    // An open verification of a closed tenant has ended.
    const ended = statuses.filter(([name, before, , after]) => before !== after && !creations.includes(name))
    expect(ended).toEqual([
      ['getWalletRequest', '200', '200', '410 session_expired'],
      ['postWalletResponse', '200', '200', '410 session_expired'],
      ['cancelAsHolder', '409 session_already_responded', '409 session_already_responded', '200'],
      [
        'getDcRequests',
        '409 session_already_responded',
        '409 session_already_responded',
        '410 session_expired',
      ],
    ])
    expect(statuses.filter(([, before]) => before.startsWith('2')).length).toBeGreaterThan(90)
  },
)
