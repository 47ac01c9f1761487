import type { DashboardOperation } from '@vidimus/contract'
import { getSupportState } from '../src/accounts/support/support-access.ts'
import { createKey } from '../src/accounts/api-keys/create-key.ts'
import { authenticateClient } from '../src/holder/openid-provider/clients/authenticate-client.ts'
import { changeClient, deleteClient } from '../src/holder/openid-provider/clients/change-client.ts'
import { createClient } from '../src/holder/openid-provider/clients/create-client.ts'
import { getClient } from '../src/holder/openid-provider/clients/list-clients.ts'
import { rollClientSecret } from '../src/holder/openid-provider/clients/roll-secret.ts'
import { clientInput } from './openid-clients.ts'
import { revokeKey, rollKey } from '../src/accounts/api-keys/roll-key.ts'
import { inviteMember } from '../src/accounts/members/invitations/invite.ts'
import { changeOperatorRole, inviteOperator, removeOperator } from '../src/accounts/operators/operators.ts'
import {
  getAlertWebhook,
  removeAlertWebhook,
  setAlertWebhook,
} from '../src/deliveries/notifications/webhook/alert-webhook.ts'
import { addRegistration } from '../src/trust/registrations/add-registration.ts'
import { getRegistration } from '../src/trust/registrations/list-registrations.ts'
import { removeRegistration } from '../src/trust/registrations/change-registration.ts'
import { deleteLink } from '../src/holder/links/change-link.ts'
import { listSealingKeys } from '../src/accounts/sealing-keys/list-keys.ts'
import { retireSealingKey } from '../src/accounts/sealing-keys/retire-key.ts'
import { prepareActivation } from './sealing.ts'
import { createLink } from '../src/holder/links/create-link.ts'
import { recordLinkUses } from '../src/holder/links/sweep-links.ts'
import { findHolderVerification } from '../src/verifications/index.ts'
import { walletUri } from '../src/verifications/wallet/uris.ts'
import { deleteTenant } from '../src/accounts/tenants/delete.ts'
import { addAnchors } from '../src/trust/anchors/add-anchor.ts'
import { describeCertificate, listAnchors } from '../src/trust/anchors/list-anchors.ts'
import { removeAnchor } from '../src/trust/anchors/remove.ts'
import { openSandbox } from '../src/trust/sandbox/open-sandbox.ts'
import { addTenantAnchors, removeTenantAnchor } from '../src/trust/tenant/change-anchors.ts'
import { getTenantTrust } from '../src/trust/tenant/get-trust.ts'
import { readTenantSecrets, rotateWebhookSecret } from '../src/deliveries/webhooks/secrets/secrets.ts'
import { caller } from './caller.ts'
import { pairDevice } from './pair-device.ts'
import type { Merchant, Service } from './service.ts'
import { softwareAuthenticator } from './sign-in/authenticator.ts'
import { createOperatorToken, openConsole, signInOperator, type SignedInOperator } from './sign-in/console.ts'
import { openBrowser, signIn, tokenFromLink, type SignedInBrowser } from './sign-in/browser.ts'
import { joinPem, newAuthority } from './trust/authorities.ts'
import { newRegistration } from './trust/registrations.ts'
import { openWallet } from './wallet.ts'

/** How something is ended that gave access or held data of a person, and whether it still works. The service may be another each time. */
export type PreparedCase = {
  end: (service: Service) => Promise<unknown>
  works: (service: Service) => Promise<boolean>
}

type CaseFixture = { service: Service; merchant: Merchant; owner: SignedInBrowser }
type Prepare = (fixture: CaseFixture) => Promise<PreparedCase>

const receiver = 'https://192.0.32.7/hook'
const operator = ({ tenant_id }: { tenant_id: string }) => ({ kind: 'operator', tenant_id }) as const

/** Everything that can be erased or revoked. */
export const revocationCases: Record<string, Prepare> = {
  'an erased verification': async ({ service, merchant }) => {
    const { id, wallet_uri } = (await merchant.post('/v1/verifications', { template: 'age_over_18' })).body
    await (await openWallet(service.ctx, service.address)).respond(wallet_uri)
    const path = `/v1/verifications/${id}`
    return {
      end: ({ address }) => expectDone(caller(address, merchant.key).delete(path)),
      works: async ({ address }) => (await caller(address, merchant.key).get(path)).status === 200,
    }
  },
  'a revoked key': async ({ service, merchant }) => {
    const by = operator(merchant)
    const { key, key_id } = await createKey(service.ctx, {
      by,
      environment: 'test',
      scopes: ['verifications:read'],
    })
    return { end: ({ ctx }) => revokeKey(ctx, { by, key_id }), works: (other) => isKeyAccepted(other, key) }
  },
  'a key rolled without overlap': async ({ service, merchant }) => {
    const by = operator(merchant)
    const { key, key_id } = await createKey(service.ctx, {
      by,
      environment: 'test',
      scopes: ['verifications:read'],
    })
    return {
      end: ({ ctx }) => rollKey(ctx, { by, environment: 'test', key_id, overlap_seconds: 0 }),
      works: (other) => isKeyAccepted(other, key),
    }
  },
  'a deleted OpenID client': async ({ service, merchant }) => {
    const by = operator(merchant)
    const { client_id, secret } = await createClient(service.ctx, clientInput({ by }))
    return {
      end: ({ ctx }) => deleteClient(ctx, { by, client_id }),
      works: (other) => isClientAccepted(other, merchant, { client_id, secret }),
    }
  },
  'a client secret rolled without overlap': async ({ service, merchant }) => {
    const by = operator(merchant)
    const { client_id, secret } = await createClient(service.ctx, clientInput({ by }))
    return {
      end: ({ ctx }) => rollClientSecret(ctx, { by, client_id, overlap_seconds: 0 }),
      works: (other) => isClientAccepted(other, merchant, { client_id, secret }),
    }
  },
  'a removed redirect address of an OpenID client': async ({ service, merchant }) => {
    const by = operator(merchant)
    const [kept, removed] = ['https://shop.example/callback', 'https://old.example/callback']
    const { client_id } = await createClient(service.ctx, clientInput({ by, redirect_uris: [kept, removed] }))
    return {
      end: ({ ctx }) => changeClient(ctx, { by, client_id, change: { redirect_uris: [kept] } }),
      works: async ({ ctx }) => {
        const { redirect_uris } = await getClient(ctx, { tenant_id: merchant.tenant_id, client_id })
        if (!redirect_uris.includes(kept)) throw new Error('an address is gone that nobody removed')
        return redirect_uris.includes(removed)
      },
    }
  },
  'a revoked device': async ({ service, merchant }) => {
    const { id, tokens } = await pairDevice(service, merchant)
    return {
      end: ({ address }) => expectDone(caller(address, merchant.key).delete(`/v1/devices/${id}`)),
      works: (other) => isKeyAccepted(other, tokens.access_token),
    }
  },
  'the tokens of a device with a new pairing code': async ({ service, merchant, owner }) => {
    const { id, tokens } = await pairDevice(service, merchant)
    return {
      end: callAs(owner, 'renewPairingCode', { params: { environment: 'test', id }, body: {} }),
      works: (other) => isKeyAccepted(other, tokens.access_token),
    }
  },
  'a device whose used refresh token came back': async ({ service, merchant }) => {
    const { tokens } = await pairDevice(service, merchant)
    const refresh = { refresh_token: tokens.refresh_token }
    return {
      end: async ({ anonymous }) => {
        await expectDone(anonymous.post('/v1/devices/token', refresh))
        await anonymous.post('/v1/devices/token', refresh)
      },
      works: (other) => isKeyAccepted(other, tokens.access_token),
    }
  },
  'the access of the support': async ({ merchant, owner }) => {
    await owner.call('grantSupport')
    return {
      end: callAs(owner, 'endSupport'),
      works: async ({ ctx }) =>
        (await getSupportState(ctx, merchant.tenant_id).catch(() => undefined))?.access !== undefined,
    }
  },
  'a removed member': async (fixture) => {
    const { member, id } = await joinAs(fixture, 'developer')
    return {
      end: callAs(fixture.owner, 'removeMember', { params: { id } }),
      works: (other) => isSignedIn(other, member),
    }
  },
  'the key of a removed member': async (fixture) => {
    const { member, id } = await joinAs(fixture, 'developer')
    const { body } = await member.call('createKey', {
      params: { environment: 'test' },
      body: { name: 'k', scopes: ['verifications:read'] },
    })
    return {
      end: callAs(fixture.owner, 'removeMember', { params: { id } }),
      works: (other) => isKeyAccepted(other, body.secret),
    }
  },
  'a role with more rights': async (fixture) => {
    const { member, id } = await joinAs(fixture, 'admin')
    return {
      end: callAs(fixture.owner, 'changeRole', { params: { id }, body: { role: 'auditor' } }),
      works: async (other) => (await repeat(other, member).call('getMe')).body?.member?.role === 'admin',
    }
  },
  'a session that its member ended': async (fixture) => {
    const { member } = await joinAs(fixture, 'support')
    return { end: callAs(member, 'signOut'), works: (other) => isSignedIn(other, member) }
  },
  'a session that its member ended from another browser': async (fixture) => {
    const { member } = await joinAs(fixture, 'support')
    const { sessions } = (await member.call('getMe')).body
    return {
      end: callAs(member, 'endSession', { params: { id: sessions[0].id } }),
      works: (other) => isSignedIn(other, member),
    }
  },
  'a session that ended with all others of its member': async (fixture) => {
    const { member } = await joinAs(fixture, 'support')
    return { end: callAs(member, 'signOutEverywhere'), works: (other) => isSignedIn(other, member) }
  },
  'a session that a new sign-in replaced': async (fixture) => {
    const { member } = await joinAs(fixture, 'support')
    return {
      end: async (other) => {
        const again = repeat(other, member)
        const { body } = await again.call('startPasskeySignIn')
        await expectDone(
          again.call('finishPasskeySignIn', { body: { response: member.passkey.get(body.options) } }),
        )
      },
      works: (other) => isSignedIn(other, member),
    }
  },
  'a removed passkey': async (fixture) => {
    const { member } = await joinAs(fixture, 'developer')
    const another = softwareAuthenticator(member.origin)
    const { body } = await member.call('startPasskey')
    const response = another.create(body.options)
    const added = await member.call('addPasskey', { body: { name: 'Another', response } })
    const passkey = added.body.passkeys.find((each: { name: string }) => each.name === 'Another')
    return {
      end: callAs(member, 'removePasskey', { params: { id: passkey.id } }),
      works: async (other) => {
        const browser = openBrowser(other)
        const offered = await browser.call('startPasskeySignIn')
        const signed = { response: another.get(offered.body.options) }
        return (await browser.call('finishPasskeySignIn', { body: signed })).status === 200
      },
    }
  },
  'a withdrawn invitation': async ({ service, merchant, owner }) => {
    const { link, invitation } = await invite(service, merchant)
    return {
      end: callAs(owner, 'withdrawInvitation', { params: { id: invitation.id } }),
      works: (other) => isLinkAccepted(other, link),
    }
  },
  'an invitation that a newer one replaced': async ({ service, merchant }) => {
    const email = `${crypto.randomUUID()}@example.com`
    const { link } = await invite(service, merchant, email)
    return { end: (other) => invite(other, merchant, email), works: (other) => isLinkAccepted(other, link) }
  },
  'a redeemed invitation': async ({ service, merchant }) => {
    const { link } = await invite(service, merchant)
    return {
      end: (other) => acceptLink(other, link),
      works: (other) => isLinkAccepted(other, link),
    }
  },
  'a removed operator': async ({ service }) => {
    const someone = await signInAsOperator(service)
    return {
      end: ({ ctx }) => removeOperator(ctx, { by: { name: 'a test' }, id: someone.id }),
      works: async (other) => (await repeatOperator(other, someone).call('getMe')).status === 200,
    }
  },
  'a role of an operator with more rights': async ({ service }) => {
    const someone = await signInAsOperator(service)
    return {
      end: ({ ctx }) => changeOperatorRole(ctx, { by: { name: 'a test' }, id: someone.id, role: 'auditor' }),
      works: async (other) => (await repeatOperator(other, someone).call('listOperators')).status === 200,
    }
  },
  'a session that its operator ended': async ({ service }) => {
    const someone = await signInAsOperator(service)
    return {
      end: (other) => expectDone(repeatOperator(other, someone).call('signOut')),
      works: async (other) => (await repeatOperator(other, someone).call('getMe')).status === 200,
    }
  },
  'a removed passkey of an operator': async ({ service }) => {
    const someone = await signInAsOperator(service)
    const { body } = await someone.call('startPasskey')
    const spare = softwareAuthenticator(someone.origin)
    await expectDone(
      someone.call('addPasskey', { body: { name: 'Spare', response: spare.create(body.options) } }),
    )
    return {
      end: (other) =>
        expectDone(repeatOperator(other, someone).call('removePasskey', { params: { id: spare.id } })),
      works: async (other) => {
        const console = openConsole(other)
        const offered = await console.call('startSignIn')
        const response = spare.get(offered.body.options)
        return (await console.call('finishSignIn', { body: { response } })).status === 200
      },
    }
  },
  'a revoked token of an operator': async ({ service }) => {
    const someone = await signInAsOperator(service)
    const { id, token } = await createOperatorToken(someone, { role: 'owner' })
    return {
      end: (other) => expectDone(repeatOperator(other, someone).call('revokeToken', { params: { id } })),
      works: async ({ operator_address }) =>
        (await caller(operator_address, token).get('/operator/v1/me')).status === 200,
    }
  },
  'an invitation of an operator that a newer one replaced': async ({ service }) => {
    const { id } = await signInAsOperator(service)
    const by = { name: 'a test' }
    const { link } = await inviteOperator(service.ctx, { by, id })
    return {
      end: ({ ctx }) => inviteOperator(ctx, { by, id }),
      works: async (other) => {
        const body = { token: tokenFromLink(link) }
        return (await openConsole(other).call('readInvitation', { body })).status === 200
      },
    }
  },
  'an anchor of a tenant': async ({ service, merchant }) => {
    const by = operator(merchant)
    const { certificate } = newAuthority('A partner')
    await addTenantAnchors(service.ctx, { by, environment: 'live', pem: joinPem(certificate) })
    const { fingerprint } = describeCertificate(certificate)
    return {
      end: ({ ctx }) => removeTenantAnchor(ctx, { by, environment: 'live', fingerprint }),
      works: async ({ ctx }) =>
        JSON.stringify(await getTenantTrust(ctx, merchant.tenant_id)).includes(fingerprint),
    }
  },
  "an operator's anchor": async ({ service }) => {
    const { certificate } = newAuthority('A ministry')
    await addAnchors(service.ctx, { environment: 'live', pem: joinPem(certificate) })
    const { fingerprint } = describeCertificate(certificate)
    return {
      end: ({ ctx }) => removeAnchor(ctx, { environment: 'live', fingerprint }),
      works: async ({ ctx }) =>
        (await listAnchors({ ...ctx, sandbox: openSandbox(ctx) })).some(
          (anchor) => anchor.fingerprint === fingerprint,
        ),
    }
  },
  'a rotated webhook secret': async ({ service, merchant }) => {
    const owner = { tenant_id: merchant.tenant_id, environment: 'live' } as const
    const [secret] = await readTenantSecrets(service.ctx, owner)
    return {
      end: ({ ctx }) => rotateWebhookSecret(ctx, { by: operator(merchant), environment: 'live' }),
      // It keeps signing for a day, as the second one.
      works: async ({ ctx }) => (await readTenantSecrets(ctx, owner))[0] === secret,
    }
  },
  'a deleted webhook endpoint': async ({ merchant }) => {
    const id = await createEndpoint(merchant)
    return {
      end: ({ address }) => expectDone(caller(address, merchant.key).delete(`/v1/webhook_endpoints/${id}`)),
      works: (other) => isEndpointUsed(other, merchant, id),
    }
  },
  'a disabled webhook endpoint': async ({ merchant }) => {
    const id = await createEndpoint(merchant)
    return {
      end: (other) => changeEndpoint(other, merchant, id, { enabled: false }),
      works: (other) => isEndpointUsed(other, merchant, id),
    }
  },
  'the former URL of a webhook endpoint': async ({ merchant }) => {
    const id = await createEndpoint(merchant)
    return {
      end: (other) => changeEndpoint(other, merchant, id, { url: `${receiver}/new` }),
      works: (other) => isEndpointUsed(other, merchant, id),
    }
  },
  'a removed webhook for alerts': async ({ service, merchant }) => {
    await setAlertWebhook(service.ctx, { by: operator(merchant), url: receiver })
    const { tenant_id } = merchant
    const member = {
      kind: 'member',
      member_id: crypto.randomUUID(),
      name: 'A',
      role: 'owner',
      tenant_id,
    } as const
    return {
      end: ({ ctx }) => removeAlertWebhook(ctx, member),
      works: async ({ ctx }) => (await getAlertWebhook(ctx, tenant_id)).webhook !== undefined,
    }
  },
  'a removed registration': async ({ service, merchant }) => {
    const by = operator(merchant)
    const { id } = await addRegistration(service.ctx, { by, certificate: newRegistration() })
    return {
      end: ({ ctx }) => removeRegistration(ctx, { by, id }),
      works: ({ ctx }) =>
        getRegistration(ctx, { tenant_id: merchant.tenant_id, id }).then(
          () => true,
          () => false,
        ),
    }
  },
  'a deleted verification link': async ({ merchant, service }) => {
    const by = operator(merchant)
    const { id, works } = await prepareLink(service, merchant)
    return { end: ({ ctx }) => deleteLink(ctx, { by, id, environment: 'test' }), works }
  },
  'the use of a single-use link': async ({ merchant, service }) => {
    const { path, works } = await prepareLink(service, merchant)
    return {
      end: async ({ ctx, address, anonymous }) => {
        const { headers } = await anonymous.request('POST', path, { headers: { accept: 'text/html' } })
        const id = /^\/verify\/([^?]+)/.exec(headers.get('location') ?? '')?.[1] ?? ''
        const verification = await findHolderVerification(ctx, id)
        if (verification === undefined) throw new Error('The link created no verification.')
        await (await openWallet(ctx, address)).respond(walletUri(ctx.config.BASE_URL, verification))
        await recordLinkUses(ctx)
      },
      works,
    }
  },
  // Of a merchant without OpenID clients, which would get nothing of what is sealed.
  'a retired sealing key': async ({ service }) => {
    const merchant = await service.tenant()
    const by = operator(merchant)
    const environment = 'test'
    const { kid, activate } = await prepareActivation(service, by, environment)
    await activate()
    return {
      end: ({ ctx }) => retireSealingKey(ctx, { by, environment, kid, end_sealing: true }),
      works: async ({ ctx }) =>
        (await listSealingKeys(ctx, { tenant_id: merchant.tenant_id, environment })).some(
          ({ state }) => state === 'active',
        ),
    }
  },
  'a deleted tenant': async ({ service }) => {
    const deleted = await service.tenant()
    return {
      end: ({ ctx }) => deleteTenant(ctx, { tenant_id: deleted.tenant_id, name: 'A merchant' }),
      works: (other) => isKeyAccepted(other, deleted.key),
    }
  },
}

async function prepareLink({ ctx }: Service, merchant: Merchant) {
  const input = {
    name: 'A link',
    template: 'age_over_18',
    single_use: true,
    mail_results: false,
    active: true,
  }
  const { id, url } = await createLink(ctx, { ...input, by: operator(merchant), environment: 'test' })
  const path = new URL(url).pathname
  const works = async ({ anonymous }: Service) => (await anonymous.get(path)).status === 200
  return { id, path, works }
}

async function expectDone(response: Promise<{ status: number; text: string }>): Promise<void> {
  const { status, text } = await response
  if (status >= 300) throw new Error(`${status} ${text}`)
}

async function isKeyAccepted({ address }: Service, key: string): Promise<boolean> {
  return (await caller(address, key).get('/v1/verifications?limit=1')).status === 200
}

async function isClientAccepted(
  { ctx }: Service,
  { tenant_id }: Merchant,
  client: { client_id: string; secret: string | undefined },
): Promise<boolean> {
  return (await authenticateClient(ctx, { tenant_id, ...client })) !== undefined
}

/** The same browser, with the cookies it has now, on another service. */
function repeat(service: Service, browser: SignedInBrowser) {
  const again = openBrowser(service)
  for (const [name, value] of browser.cookies) again.cookies.set(name, value)
  return again
}

function callAs(browser: SignedInBrowser, operation: DashboardOperation, call: object = {}) {
  return (service: Service) => expectDone(repeat(service, browser).call(operation, call))
}

async function isSignedIn(service: Service, browser: SignedInBrowser): Promise<boolean> {
  return (await repeat(service, browser).call('getMe')).status === 200
}

async function joinAs({ service, merchant }: CaseFixture, role: 'admin' | 'developer' | 'support') {
  const { tenant_id } = merchant
  const member = await signIn(service, { tenant_id, role, email: `${crypto.randomUUID()}@example.com` })
  const id: string = (await member.call('getMe')).body.member.id
  return { member, id }
}

function invite({ ctx }: Service, merchant: Merchant, email = `${crypto.randomUUID()}@example.com`) {
  return inviteMember(ctx, { by: operator(merchant), email, role: 'support' })
}

async function isLinkAccepted(service: Service, link: string): Promise<boolean> {
  const body = { token: tokenFromLink(link), name: 'Someone' }
  return (await openBrowser(service).call('startPasskeyOfInvitation', { body })).status === 200
}

async function acceptLink(service: Service, link: string): Promise<void> {
  const browser = openBrowser(service)
  const passkey = softwareAuthenticator(browser.origin)
  const body = { token: tokenFromLink(link), name: 'Someone' }
  const offered = await browser.call('startPasskeyOfInvitation', { body })
  const response = passkey.create(offered.body.options)
  await expectDone(browser.call('acceptWithPasskey', { body: { ...body, response } }))
}

async function createEndpoint(merchant: Merchant): Promise<string> {
  const body = { url: receiver, events: ['verification.completed'] }
  return (await merchant.post('/v1/webhook_endpoints', body)).body.endpoint.id
}

function changeEndpoint({ address }: Service, merchant: Merchant, id: string, body: object): Promise<void> {
  return expectDone(caller(address, merchant.key).patch(`/v1/webhook_endpoints/${id}`, body))
}

async function isEndpointUsed({ address }: Service, merchant: Merchant, id: string): Promise<boolean> {
  const { status, body } = await caller(address, merchant.key).get(`/v1/webhook_endpoints/${id}`)
  return status === 200 && body.enabled === true && body.url === receiver
}

function signInAsOperator(service: Service) {
  return signInOperator(service, 'owner', `Operator ${crypto.randomUUID()}`)
}

/** The same browser, with the cookies it has now, on another service. */
function repeatOperator(service: Service, browser: SignedInOperator) {
  const again = openConsole(service)
  for (const [name, value] of browser.cookies) again.cookies.set(name, value)
  return again
}
