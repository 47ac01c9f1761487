import {
  type OperatorOperation,
  type OperatorRole,
  type OperatorRoute,
  dashboardRoutes,
  operatorRoles,
  operatorRoutes,
  routes as publishedRoutes,
} from '@vidimus/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { caller } from '../../test/caller.ts'
import { pairDevice } from '../../test/pair-device.ts'
import { startServiceWithConsole, createOperatorToken, signInOperator } from '../../test/sign-in/console.ts'
import type { SignedInOperator } from '../../test/sign-in/console.ts'
import { buildPath, signIn } from '../../test/sign-in/browser.ts'
import type { Service } from '../../test/service.ts'

const all = operatorRoles
const everyone = 'everyone'

/** Who may use each route. A route without a row does not compile. */
const allowed: Record<OperatorOperation, readonly OperatorRole[] | typeof everyone> = {
  getSignIn: everyone,
  startSignIn: everyone,
  finishSignIn: everyone,
  startOidcSignIn: everyone,
  finishOidc: everyone,
  readInvitation: everyone,
  startInvitation: everyone,
  acceptInvitation: everyone,
  acceptWithOidc: everyone,
  signOut: everyone,
  getMe: all,
  startConfirmation: all,
  confirm: all,
  startOidcConfirmation: all,
  startPasskey: all,
  addPasskey: all,
  removePasskey: all,
  signOutEverywhere: all,
  listTokens: all,
  createToken: all,
  revokeToken: all,
  listOperators: ['owner'],
  addOperator: ['owner'],
  inviteOperator: ['owner'],
  changeOperatorRole: ['owner'],
  removeOperator: ['owner'],
  listTenants: ['owner', 'support', 'billing'],
  getTenant: ['owner', 'support', 'billing'],
  listAttention: ['owner', 'support', 'billing'],
  createTenant: ['owner'],
  inviteOwner: ['owner'],
  suspendTenant: ['owner'],
  resumeTenant: ['owner'],
  closeTenant: ['owner'],
  deleteTenant: ['owner'],
  keepTenant: ['owner'],
  listSignUps: ['owner', 'support', 'billing'],
  approveTenant: ['owner'],
  refuseTenant: ['owner'],
  getSupportAccess: ['owner', 'support'],
  takeSupportAccess: ['owner', 'support'],
  endSupportAccess: ['owner', 'support'],
  listSupportVerifications: ['owner', 'support'],
  getSupportVerification: ['owner', 'support'],
  listSupportDeliveries: ['owner', 'support'],
  listSupportRequests: ['owner', 'support'],
  getSupportConfig: ['owner', 'support'],
  setTenantPlan: ['owner', 'billing'],
  setTenantQuota: ['owner', 'billing'],
  listPlans: ['owner', 'support', 'billing'],
  setPlan: ['owner', 'billing'],
  removePlan: ['owner', 'billing'],
  listUsage: ['owner', 'billing', 'auditor'],
  exportUsage: ['owner', 'billing', 'auditor'],
  getHealth: ['owner', 'support', 'auditor'],
  search: ['owner', 'support'],
  listLog: ['owner', 'auditor'],
  getLogKey: ['owner', 'auditor'],
  proveLogEntry: ['owner', 'auditor'],
  verifyLog: ['owner', 'auditor'],
}

/** What a program with a token cannot do, whatever its role. */
const forPeople: readonly OperatorOperation[] = [
  'startConfirmation',
  'confirm',
  'startOidcConfirmation',
  'startPasskey',
  'addPasskey',
  'removePasskey',
  'signOutEverywhere',
  'listTokens',
  'createToken',
  'revokeToken',
  'addOperator',
  'inviteOperator',
  'changeOperatorRole',
  'removeOperator',
  'inviteOwner',
  'suspendTenant',
  'resumeTenant',
  'closeTenant',
  'deleteTenant',
  'keepTenant',
  'approveTenant',
  'refuseTenant',
  'takeSupportAccess',
  'setTenantPlan',
  'setTenantQuota',
  'setPlan',
  'removePlan',
]

let service: Service
const people = new Map<OperatorRole, SignedInOperator>()
beforeAll(async () => {
  service = await startServiceWithConsole()
  for (const role of operatorRoles) people.set(role, await signInOperator(service, role))
})
afterAll(() => service[Symbol.asyncDispose]())

const operations = Object.entries<OperatorRoute>(operatorRoutes) as [OperatorOperation, OperatorRoute][]
const nowhere = {
  id: '00000000-0000-4000-8000-000000000000',
  name: 'none',
  seq: '999',
  environment: 'test',
  verification_id: 'vs_none',
}
/** After the guard, for an invalid body, an invalid query and unknown ids. */
const pastTheGuard = [200, 201, 303, 400, 404, 409]
const request = ({ json }: OperatorRoute) => ({
  params: nowhere,
  ...(json !== undefined && { body: { rubbish: true } }),
})

describe.each(operatorRoles)('as %s', (role) => {
  test('exactly what the table allows is allowed', async () => {
    const wrong: unknown[] = []
    for (const [operation, route] of operations) {
      // They end the session, which others need.
      if (operation === 'signOutEverywhere' || operation === 'signOut') continue
      const reply = await people.get(role)?.call(operation, request(route))
      const rows = allowed[operation]
      const isRight =
        rows === everyone || rows.includes(role)
          ? pastTheGuard.includes(reply?.status ?? 0) || reply?.body?.error?.code === 'sign_in_failed'
          : reply?.status === 403 && reply.body.error.code === 'role_not_allowed'
      if (!isRight) wrong.push([operation, reply?.status, reply?.text])
    }
    expect(wrong).toEqual([])
  })

  test('a token of this role does the same, but nothing that needs a person', async () => {
    const owner = people.get('owner')
    if (owner === undefined) throw new Error('nobody is signed in')
    const { token } = await createOperatorToken(owner, { role, name: role })
    const program = caller(service.operator_address, token)
    const wrong: unknown[] = []
    for (const [operation, route] of operations) {
      const rows = allowed[operation]
      if (rows === everyone) continue
      const { body } = request(route) as { body?: unknown }
      const reply = await program.request(route.method, buildPath(route.path, nowhere), {
        ...(body !== undefined && { body }),
      })
      const code = reply.body?.error?.code
      const isRight = !rows.includes(role)
        ? reply.status === 403 && ['role_not_allowed', 'confirmation_required'].includes(code)
        : forPeople.includes(operation)
          ? reply.status === 403 && code === 'confirmation_required'
          : pastTheGuard.includes(reply.status)
      if (!isRight) wrong.push([operation, reply.status, reply.text])
    }
    expect(wrong).toEqual([])
  })
})

test('what is lasting needs a confirmation, and nothing that only reads', () => {
  const unconfirmed = [
    'startConfirmation',
    'confirm',
    'startOidcConfirmation',
    'signOutEverywhere',
    'listTokens',
    'revokeToken',
  ]
  const confirmed = operations.filter(([, route]) => route.confirmed)
  expect(confirmed.map(([operation]) => operation).toSorted()).toEqual(
    forPeople.filter((operation) => !unconfirmed.includes(operation)).toSorted(),
  )
  expect(confirmed.filter(([, { method }]) => method === 'GET')).toEqual([])
})

test('nobody else gets in: neither without credentials nor with those of a tenant', async () => {
  const merchant = await service.tenant()
  const member = await signIn(service, merchant)
  const device = await pairDevice(service, merchant)
  const console = caller(service.operator_address)
  const strangers: Record<string, Record<string, string>> = {
    nobody: {},
    'a member': { cookie: member.cookie() },
    'a member under our name': { cookie: `__Host-vidimus_operator=${[...member.cookies.values()][0]}` },
    'an API key': { authorization: `Bearer ${merchant.key}` },
    'a device': { authorization: `Bearer ${device.tokens.access_token}` },
  }
  const wrong: unknown[] = []
  for (const [who, headers] of Object.entries(strangers))
    for (const [operation, route] of operations) {
      if (allowed[operation] === everyone) continue
      const reply = await console.request(route.method, buildPath(route.path, nowhere), {
        headers: {
          'sec-fetch-site': 'same-origin',
          ...(route.method !== 'GET' && { origin: 'https://console.example.com' }),
          ...headers,
        },
        body: route.json === undefined ? undefined : {},
      })
      if (reply.status !== 401) wrong.push([who, operation, reply.status])
    }
  expect(wrong).toEqual([])
})

test('an operator gets nothing of a tenant with their session or token', async () => {
  const owner = people.get('owner')
  if (owner === undefined) throw new Error('nobody is signed in')
  const { token } = await createOperatorToken(owner, { role: 'owner', name: 'Elsewhere' })
  const [session] = [...owner.cookies.values()]
  const wrong: unknown[] = []
  for (const [name, { method, path, scope }] of Object.entries<{
    method: string
    path: string
    scope?: string
  }>(publishedRoutes)) {
    if (scope === undefined) continue
    const reply = await caller(service.address, token).request(method, path.replaceAll(/\{\w+\}/g, 'x'))
    if (reply.status !== 401) wrong.push([name, reply.status])
  }
  for (const [name, { method, path, may }] of Object.entries<{
    method: string
    path: string
    may: string
  }>(dashboardRoutes)) {
    if (may === 'anyone') continue
    const reply = await caller(service.address).request(method, path.replaceAll(/\{\w+\}/g, 'test'), {
      headers: {
        'sec-fetch-site': 'same-origin',
        origin: new URL(service.ctx.config.BASE_URL).origin,
        cookie: `vidimus_session=${session}; __Host-vidimus_session=${session}`,
        authorization: `Bearer ${token}`,
      },
    })
    if (reply.status !== 401) wrong.push([name, reply.status])
  }
  expect(wrong).toEqual([])
})
