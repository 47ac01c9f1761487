import { createIssuer, exportAnchors, toPem } from '@vidimus/sandbox'
import { scopes, type AccessKind, type Permission } from '@vidimus/contract'
import { sql } from '../../src/engine/db/sql.ts'
import type { Caller } from '../caller.ts'
import { openSite } from '../openid/site.ts'
import { newAccessCertificate } from '../trust/access-certificate.ts'
import { waitUntil } from '../wait-until.ts'
import { disclosing, here, yesNo, type AccessFixture, type SignedInBrowser } from './fixture.ts'

/** What an object lets its holder do now, tried over HTTP without any verification. Nothing once it has ended. */
export type Probe = () => Promise<Permission[]>

const nothing: Probe = async () => []

/** Makes an object of each kind in the dashboard, as a member, with as much in it as the service lets them. */
export const makeAccess: Record<AccessKind, (fixture: AccessFixture, by: SignedInBrowser) => Promise<Probe>> =
  {
    async api_key(fixture, by) {
      const secrets: string[] = []
      for (const scope of scopes) {
        const { status, body } = await by.call('createKey', {
          params: here,
          body: { name: 'K', scopes: [scope], lifetime_days: 30 },
        })
        if (status === 201) secrets.push(body.secret)
      }
      return () => union(secrets.map((secret) => probeKey(fixture, secret)))
    },
    async device(fixture, by) {
      const probes: Probe[] = []
      for (const template of [yesNo, disclosing]) {
        const body = { name: 'Till', allowed_templates: [template] }
        const registered = await by.call('registerDevice', { params: here, body })
        if (registered.status === 201) probes.push(await pair(fixture, registered.body.pairing_code))
      }
      return () => union(probes.map((probe) => probe()))
    },
    async openid_client(fixture, by) {
      const settings = { redirect_uris: ['https://elsewhere.example/cb'], templates: [disclosing] }
      const { status, body } = await by.call('createOpenIdClient', {
        params: here,
        body: { name: 'Site', ...settings },
      })
      return status === 201 ? probeClient(fixture, { ...body, settings }) : nothing
    },
    async webhook_endpoint(fixture, by) {
      const path = `/${crypto.randomUUID()}`
      const { status } = await by.call('createWebhookEndpoint', {
        params: here,
        body: { url: fixture.receiver.url + path, events: ['verification.completed'] },
      })
      return status === 201 ? probeAddress(fixture, path) : nothing
    },
    async alert_webhook({ owner }, by) {
      const url = `https://8.8.8.8/${crypto.randomUUID()}`
      await by.call('setAlertWebhook', { body: { url } })
      return async () =>
        (await owner.call('getAlertWebhook')).body.webhook?.url === url ? ['manage_settings'] : []
    },
    async trust_anchor(fixture, by) {
      const issuer = createIssuer({
        now: new Date(),
        organization: 'Forger',
        status_uri: 'https://127.0.0.1:1',
      })
      const pem = exportAnchors(issuer).map(({ certificate }) => toPem(certificate))
      await by.call('addAnchors', { params: here, body: { pem: pem.join('\n') } })
      return async () => {
        const body = { template: disclosing }
        const { status } = await fixture.verifyAs(fixture.merchant, body, { issuer })
        return status === 'completed' ? ['manage_settings'] : []
      }
    },
    async access_certificate({ owner }, by) {
      const { chain, key, client_id } = newAccessCertificate()
      await by.call('changeIdentity', { body: { certificate: { chain, key } } })
      return async () =>
        (await owner.call('getSettings')).body.certificate.client_id === client_id ? ['manage_settings'] : []
    },
  }

/** What a key can do, and what can be done with whatever it can make. */
async function probeKey(fixture: AccessFixture, secret: string): Promise<Permission[]> {
  const key = fixture.caller(secret)
  const gained: Permission[] = []
  if ((await key.post('/v1/verifications', { template: yesNo })).status === 201)
    gained.push('create_verifications')
  if ((await key.get(`/v1/verifications/${fixture.id}`)).text.includes(fixture.canary))
    gained.push('read_claims')
  const spare = (await fixture.merchant.post('/v1/verifications', { template: yesNo })).body.id
  if ((await key.delete(`/v1/verifications/${spare}`)).status === 200) gained.push('erase_verifications')
  const registered = await key.post('/v1/devices', { name: 'Till', allowed_templates: [disclosing] })
  if (registered.status === 201) {
    const device = await pair(fixture, registered.body.pairing_code)
    gained.push('manage_devices', ...(await device()))
  }
  const path = `/${crypto.randomUUID()}`
  const endpoint = { url: fixture.receiver.url + path, events: ['verification.completed'] }
  if ((await key.post('/v1/webhook_endpoints', endpoint)).status === 201)
    gained.push('manage_endpoints', ...(await probeAddress(fixture, path)()))
  return [...gained, ...(await probeManagement(key))]
}

/** What a key manages, by requests that change nothing. */
async function probeManagement(key: Caller): Promise<Permission[]> {
  const policies = await key.request('PATCH', '/v1/settings/policies', { body: {} })
  const trust = await key.request('PATCH', '/v1/registrations/settings', { body: {} })
  const template = await key.request('DELETE', '/v1/templates/unknown')
  const client = await key.request('DELETE', `/v1/openid_clients/oc_${'0'.repeat(22)}`)
  const otherKey = await key.request('DELETE', `/v1/api_keys/${crypto.randomUUID()}`)
  return [
    ...([policies, trust].some(({ status }) => status === 200) ? (['manage_settings'] as const) : []),
    ...((await key.get('/v1/audit')).status === 200 ? (['read_audit'] as const) : []),
    ...(template.status === 404 ? (['manage_templates'] as const) : []),
    ...([client, otherKey].some(({ status }) => status === 404) ? (['manage_keys'] as const) : []),
  ]
}

/** Pairs a device. It may do nothing more than answer yes with a template that says no more. */
export async function pair(fixture: AccessFixture, pairing_code: string): Promise<Probe> {
  const { status, body } = await fixture.anonymous.post('/v1/devices/enroll', { pairing_code })
  if (status !== 200) return nothing
  const device = fixture.caller(body.access_token)
  const templates: string[] = body.device.allowed_templates
  return async () => {
    const gained: Permission[] = []
    for (const template of templates) {
      const { created, claims = {} } = await fixture.verifyAs(device, { template })
      if (created.status === 201) gained.push('manage_devices')
      if (Object.values(claims).some((value) => typeof value !== 'boolean')) gained.push('read_claims')
    }
    return gained
  }
}

type CreatedSite = {
  client: { id: string; issuer: string }
  secret: string
  settings: { redirect_uris: string[]; templates: string[] }
}

/** What somebody with the secret and the redirect address of a client can do. */
export function probeClient(fixture: AccessFixture, { client, secret, settings }: CreatedSite): Probe {
  return async () => {
    const { merchant } = fixture
    const site = openSite(fixture, {
      issuer: client.issuer,
      client_id: client.id,
      secret,
      merchant,
      settings,
    })
    // A client that has ended gets no verification, and a wrong secret no tokens.
    const obtained = await site.obtainCode().catch(() => undefined)
    if (obtained === undefined) return []
    const { body } = await site.exchange({ code: obtained.code, code_verifier: obtained.verifier })
    if (body?.access_token === undefined) return []
    const { text } = await site.userinfo(body.access_token)
    return ['create_verifications', ...(text.includes(fixture.canary) ? (['read_claims'] as const) : [])]
  }
}

/** Whether an address gets the claims of what others verify. An address of the verification itself shows when all was sent. */
export function probeAddress(fixture: AccessFixture, path: string): Probe {
  return async () => {
    const control = `/${crypto.randomUUID()}`
    const webhook_url = fixture.receiver.url + control
    const count = (part: string) =>
      fixture.receiver.received.filter(
        ({ line, body }) => line.includes(part) && body.includes(fixture.canary),
      ).length
    const before = count(path)
    await fixture.verifyAs(fixture.merchant, { template: disclosing, webhook_url })
    await waitUntil(() => count(control) > 0)
    await waitUntil(async () => count(path) > before || !(await isQueued(fixture)))
    return count(path) > before ? ['read_claims', 'manage_endpoints'] : []
  }
}

/** Whether a result waits to be sent. Alerts may: they go to an address where nobody is. */
async function isQueued({ ctx }: AccessFixture): Promise<boolean> {
  return (
    (await ctx.db.query(sql`select 1 from webhook_events where kind = 'verification' limit 1`)).length > 0
  )
}

async function union(probed: Promise<readonly Permission[]>[]): Promise<Permission[]> {
  return [...new Set((await Promise.all(probed)).flat())]
}
