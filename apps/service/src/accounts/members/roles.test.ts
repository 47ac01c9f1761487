import { dashboardRoutes, may, roles, type DashboardOperation, type DashboardRoute } from '@vidimus/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser, signIn, type SignedInBrowser } from '../../../test/sign-in/browser.ts'
import { startService, type Merchant, type Service } from '../../../test/service.ts'

let service: Service
let merchant: Merchant
const team = new Map<string, SignedInBrowser>()
beforeAll(async () => {
  service = await startService()
  merchant = await service.tenant()
  for (const role of roles) team.set(role, await signIn(service, { ...merchant, role }))
})
afterAll(() => service[Symbol.asyncDispose]())

const operations = Object.entries<DashboardRoute>(dashboardRoutes) as [DashboardOperation, DashboardRoute][]
const nowhere = {
  id: '00000000-0000-4000-8000-000000000000',
  key: 'none',
  attempt: '1',
  environment: 'test',
  ecosystem: 'apple',
  fingerprint: '0'.repeat(64),
}
const guarded = operations.filter(([, { may: permission }]) => permission !== 'anyone')

/** Statuses after the guard for an invalid body and unknown ids. */
const pastTheGuard = [200, 201, 400, 404, 409, 422]

/** Opens a stream and closes it at once. */
async function openStream(role: string, { path }: DashboardRoute) {
  const response = await fetch(service.address + path.replace('{environment}', 'test'), {
    headers: { cookie: team.get(role)?.cookie() ?? '', 'sec-fetch-site': 'same-origin' },
  })
  const { status } = response
  if (status !== 200) return { status, body: (await response.json()) as { error: { code: string } } }
  await response.body?.cancel()
  return { status, body: undefined }
}

describe.each(roles)('as %s', (role) => {
  test.each(guarded)('%s is allowed exactly if the role permits it', async (operation, route) => {
    // It ends the session and has its own test.
    if (operation === 'signOutEverywhere') return
    const response =
      route.stream === true
        ? await openStream(role, route)
        : await team.get(role)?.call(operation, {
            params: nowhere,
            ...(route.json !== undefined && { body: { rubbish: true } }),
          })
    const allowed = route.may === 'signed_in' || may(role, route.may as Parameters<typeof may>[1])
    const refused = response?.body?.error?.code === 'role_not_allowed'
    expect({ refused, past: pastTheGuard.includes(response?.status ?? 0) }).toEqual({
      refused: !allowed,
      past: allowed,
    })
  })
})

test('without a session only public routes are allowed', async () => {
  const browser = openBrowser(service)
  for (const [operation, route] of operations) {
    const { status } = await browser.call(operation, {
      params: nowhere,
      ...(route.json !== undefined && { body: { rubbish: true } }),
    })
    const open = [200, 303, 400].includes(status)
    expect([operation, open, status === 401]).toEqual([
      operation,
      route.may === 'anyone',
      route.may !== 'anyone',
    ])
  }
})

test('an auditor cannot change anything, and support cannot read claims', () => {
  // Linting a draft changes nothing, although it is a POST.
  const changing = guarded.filter(
    ([operation, { method, may: permission }]) =>
      method !== 'GET' && permission !== 'signed_in' && operation !== 'lintTemplate',
  )
  expect(changing.filter(([, route]) => may('auditor', route.may as never))).toEqual([])
  expect(changing.length).toBeGreaterThan(10)
  expect(may('support', 'read_claims')).toBe(false)
})

test('every route of the contract is served', async () => {
  const owner = team.get('owner')
  const missing: string[] = []
  for (const [operation, route] of operations) {
    if (operation === 'signOutEverywhere' || operation === 'signOut' || route.stream === true) continue
    const response = await owner?.call(operation, {
      params: nowhere,
      ...(route.json !== undefined && { body: { rubbish: true } }),
    })
    if (response?.body?.error?.message === 'There is no such route.') missing.push(operation)
  }
  expect(missing).toEqual([])
})
