import { inviteMember } from '../../apps/service/src/accounts/members/invitations/invite.ts'
import { memberFlow } from '../../apps/service/src/accounts/members/oidc/start.ts'
import { unsealFlow } from '../../apps/service/src/accounts/sign-in/provider/flow.ts'
import { openBrowser, signIn, tokenFromLink, type Browser } from '../../apps/service/test/sign-in/browser.ts'
import { authenticateAtProvider, followCallback } from '../../apps/service/test/sign-in/identity-provider.ts'
import type { Merchant, Service } from '../../apps/service/test/service.ts'
import type { Secret } from './find-secrets.ts'

const testEnvironment = { environment: 'test' }

/** Issues every kind of secret that the dashboard hands out: to an owner with a passkey and to a member of the identity provider. */
export async function issueMemberSecrets(service: Service, merchant: Merchant): Promise<Secret[]> {
  const issued: Secret[] = []
  const add = (kind: string, text: string) => void issued.push({ kind, text })
  const { tenant_id } = merchant

  const owner = await signIn(service, { tenant_id })
  add('session cookie', readCookie(owner, 'session'))
  const again = openBrowser(service)
  const { challenge } = (await again.call('startPasskeySignIn')).body.options
  add('passkey challenge', challenge)
  await again.call('finishPasskeySignIn', {
    body: { response: owner.passkey.get({ challenge, rpId: 'localhost' }) },
  })
  add('session cookie', readCookie(again, 'session'))
  add('passkey challenge', (await owner.call('startPasskey')).body.options.challenge)

  const open = (await owner.call('inviteMember', { body: { email: 'open@example.com', role: 'admin' } })).body
  add('invitation link', tokenFromLink(open.link))
  const inTest = { params: testEnvironment }
  add('webhook secret', (await owner.call('rotateWebhookSecret', inTest)).body.secret)
  add('webhook secret', (await owner.call('revealWebhookSecret', inTest)).body.secret)
  const endpoint = { url: 'https://8.8.8.8/hook', events: ['verification.completed'] }
  const created = (await owner.call('createWebhookEndpoint', { ...inTest, body: endpoint })).body
  add('webhook secret', created.secret)
  const ofEndpoint = { params: { ...testEnvironment, id: created.endpoint.id } }
  add('webhook secret', (await owner.call('rotateWebhookEndpointSecret', ofEndpoint)).body.secret)
  const key = { name: 'Shop', scopes: ['verifications:read'] }
  add('key', (await owner.call('createKey', { params: testEnvironment, body: key })).body.secret)
  const till = { name: 'Till 8', allowed_templates: ['age_over_18'] }
  add(
    'pairing code',
    (await owner.call('registerDevice', { params: testEnvironment, body: till })).body.pairing_code,
  )

  for (const secret of await acceptWithProvider(service, tenant_id)) issued.push(secret)
  return issued
}

async function acceptWithProvider(service: Service, tenant_id: string): Promise<Secret[]> {
  const by = { kind: 'operator', tenant_id } as const
  const { link } = await inviteMember(service.ctx, { by, email: 'joins@example.com', role: 'support' })
  const token = tokenFromLink(link)
  const browser = openBrowser(service)
  const { body } = await browser.call('acceptWithOidc', { body: { token, name: 'Joins' } })
  const flow = readCookie(browser, 'oidc')
  const opened = await unsealFlow(service.ctx, memberFlow(service.ctx), flow)
  const callback = await authenticateAtProvider(body.location, tenant_id)
  await followCallback(browser, callback)
  return [
    { kind: 'invitation link', text: token },
    { kind: 'flow cookie', text: flow },
    { kind: "provider's state", text: opened?.state ?? '' },
    { kind: "provider's nonce", text: opened?.nonce ?? '' },
    { kind: 'PKCE verifier', text: opened?.verifier ?? '' },
    { kind: "provider's code", text: new URL(callback).searchParams.get('code') ?? '' },
    { kind: 'session cookie', text: readCookie(browser, 'session') },
  ]
}

function readCookie({ cookies }: Browser, name: 'session' | 'oidc'): string {
  return cookies.get(`vidimus_${name}`) ?? ''
}
