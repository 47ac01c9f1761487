import { afterEach, beforeEach, expect, test } from 'vitest'
import { expectedSignature, startAlertService } from '../../../test/alerts.ts'
import { readAuditLog } from '../../../test/audit/audit.ts'
import { setClockOffset } from '../../../test/database/clock.ts'
import { startReceiver } from '../../../test/network/receiver.ts'
import type { Merchant } from '../../../test/service.ts'
import { softwareAuthenticator } from '../../../test/sign-in/authenticator.ts'
import { signIn, type SignedInBrowser } from '../../../test/sign-in/browser.ts'
import { joinPem, newAuthority } from '../../../test/trust/authorities.ts'
import { raiseAlert } from '../../audit/alerts/raise.ts'
import { maxOpenAlerts } from '../../audit/alerts/store.ts'
import { createKey } from '../../accounts/api-keys/create-key.ts'
import { watchExpiry } from './watch/watch.ts'

const live = { environment: 'live' }
const key = { name: 'Backend', scopes: ['verifications:create'] }
const client = { name: 'Shop', redirect_uris: ['https://shop.example/cb'], templates: ['age_over_18'] }
const endpoint = { url: 'https://8.8.8.8/hook', events: ['verification.completed'] }

let service: Awaited<ReturnType<typeof startAlertService>>
let merchant: Merchant
let owner: SignedInBrowser
beforeEach(async () => {
  service = await startAlertService()
  merchant = await service.tenant()
  owner = await signIn(service, merchant)
})
afterEach(() => service[Symbol.asyncDispose]())

type ListedAlert = { kind: string; environment?: string; details: Record<string, string> }

const listAlerts = async (): Promise<ListedAlert[]> =>
  (await owner.call('listAlerts', { params: live })).body.data.filter(
    ({ kind }: ListedAlert) => kind === 'access_changed',
  )
const actions = async () => (await listAlerts()).map(({ details }) => String(details['action'])).toSorted()

test('[ALERT-14] a live key is announced to the owners by mail, webhook and dashboard, with who, what, when and a link to its audit entry', async () => {
  const bodies: { body: string; signature: string }[] = []
  await using receiver = await startReceiver((socket, { body, headers }) => {
    bodies.push({ body, signature: String(headers['x-service-signature']) })
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
  })
  await service.addMembers(merchant, [
    { email: 'second@example.com', role: 'owner', language: 'de' },
    { email: 'admin@example.com', role: 'admin' },
  ])
  const webhook = (await owner.call('setAlertWebhook', { body: { url: receiver.url } })).body
  await service.notifyAll()
  service.mails.received.length = 0
  bodies.length = 0

  const created = (await owner.call('createKey', { params: live, body: key })).body
  await service.notifyAll()
  const alert = {
    kind: 'access_changed',
    environment: 'live',
    details: {
      action: 'key.created',
      actor_name: 'The owner',
      changed: created.key.id,
      about: created.key.prefix,
    },
  }
  expect((await listAlerts())[0]).toMatchObject(alert)
  expect(bodies).toHaveLength(1)
  const { body, signature } = bodies[0] ?? { body: '', signature: '' }
  expect(JSON.parse(body)).toMatchObject({ type: 'alert.raised', alert })
  expect(signature).toBe(expectedSignature(signature, body, webhook.secret))

  const { received } = service.mails
  expect(received.map(({ to }) => String(to[0])).toSorted()).toEqual([
    'owner@example.com',
    'second@example.com',
  ])
  const mail = received.find(({ to }) => to[0] === 'owner@example.com')
  expect(mail?.headers['subject']).toBe('An API key was created (live environment) – A merchant')
  expect(mail?.text).toMatch(/An API key was created \(vk_live_\w+.*\) by The owner on .* UTC\./)
  const german = received.find(({ to }) => to[0] === 'second@example.com')
  expect(german?.text).toContain('Ein API-Schlüssel wurde erstellt')
  for (const text of [body, mail?.text, mail?.html]) expect(text).not.toContain(created.secret)

  const link = new URL(/http:\S+audit\S+/.exec(mail?.text ?? '')?.[0] ?? '')
  expect(link.pathname).toBe('/dashboard/live/audit')
  await readAuditLog(service.ctx, merchant.tenant_id)
  const entries = await owner.call('listAudit', { query: Object.fromEntries(link.searchParams) })
  expect(entries.body.data).toMatchObject([{ action: 'key.created', subject: created.key.id }])
})

test('[ALERT-14] every change that gives lasting access is announced, also a second one to the same thing', async () => {
  const root = joinPem(newAuthority('A root').certificate)
  const call = async (...request: Parameters<SignedInBrowser['call']>) => {
    const response = await owner.call(...request)
    expect([request[0], response.status < 300, response.text]).toEqual([request[0], true, expect.any(String)])
    return response.body
  }
  const support = await signIn(service, { ...merchant, role: 'support' })
  expect(await actions()).toEqual([])
  const made = await call('createKey', { params: live, body: key })
  await call('rollKey', { params: { ...live, id: made.key.id }, body: { overlap_seconds: 0 } })
  const site = await call('createOpenIdClient', { params: live, body: client })
  const ofSite = { ...live, id: site.client.id }
  await call('changeOpenIdClient', { params: ofSite, body: { redirect_uris: ['https://a.example/cb'] } })
  await call('changeOpenIdClient', { params: ofSite, body: { redirect_uris: ['https://b.example/cb'] } })
  await call('rollOpenIdClientSecret', { params: ofSite, body: { overlap_seconds: 0 } })
  const hook = await call('createWebhookEndpoint', { params: live, body: endpoint })
  const ofHook = { ...live, id: hook.endpoint.id }
  await call('changeWebhookEndpoint', { params: ofHook, body: { url: 'https://8.8.4.4/hook' } })
  await call('rotateWebhookEndpointSecret', { params: ofHook })
  await call('revealWebhookSecret', { params: live })
  await call('rotateWebhookSecret', { params: live })
  await call('addAnchors', { params: live, body: { pem: root } })
  await call('changeTrustPolicy', { body: { policy: 'own' } })
  await call('changeIdentity', { body: { certificate: null } })
  await call('setAlertWebhook', { body: { url: 'https://8.8.8.8/alerts' } })
  await call('inviteMember', { body: { email: 'new@example.com', role: 'admin' } })
  const id = (await support.call('getMe')).body.member.id
  await call('changeRole', { params: { id }, body: { role: 'owner' } })
  const { options } = await call('startPasskey')
  const response = softwareAuthenticator(owner.origin).create(options)
  await call('addPasskey', { body: { name: 'Second', response } })
  expect(await actions()).toEqual([
    'key.created',
    'key.created',
    'member.invited',
    'member.passkey_added',
    'member.role_changed',
    'openid_client.changed',
    'openid_client.changed',
    'openid_client.created',
    'openid_client.secret_rolled',
    'tenant.alert_webhook_changed',
    'tenant.identity_changed',
    'tenant.trust_changed',
    'tenant.trust_changed',
    'webhook_endpoint.changed',
    'webhook_endpoint.created',
    'webhook_endpoint.secret_rotated',
    'webhook_secret.revealed',
    'webhook_secret.rotated',
  ])
  const texts = JSON.stringify(await listAlerts())
  for (const secret of [made.secret, site.secret, hook.secret, 'new@example.com'])
    expect(texts).not.toContain(secret)
})

test('[ALERT-14] what gives no lasting access, and changes in test, are not announced', async () => {
  const params = { environment: 'test' }
  await owner.call('createKey', { params, body: key })
  await owner.call('createOpenIdClient', { params, body: client })
  await owner.call('createWebhookEndpoint', { params, body: endpoint })
  await owner.call('revealWebhookSecret', { params })
  await owner.call('inviteMember', { body: { email: 'new@example.com', role: 'developer' } })
  await signIn(service, { ...merchant, role: 'auditor' })
  expect(await actions()).toEqual([])
  // The operator is announced too, once there is an owner.
  const { ctx } = service
  const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
  await createKey(ctx, { by, environment: 'live', scopes: ['verifications:read'] })
  expect((await listAlerts())[0]?.details).toMatchObject({ action: 'key.created', actor: 'operator' })
})

test('[ALERT-14] many changes come in one digest, do not prevent other alerts, and are resolved after a week', async () => {
  const { db } = service.ctx
  const count = maxOpenAlerts + 5
  for (let n = 0; n < count; n += 1)
    await raiseAlert(db, {
      tenant_id: merchant.tenant_id,
      environment: 'live',
      kind: 'access_changed',
      subject: String(n),
      details: { action: 'key.created', actor: 'member:1', actor_name: 'The owner' },
    })
  expect(await actions()).toHaveLength(maxOpenAlerts)
  expect(await service.raise(merchant)).toBe(true)
  service.mails.received.length = 0
  await service.notifyAll()
  expect(service.mails.received.length).toBeLessThanOrEqual(10)

  await setClockOffset(db, '8 days')
  await watchExpiry(service.ctx)
  owner = await signIn(service, { ...merchant, email: 'later@example.com' })
  const open = (await owner.call('listAlerts', { params: live })).body.data.filter(
    ({ resolved_at }: { resolved_at?: string }) => resolved_at === undefined,
  )
  expect(open.map(({ kind, details }: ListedAlert) => [kind, details['action']])).toEqual([
    ['access_changed', 'member.invited'],
    ['endpoint_failing', undefined],
  ])
})
