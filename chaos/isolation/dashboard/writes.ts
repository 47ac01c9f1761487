import { randomUUID } from 'node:crypto'
import type { DashboardOperation } from '@vidimus/contract'
import { signBody } from '../../../apps/service/src/deliveries/webhooks/compose.ts'
import { newAccessCertificate } from '../../../apps/service/test/trust/access-certificate.ts'
import { newRegistration } from '../../../apps/service/test/trust/registrations.ts'
import { newAuthority, joinPem } from '../../../apps/service/test/trust/authorities.ts'
import { newSealingKey } from '../../../apps/service/test/sealing.ts'
import type { ApiResponse } from '../../../apps/service/test/caller.ts'
import { expectOthersUnchanged } from '../expect-unchanged.ts'
import { expectEqual } from '../expect-equal.ts'
import {
  deviceBody,
  endpointBody,
  linkBody,
  openIdClientBody,
  recordRotatedSecret,
  sharedNames,
  templateBody,
} from '../fixture/tenant-fixture.ts'
import type { IsolationFixture } from '../fixture/isolation-fixture.ts'

export type RouteTrial = (fixture: IsolationFixture) => Promise<string[]>

type OwnerCall = {
  body?: object
  params?: Record<string, string>
  status?: number
  /** Tables of which the installation has rows that change too. */
  except?: readonly string[]
  /** Returns the problems with the response. */
  check?: (response: ApiResponse, fixture: IsolationFixture) => string[] | Promise<string[]>
}

/** Calls a route as the owner of `otherTenant` and expects that rows of no other tenant change. */
function callAsOtherOwner(
  operation: DashboardOperation,
  { body, params, status = 200, except = [], check = () => [] }: OwnerCall,
): RouteTrial {
  return (fixture) =>
    expectOthersUnchanged(
      fixture,
      fixture.otherTenant.merchant,
      async () => {
        const response = await fixture.otherTenant.team.owner.call(operation, {
          ...(params !== undefined && { params }),
          ...(body !== undefined && { body }),
        })
        return [...expectEqual('the status', response.status, status), ...(await check(response, fixture))]
      },
      except,
    )
}

const testEnvironment = { environment: 'test' }
/** Its chain has an entry too. */
const inLogOfInstallation = ['audit_inbox']
const partner = joinPem(newAuthority('A partner').certificate)
const ownCertificate = newAccessCertificate()
const adult = { template: sharedNames.template, persona: 'adult' }

const sendTestEvent = callAsOtherOwner('sendTestEvent', {
  params: testEnvironment,
  // Nothing listens there; the response shows the message anyway.
  body: { url: 'http://127.0.0.1:8/hook' },
  check: ({ body }, { otherTenant }) => {
    const unix_seconds = Number(/^t=(\d+)/.exec(body.signature)?.[1])
    const own = signBody({ body: body.body, unix_seconds, secrets: otherTenant.webhook_secrets })
    return expectEqual('the signature', body.signature, own)
  },
})

const exportClaims = callAsOtherOwner('exportClaims', {
  params: testEnvironment,
  check: async ({ text }, { otherTenant, victim }) => {
    const plain = await otherTenant.team.owner.call('exportVerifications', { params: testEnvironment })
    const ids = (csv: string) => csv.split('\r\n').map((line) => line.split(',')[0] ?? '')
    return [
      ...expectEqual('the exported verifications', ids(text), ids(plain.text)),
      ...expectEqual(
        'claims of another tenant',
        ids(text).includes(victim.verifications.completed.id),
        false,
      ),
    ]
  },
})

/** Changes without an id in their path: they apply to the member's own tenant. */
export const writeTrials = {
  exportClaims,
  changeMe: callAsOtherOwner('changeMe', {
    body: { name: 'The other tenant' },
    check: ({ body }, { otherTenant }) =>
      expectEqual('who was renamed', body.member.id, otherTenant.team.owner.id),
  }),
  createKey: callAsOtherOwner('createKey', {
    params: testEnvironment,
    body: { name: 'Shop', scopes: ['verifications:read'] },
    status: 201,
    check: async ({ body }, { service, otherTenant }) => {
      const headers = { authorization: `Bearer ${body.secret}` }
      const opened = await service.anonymous.get('/v1/verifications', { headers })
      return expectEqual(
        'what the key opens',
        opened.text,
        (await otherTenant.merchant.get('/v1/verifications')).text,
      )
    },
  }),
  createLink: callAsOtherOwner('createLink', {
    params: testEnvironment,
    body: linkBody,
    status: 201,
    check: async ({ body }, { service, otherTenant }) => {
      const { headers } = await service.anonymous.post(new URL(body.url).pathname)
      const id = /vs_[\w-]+/.exec(headers.get('location') ?? '')?.[0]
      const created = (await otherTenant.merchant.get(`/v1/verifications/${id}`)).body
      return expectEqual('whose visits they are', created.metadata?.link_id, body.id)
    },
  }),
  registerSealingKey: async (fixture) =>
    callAsOtherOwner('registerSealingKey', {
      params: testEnvironment,
      body: { jwk: (await newSealingKey()).publicJwk },
      status: 201,
    })(fixture),
  createOpenIdClient: callAsOtherOwner('createOpenIdClient', {
    params: testEnvironment,
    body: openIdClientBody,
    status: 201,
    check: ({ body }, { otherTenant }) =>
      expectEqual('whose issuer it is', body.client.issuer.slice(-36), otherTenant.merchant.tenant_id),
  }),
  createWebhookEndpoint: callAsOtherOwner('createWebhookEndpoint', {
    params: testEnvironment,
    body: endpointBody,
    status: 201,
  }),
  resendFailed: callAsOtherOwner('resendFailed', {
    params: testEnvironment,
    body: { since: '2026-01-01T00:00:00Z' },
    status: 201,
  }),
  revealWebhookSecret: callAsOtherOwner('revealWebhookSecret', {
    params: testEnvironment,
    check: ({ body }, { otherTenant }) =>
      expectEqual('the secret', body.secret, otherTenant.webhook_secrets[0]),
  }),
  sendTestEvent,
  rotateWebhookSecret: async (fixture) => [
    ...(await callAsOtherOwner('rotateWebhookSecret', {
      params: testEnvironment,
      check: ({ body }) => {
        recordRotatedSecret(fixture.otherTenant, body.secret)
        return []
      },
    })(fixture)),
    ...(await sendTestEvent(fixture)),
  ],
  registerDevice: callAsOtherOwner('registerDevice', {
    params: testEnvironment,
    body: deviceBody('another'),
    status: 201,
  }),
  createTestVerification: callAsOtherOwner('createTestVerification', {
    body: { template: sharedNames.template },
    status: 201,
    check: ({ body }, fixture) => expectReadableByOwnerOnly(fixture, body.id),
  }),
  tryTemplate: callAsOtherOwner('tryTemplate', {
    body: adult,
    check: ({ body }, fixture) => expectReadableByOwnerOnly(fixture, body.verification_id),
  }),
  putTemplate: async (fixture) => {
    const template = templateBody('the other tenant')
    const put = callAsOtherOwner('putTemplate', {
      params: { key: fixture.victim.own_template },
      body: { template },
      check: ({ body }) => expectEqual('saving', body.saved, true),
    })
    const seen = async () =>
      (await fixture.victim.team.owner.call('getTemplate', { params: { key: fixture.victim.own_template } }))
        .text
    const before = await seen()
    return [...(await put(fixture)), ...expectEqual("the victim's template", await seen(), before)]
  },
  lintTemplate: async (fixture) => {
    const lint = async (of: IsolationFixture['victim']) =>
      (await of.team.owner.call('lintTemplate', { body: { template: templateBody('any') } })).text
    return expectEqual(
      'lint results of both tenants',
      await lint(fixture.otherTenant),
      await lint(fixture.victim),
    )
  },
  inviteMember: async (fixture) => [
    ...(await callAsOtherOwner('inviteMember', {
      body: { email: 'new@example.com', role: 'admin' },
      status: 201,
    })(fixture)),
    // An existing member keeps the role in this tenant, whatever the role elsewhere.
    ...(await callAsOtherOwner('inviteMember', {
      body: { email: fixture.otherTenant.team.developer.email, role: 'admin' },
      status: 201,
      check: ({ body }) => expectEqual('the role', body.invitation.role, 'developer'),
    })(fixture)),
  ],
  changeAlertChoices: callAsOtherOwner('changeAlertChoices', {
    body: { kinds: { quota: false }, language: 'de' },
    check: async ({ body }, { victim }) => {
      const theirs = (await victim.team.owner.call('getAlertChoices')).body
      return expectEqual('the languages', [body.language, theirs.language], ['de', 'en'])
    },
  }),
  setAlertWebhook: callAsOtherOwner('setAlertWebhook', {
    body: { url: 'http://127.0.0.1:8/alerts' },
    check: async ({ body }, { victim }) => {
      const theirs = (await victim.team.owner.call('getAlertWebhook')).body
      return expectEqual(
        'the URLs and what waits',
        [body.webhook.url, theirs.webhook?.url, body.webhook.waiting],
        ['http://127.0.0.1:8/alerts', 'http://127.0.0.1:8/activity', 0],
      )
    },
  }),
  rotateAlertSecret: callAsOtherOwner('rotateAlertSecret', {
    check: ({ body }) => expectEqual('the URL', body.webhook.url, 'http://127.0.0.1:8/alerts'),
  }),
  removeAlertWebhook: callAsOtherOwner('removeAlertWebhook', {
    check: ({ body }) => expectEqual('what is left', body, {}),
  }),
  changePolicies: callAsOtherOwner('changePolicies', {
    body: { retention_days: 3 },
    check: ({ body }) => expectEqual('the policies', body.policies.retention_days, 3),
  }),
  changeBrand: callAsOtherOwner('changeBrand', {
    body: { display_name: 'The other tenant' },
    check: ({ body }) => expectEqual('the brand', body.brand, { display_name: 'The other tenant' }),
  }),
  changeHolderPage: callAsOtherOwner('changeHolderPage', {
    body: {
      page_origins: ['https://other.example'],
      wallet_links: ['haip-vp'],
      age_app: true,
      moving_code: true,
      edited_languages_only: true,
      holder_erasure: 'automatic',
      erasure_template: 'identity_basic',
    },
    check: ({ body }) =>
      expectEqual('the origins', body.holder_page, {
        page_origins: ['https://other.example'],
        wallet_links: ['haip-vp'],
        age_app: true,
        moving_code: true,
        edited_languages_only: true,
        holder_erasure: 'automatic',
        erasure_template: 'identity_basic',
      }),
  }),
  changeRequestLog: callAsOtherOwner('changeRequestLog', {
    body: { enabled: false },
    check: ({ body }) =>
      expectEqual('the request log', body.request_log, { enabled: false, available: true }),
  }),
  grantSupport: callAsOtherOwner('grantSupport', {
    except: inLogOfInstallation,
    check: async (_, { otherTenant, victim }) => {
      const accessOf = async ({ team }: typeof victim) => (await team.owner.call('getMe')).body.support_access
      return [
        ...expectEqual('the access', (await accessOf(otherTenant))?.by, 'tenant'),
        ...expectEqual("another's access", await accessOf(victim), undefined),
      ]
    },
  }),
  endSupport: async (fixture) => {
    const { owner: theirs } = fixture.victim.team
    await theirs.call('grantSupport')
    await fixture.otherTenant.team.owner.call('grantSupport')
    const faults = await callAsOtherOwner('endSupport', { except: inLogOfInstallation })(fixture)
    const { support_access } = (await theirs.call('getMe')).body
    await theirs.call('endSupport')
    return [...faults, ...expectEqual("another's access", support_access?.by, 'tenant')]
  },
  changeIdentity: callAsOtherOwner('changeIdentity', {
    body: { certificate: { chain: ownCertificate.chain, key: ownCertificate.key } },
    check: ({ body }) => expectEqual('the identity', body.certificate.client_id, ownCertificate.client_id),
  }),
  changeEcosystemIdentity: callAsOtherOwner('changeEcosystemIdentity', {
    params: { environment: 'live', ecosystem: 'apple' },
    body: { certificate: { chain: ownCertificate.chain, key: ownCertificate.key } },
    check: async ({ body }, { victim }) => {
      const { identities } = (await victim.team.owner.call('getSettings')).body
      return expectEqual('who has it', [body.identities.length, identities.length], [1, 0])
    },
  }),
  readRegistration: callAsOtherOwner('readRegistration', {
    body: { certificate: newRegistration() },
    check: ({ body }) => expectEqual('whether it is accepted', body.accepted, true),
  }),
  addRegistration: (fixture) =>
    callAsOtherOwner('addRegistration', {
      body: { certificate: newRegistration({ purpose: randomUUID() }), name: 'Another' },
      status: 201,
      check: async ({ body }, { otherTenant, victim }) => {
        const lists = await Promise.all(
          [otherTenant, victim].map(
            async ({ team }) => (await team.owner.call('listRegistrations')).body.data,
          ),
        )
        const listed = lists.map((list) => list.some(({ id }: { id: string }) => id === body.id))
        return expectEqual('who has it', listed, [true, false])
      },
    })(fixture),
  changeRegistrationSettings: callAsOtherOwner('changeRegistrationSettings', {
    body: { encoding: 'base64url' },
    check: ({ body }) => expectEqual('the encoding', body.settings.encoding, 'base64url'),
  }),
  changeTrustPolicy: callAsOtherOwner('changeTrustPolicy', {
    body: { policy: 'own' },
    check: ({ body }) => expectEqual('the policy', body.own_trust.policy, 'own'),
  }),
  readAnchors: callAsOtherOwner('readAnchors', {
    params: testEnvironment,
    body: { pem: partner },
    check: ({ body }) => expectEqual('how many were read', body.data.length, 1),
  }),
  addAnchors: callAsOtherOwner('addAnchors', {
    params: testEnvironment,
    body: { pem: partner },
    status: 201,
    check: async ({ body }, { victim }) => {
      const theirs = (await victim.team.owner.call('getSettings')).body.own_trust.anchors
      return expectEqual(
        'whether each has more now',
        [body.own_trust.anchors, theirs].map((all) => all.length > 1),
        [true, false],
      )
    },
  }),
} satisfies Partial<Record<DashboardOperation, RouteTrial>>

async function expectReadableByOwnerOnly(
  { otherTenant, victim }: IsolationFixture,
  id: string,
): Promise<string[]> {
  const read = async (of: typeof victim) =>
    (await of.team.owner.call('getVerification', { params: { ...testEnvironment, id } })).status
  return expectEqual('who reads it', [await read(otherTenant), await read(victim)], [200, 404])
}
