import {
  dashboardRoutes,
  type DashboardOperation,
  type DashboardRoute,
  type Environment,
} from '@vidimus/contract'
import { expect, test } from 'vitest'
import { readAuditLog } from '../../../../test/audit/audit.ts'
import { setClockOffset } from '../../../../test/database/clock.ts'
import { startService, type Merchant, type Service } from '../../../../test/service.ts'
import { newSealingKey, openWithKey } from '../../../../test/sealing.ts'
import { softwareAuthenticator } from '../../../../test/sign-in/authenticator.ts'
import {
  openBrowser,
  signIn,
  type CallOptions,
  type SignedInBrowser,
} from '../../../../test/sign-in/browser.ts'
import { newAccessCertificate } from '../../../../test/trust/access-certificate.ts'
import { joinPem, newAuthority } from '../../../../test/trust/authorities.ts'

type Routes = typeof dashboardRoutes
type ConfirmedOperation = {
  [Op in DashboardOperation]: Routes[Op] extends { confirmed: true } ? Op : never
}[DashboardOperation]

type Fixture = { service: Service; merchant: Merchant; owner: SignedInBrowser }

const live = { environment: 'live' satisfies Environment }
const device = { name: 'Bar', allowed_templates: ['age_over_18'] }
const client = {
  name: 'Shop',
  redirect_uris: ['https://shop.example/callback'],
  templates: ['age_over_18'],
}
const key = { name: 'Backend', scopes: ['verifications:create'] }
const endpoint = { url: 'https://8.8.8.8/hook', events: ['verification.completed'] }
const root = newAuthority('A root')

/** A request that succeeds, for every route that needs a confirmation. A route without one does not compile. */
const requests: Record<ConfirmedOperation, (fixture: Fixture) => CallOptions | Promise<CallOptions>> = {
  startPasskey: () => ({}),
  addPasskey: async ({ owner }) => {
    const { body } = await owner.call('startPasskey')
    return { body: { name: 'Second', response: softwareAuthenticator(owner.origin).create(body.options) } }
  },
  removePasskey: async ({ owner }) => {
    const { passkeys } = (await owner.call('getMe')).body
    return { params: { id: passkeys.find(({ id }: { id: string }) => id !== owner.passkey.id).id } }
  },
  endSession: async ({ service, owner }) => {
    const elsewhere = openBrowser(service)
    const { body } = await elsewhere.call('startPasskeySignIn')
    await elsewhere.call('finishPasskeySignIn', { body: { response: owner.passkey.get(body.options) } })
    const { sessions } = (await owner.call('getMe')).body
    return { params: { id: sessions.find(({ current }: { current: boolean }) => !current).id } }
  },
  createKey: () => ({ params: live, body: key }),
  rollKey: async ({ owner }) => {
    const { body } = await owner.call('createKey', { params: live, body: key })
    return { params: { ...live, id: body.key.id }, body: { overlap_seconds: 0 } }
  },
  registerDevice: () => ({ params: live, body: device }),
  changeDevice: async ({ owner }) => {
    const { body } = await owner.call('registerDevice', { params: live, body: device })
    return { params: { ...live, id: body.device.id }, body: { name: 'Counter' } }
  },
  renewPairingCode: async ({ owner }) => {
    const { body } = await owner.call('registerDevice', { params: live, body: device })
    return { params: { ...live, id: body.device.id }, body: {} }
  },
  createOpenIdClient: () => ({ params: live, body: client }),
  changeOpenIdClient: async ({ owner }) => {
    const { body } = await owner.call('createOpenIdClient', { params: live, body: client })
    const redirect_uris = ['https://elsewhere.example/callback']
    return { params: { ...live, id: body.client.id }, body: { redirect_uris } }
  },
  rollOpenIdClientSecret: async ({ owner }) => {
    const { body } = await owner.call('createOpenIdClient', { params: live, body: client })
    return { params: { ...live, id: body.client.id }, body: { overlap_seconds: 0 } }
  },
  registerSealingKey: async () => ({
    params: live,
    body: { jwk: (await newSealingKey()).publicJwk },
  }),
  activateSealingKey: async ({ owner }) => {
    const sealingKey = await newSealingKey()
    // A device and a client of the cases before could not read what is sealed in live.
    const inTest = { environment: 'test' satisfies Environment }
    const registered = await owner.call('registerSealingKey', {
      params: inTest,
      body: { jwk: sealingKey.publicJwk },
    })
    const challenge = await openWithKey(registered.body.challenge, sealingKey)
    return { params: { ...inTest, kid: sealingKey.kid }, body: { challenge } }
  },
  retireSealingKey: async ({ owner }) => {
    const sealingKey = await newSealingKey()
    const body = { jwk: sealingKey.publicJwk }
    await owner.call('registerSealingKey', { params: live, body })
    return { params: { ...live, kid: sealingKey.kid } }
  },
  createWebhookEndpoint: () => ({ params: live, body: endpoint }),
  changeWebhookEndpoint: async ({ owner }) => {
    const { body } = await owner.call('createWebhookEndpoint', { params: live, body: endpoint })
    return { params: { ...live, id: body.endpoint.id }, body: { url: 'https://8.8.4.4/hook' } }
  },
  rotateWebhookEndpointSecret: async ({ owner }) => {
    const { body } = await owner.call('createWebhookEndpoint', { params: live, body: endpoint })
    return { params: { ...live, id: body.endpoint.id } }
  },
  revealWebhookSecret: () => ({ params: live }),
  rotateWebhookSecret: () => ({ params: live }),
  inviteMember: () => ({ body: { email: 'new@example.com', role: 'admin' } }),
  changeRole: async ({ service, merchant, owner }) => ({
    params: { id: await memberId(await signIn(service, { ...merchant, role: 'support' }), owner) },
    body: { role: 'admin' },
  }),
  removeMember: async ({ service, merchant, owner }) => ({
    params: { id: await memberId(await signIn(service, { ...merchant, role: 'auditor' }), owner) },
  }),
  changePolicies: () => ({ body: { hold_back: false } }),
  changeHolderPage: () => ({ body: { page_origins: ['https://shop.example'] } }),
  changeIdentity: () => ({ body: { certificate: null } }),
  changeEcosystemIdentity: () => {
    const { client_id: _, ...certificate } = newAccessCertificate()
    return { params: { ...live, ecosystem: 'apple' }, body: { certificate } }
  },
  changeTrustPolicy: () => ({ body: { policy: 'own' } }),
  addAnchors: () => ({ params: live, body: { pem: joinPem(root.certificate) } }),
  removeAnchor: async ({ owner }) => {
    const { anchors } = (await owner.call('getSettings')).body.own_trust
    return { params: { ...live, fingerprint: anchors[0].fingerprint } }
  },
  changeAlertChoices: () => ({ body: { kinds: { quota: false } } }),
  setAlertWebhook: () => ({ body: { url: 'https://8.8.8.8/alerts' } }),
  rotateAlertSecret: () => ({}),
  removeAlertWebhook: () => ({}),
  changeRequestLog: () => ({ body: { enabled: false } }),
  grantSupport: () => ({}),
  exportClaims: () => ({ params: live }),
  changeRegistrationSettings: () => ({ body: { policy: 'warn' } }),
}

async function memberId({ email }: SignedInBrowser, owner: SignedInBrowser): Promise<string> {
  const { members } = (await owner.call('listTeam')).body
  return members.find((member: { email: string }) => member.email === email).id
}

const all = Object.entries<DashboardRoute>(dashboardRoutes) as [DashboardOperation, DashboardRoute][]
const confirmed = all.filter(([, route]) => route.confirmed === true)
const nowhere = {
  ...live,
  id: '00000000-0000-4000-8000-000000000000',
  fingerprint: '0'.repeat(64),
  kid: '0'.repeat(43),
}

test('[DASH-9] a session of 50 minutes is refused every route that needs a confirmation, and allowed each after one', async () => {
  await using service = await startService()
  const merchant = await service.tenant()
  const owner = await signIn(service, merchant)
  const actions = async () => (await readAuditLog(service.ctx, merchant.tenant_id)).length
  await setClockOffset(service.ctx.db, '50 minutes')
  const before = await actions()
  for (const [operation, { method }] of confirmed) {
    const request = { params: nowhere, ...(method !== 'GET' && { body: {} }) }
    const { status, body } = await owner.call(operation, request)
    expect([operation, status, body.error?.code]).toEqual([operation, 403, 'confirmation_required'])
  }
  expect(await actions()).toBe(before)

  const { body } = await owner.call('startConfirmation')
  const response = owner.passkey.get(body.options)
  expect((await owner.call('confirmWithPasskey', { body: { response } })).status).toBe(200)
  for (const [operation, { success }] of confirmed) {
    const request = await requests[operation as ConfirmedOperation]({ service, merchant, owner })
    const { status, text } = await owner.call(operation, request)
    expect([operation, status, text]).toEqual([operation, success.status, expect.any(String)])
  }
  expect(confirmed.length).toBe(Object.keys(requests).length)
})

test('[DASH-9] a session of 50 minutes reads and does other work without a confirmation', async () => {
  await using service = await startService()
  const owner = await signIn(service, await service.tenant())
  await setClockOffset(service.ctx.db, '50 minutes')
  // They end the session.
  const others = all.filter(
    ([operation, route]) =>
      route.confirmed !== true && route.stream !== true && !operation.startsWith('signOut'),
  )
  const asked: string[] = []
  for (const [operation, route] of others) {
    const { body } = await owner.call(operation, {
      params: { ...nowhere, key: 'none', attempt: '1' },
      ...(route.json !== undefined && { body: { rubbish: true } }),
    })
    if (body?.error?.code === 'confirmation_required') asked.push(operation)
  }
  expect(asked).toEqual([])
  expect(others.length).toBeGreaterThan(50)
})
