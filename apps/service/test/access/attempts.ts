import {
  accessKinds,
  dashboardRoutes,
  may,
  permissions,
  roles,
  type AccessKind,
  type DashboardOperation,
  type DashboardRoute,
  type Permission,
} from '@vidimus/contract'
import { tokenFromLink, openBrowser } from '../sign-in/browser.ts'
import { softwareAuthenticator } from '../sign-in/authenticator.ts'
import { newAccessCertificate } from '../trust/access-certificate.ts'
import { disclosing, here, idOf, yesNo, type AccessFixture, type SignedInBrowser } from './fixture.ts'
import { makeAccess, pair, probeAddress, probeClient } from './make.ts'

/** Something that a member does with what their role allows, and what they can do in the end. */
export type Attempt = {
  uses: readonly DashboardOperation[]
  run: (fixture: AccessFixture, by: SignedInBrowser) => Promise<Permission[]>
}

const creates: Record<AccessKind, DashboardOperation> = {
  api_key: 'createKey',
  device: 'registerDevice',
  openid_client: 'createOpenIdClient',
  webhook_endpoint: 'createWebhookEndpoint',
  alert_webhook: 'setAlertWebhook',
  trust_anchor: 'addAnchors',
  access_certificate: 'changeIdentity',
}

/** Whatever makes or takes an object that gives access, and whatever shows something of a verification. */
export const attempts: Record<string, Attempt> = {
  ...Object.fromEntries(
    (Object.keys(accessKinds) as AccessKind[]).map((kind): [string, Attempt] => [
      `make ${kind}`,
      { uses: [creates[kind]], run: async (fixture, by) => (await makeAccess[kind](fixture, by))() },
    ]),
  ),
  'set the identity for another ecosystem': {
    uses: ['changeEcosystemIdentity'],
    async run({ owner }, by) {
      const { chain, key } = newAccessCertificate()
      const params = { ...here, ecosystem: 'apple' }
      await by.call('changeEcosystemIdentity', { params, body: { certificate: { chain, key } } })
      const { identities } = (await owner.call('getSettings')).body
      await owner.call('changeEcosystemIdentity', { params, body: { certificate: null } })
      return identities.length > 0 ? ['manage_settings'] : []
    },
  },
  "roll the owner's key": {
    uses: ['rollKey'],
    async run({ owner, merchant, caller }, by) {
      const { key } = (
        await owner.call('createKey', {
          params: here,
          body: { name: 'K', scopes: ['verifications:delete'] },
        })
      ).body
      const at = { params: { ...here, id: key.id }, body: { overlap_seconds: 0 } }
      const { status, body } = await by.call('rollKey', at)
      if (status !== 201) return []
      const { id } = (await merchant.post('/v1/verifications', { template: yesNo })).body
      const erased = await caller(body.secret).delete(`/v1/verifications/${id}`)
      return erased.status === 200 ? ['erase_verifications'] : []
    },
  },
  "give the owner's device a new pairing code": {
    uses: ['renewPairingCode'],
    async run(fixture, by) {
      const { device } = await register(fixture.owner, disclosing)
      const at = { params: { ...here, id: device.id }, body: {} }
      const { status, body } = await by.call('renewPairingCode', at)
      return status === 201 ? (await pair(fixture, body.pairing_code))() : []
    },
  },
  'give a device of their own more templates': {
    uses: ['changeDevice'],
    async run(fixture, by) {
      const registered = await register(by, yesNo)
      if (registered.device === undefined) return []
      const params = { ...here, id: registered.device.id }
      await by.call('changeDevice', { params, body: { allowed_templates: [disclosing] } })
      return (await pair(fixture, registered.pairing_code))()
    },
  },
  'make the template of a device of their own show more, or wait until somebody else does': {
    uses: ['putTemplate', 'duplicateTemplate'],
    async run(fixture, by) {
      const key = `door-${crypto.randomUUID()}`
      const copy = (from: string, to: string) =>
        fixture.owner.call('duplicateTemplate', {
          params: { key: from },
          body: { key: to },
        })
      await copy(yesNo, key)
      const { pairing_code } = await register(by, key)
      if (pairing_code === undefined) return []
      const { template } = (await fixture.owner.call('getTemplate', { params: { key: disclosing } })).body
      await by.call('putTemplate', { params: { key }, body: { template } })
      await fixture.owner.call('putTemplate', { params: { key }, body: { template } })
      return (await pair(fixture, pairing_code))()
    },
  },
  "roll the secret of the owner's client, or add an address to it": {
    uses: ['rollOpenIdClientSecret', 'changeOpenIdClient'],
    async run(fixture, by) {
      const settings = { redirect_uris: ['https://shop.example/cb'], templates: [disclosing] }
      const { client } = (
        await fixture.owner.call('createOpenIdClient', { params: here, body: { name: 'Shop', ...settings } })
      ).body
      const params = { ...here, id: client.id }
      const redirect_uris = ['https://elsewhere.example/cb']
      await by.call('changeOpenIdClient', { params, body: { redirect_uris } })
      const rolled = await by.call('rollOpenIdClientSecret', { params, body: { overlap_seconds: 0 } })
      const secret: string = rolled.body.secret ?? 'unknown'
      return probeClient(fixture, { client, secret, settings: { ...settings, redirect_uris } })()
    },
  },
  "send the owner's endpoint elsewhere": {
    uses: ['changeWebhookEndpoint'],
    async run(fixture, by) {
      const endpoint = (
        await fixture.owner.call('createWebhookEndpoint', {
          params: here,
          body: { url: `${fixture.receiver.url}/owner`, events: ['verification.completed'] },
        })
      ).body.endpoint
      const params = { ...here, id: endpoint.id }
      const path = `/${crypto.randomUUID()}`
      await by.call('changeWebhookEndpoint', { params, body: { url: fixture.receiver.url + path } })
      const gained = await probeAddress(fixture, path)()
      await fixture.owner.call('deleteWebhookEndpoint', { params })
      return gained
    },
  },
  'invite somebody with every role, who joins': {
    uses: ['inviteMember'],
    async run(fixture, by) {
      const gained: Permission[] = []
      for (const role of roles) {
        const email = `${crypto.randomUUID()}@example.com`
        const { status, body } = await by.call('inviteMember', { body: { email, role } })
        if (status === 201) gained.push(...(await joinWith(fixture, body.link)))
      }
      return gained
    },
  },
  'give themselves every role': {
    uses: ['changeRole'],
    async run(_fixture, by) {
      const id = await idOf(by)
      for (const role of roles) await by.call('changeRole', { params: { id }, body: { role } })
      return permissionsOf((await by.call('getMe')).body.member.role)
    },
  },
  'create a verification in the dashboard': {
    uses: ['createTestVerification', 'tryTemplate'],
    async run({ canary }, by) {
      const created = await by.call('createTestVerification', {
        body: { template: disclosing, persona: 'adult' },
      })
      const template = { template: { name: 'T', description: 'T', query: { credentials: [] } } }
      const tried = await by.call('tryTemplate', { body: template })
      return [
        ...(created.status === 201 ? (['create_verifications'] as const) : []),
        ...((created.text + tried.text).includes(canary) ? (['read_claims'] as const) : []),
      ]
    },
  },
  'make a link': {
    uses: ['createLink', 'changeLink'],
    async run({ address }, by) {
      const body = { name: 'Tasting', template: yesNo }
      const { id, url } = (await by.call('createLink', { params: here, body })).body
      await by.call('changeLink', { params: { ...here, id }, body: { template: disclosing } })
      if (url === undefined) return []
      const visited = await fetch(address + new URL(url).pathname, { method: 'POST', redirect: 'manual' })
      return visited.status === 303 ? ['create_verifications'] : []
    },
  },
  'send events': {
    uses: ['sendTestEvent', 'resendWebhook', 'resendFailed'],
    async run({ receiver, canary, id }, by) {
      const path = `/${crypto.randomUUID()}`
      const texts = [
        await by.call('sendTestEvent', { params: here, body: { url: receiver.url + path } }),
        await by.call('resendWebhook', { params: { ...here, id } }),
        await by.call('resendFailed', { params: here, body: { since: new Date().toISOString() } }),
        ...receiver.received.filter(({ line }) => line.includes(path)).map(({ body }) => ({ text: body })),
      ]
      return texts.some(({ text }) => text.includes(canary)) ? ['read_claims'] : []
    },
  },
  'read everything': {
    uses: ['revealClaims', 'revealPayload', 'revealWebhookSecret', 'lintTemplate'],
    async run({ canary, id, merchant }, by) {
      const params = { ...here, id, key: disclosing, attempt: '1' }
      const routes = Object.entries<DashboardRoute>(dashboardRoutes) as [DashboardOperation, DashboardRoute][]
      const texts: string[] = []
      for (const [operation, { method, stream }] of routes)
        if (stream !== true && (method === 'GET' || operation.startsWith('reveal')))
          texts.push((await by.call(operation, { params })).text)
      const shown = texts.join('\n')
      return [
        ...(shown.includes(canary) ? (['read_claims'] as const) : []),
        ...(shown.includes(merchant.webhook_secret) ? (['read_secret'] as const) : []),
      ]
    },
  },
}

/** Operations that change something and neither make nor take what gives access. */
export const givesNoAccess: Partial<Record<DashboardOperation, string>> = {
  addRegistration: 'a registration limits what is asked',
  assignRegistration: 'a registration limits what is asked',
  changeRegistration: 'a registration limits what is asked',
  changeRegistrationSettings: 'a registration limits what is asked',
  checkRegistration: 'it repeats a check',
  readRegistration: 'it stores nothing',
  readAnchors: 'it stores nothing',
  changeBrand: 'holders see it',
  changeHolderPage: 'it says where holders may answer',
  grantSupport: 'it lets the operator look, and no member',
  changePolicies: 'it says how long results are kept',
  changeRequestLog: 'the log has no claims',
  registerSealingKey: 'it opens only what its owner is given otherwise',
  activateSealingKey: 'it opens only what its owner is given otherwise',
  refuseErasureRequest: 'the result stays as it is',
  retireSealingKey: 'who may read results may read them unsealed',
  changeTrustPolicy: 'it only leaves anchors out that others added',
  rotateAlertSecret: 'the secret signs what the service sends, and opens nothing',
  rotateWebhookEndpointSecret: 'the secret signs what the service sends, and opens nothing',
  rotateWebhookSecret: 'the secret signs what the service sends, and opens nothing',
}

function permissionsOf(role: (typeof roles)[number]): Permission[] {
  return (Object.keys(permissions) as Permission[]).filter((permission) => may(role, permission))
}

async function register(by: SignedInBrowser, template: string) {
  const body = { name: 'Till', allowed_templates: [template] }
  return (await by.call('registerDevice', { params: here, body })).body
}

async function joinWith(fixture: AccessFixture, link: string): Promise<Permission[]> {
  const browser = openBrowser(fixture)
  const token = tokenFromLink(link)
  const { body } = await browser.call('startPasskeyOfInvitation', { body: { token, name: 'New' } })
  const response = softwareAuthenticator(browser.origin).create(body.options)
  await browser.call('acceptWithPasskey', { body: { token, name: 'New', response } })
  return permissionsOf((await browser.call('getMe')).body.member.role)
}
