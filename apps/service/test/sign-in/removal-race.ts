import { readAuditLog } from '../audit/audit.ts'
import { softwareAuthenticator } from './authenticator.ts'
import { openBrowser, signIn, tokenFromLink, type SignedInBrowser } from './browser.ts'
import { caller } from '../caller.ts'
import type { Merchant, Service } from '../service.ts'
import { inviteMember } from '../../src/accounts/members/invitations/invite.ts'

/**
 * Removes a member while they use everything that could preserve access: an invitation for them, an invitation they made
 * before, a new invitation, a new key, a new device, also with a key they have, a new OpenID client and a new webhook endpoint. Returns what still works after the removal was confirmed.
 */
export async function raceRemoval(
  service: Service,
  { merchant, owner, round }: { merchant: Merchant; owner: SignedInBrowser; round: number },
): Promise<string[]> {
  const admin = await signIn(service, { ...merchant, role: 'admin', email: `admin${round}@example.com` })
  const id: string = (await admin.call('getMe')).body.member.id
  const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
  const links = [
    (await inviteMember(service.ctx, { by, email: admin.email, role: 'admin' })).link,
    (await admin.call('inviteMember', { body: { email: `second${round}@example.com`, role: 'admin' } })).body
      .link as string,
  ]
  const accepts = await Promise.all(links.map((link) => prepareAcceptance(service, link)))

  const provisioning = await admin.call('createKey', {
    params: { environment: 'test' },
    body: { name: 'before', scopes: ['devices:manage'] },
  })

  const [, back, second, link, key, device, byKey, client, endpoint] = await Promise.all([
    owner.call('removeMember', { params: { id } }),
    accepts[0]?.(),
    accepts[1]?.(),
    admin.call('inviteMember', { body: { email: `third${round}@example.com`, role: 'admin' } }),
    admin.call('createKey', {
      params: { environment: 'test' },
      body: { name: 'late', scopes: ['verifications:read'] },
    }),
    admin.call('registerDevice', {
      params: { environment: 'test' },
      body: { name: 'late', allowed_templates: ['age_over_18'] },
    }),
    caller(service.address, provisioning.body.secret).post('/v1/devices', {
      name: 'late',
      allowed_templates: ['age_over_18'],
    }),
    admin.call('createOpenIdClient', {
      params: { environment: 'test' },
      body: { name: 'late', redirect_uris: ['https://late.example/cb'], templates: ['age_over_18'] },
    }),
    admin.call('createWebhookEndpoint', {
      params: { environment: 'test' },
      body: { url: 'https://8.8.8.8/late', events: ['verification.completed'] },
    }),
  ])

  const stillWorking: string[] = []
  const team = (await owner.call('listTeam')).body
  if (team.members.some((member: { id: string }) => member.id === id)) stillWorking.push('the membership')
  if ((await admin.call('getMe')).status !== 401) stillWorking.push('the session')
  if (back !== undefined && (await back.browser.call('getMe')).status !== 401)
    stillWorking.push('the invitation made for them')
  if (link.status === 201) {
    const read = await openBrowser(service).call('readInvitation', {
      body: { token: tokenFromLink(link.body.link) },
    })
    if (read.status !== 404) stillWorking.push('an invitation they made')
  }
  if (key.status === 201) {
    const { status } = await caller(service.address, key.body.secret).get('/v1/usage')
    if (status !== 401) stillWorking.push('a key they made')
  }
  for (const registered of [device, byKey]) {
    if (registered.status !== 201) continue
    const { pairing_code } = registered.body
    const { status } = await caller(service.address).post('/v1/devices/enroll', { pairing_code })
    if (status !== 400) stillWorking.push('a device they registered')
  }
  const here = { params: { environment: 'test' } }
  const clients = (await owner.call('listOpenIdClients', here)).body.data as { id: string }[]
  if (clients.some((each) => each.id === client.body.client?.id)) stillWorking.push('a client they made')
  const own = await owner.call('listMemberAccess', {
    params: { id: (await owner.call('getMe')).body.member.id },
  })
  const taken = (own.body.data as { id: string }[]).map((each) => each.id)
  if (endpoint.status === 201 && !taken.includes(endpoint.body.endpoint.id))
    stillWorking.push('an endpoint that nobody answers for')
  if (endpoint.status === 201)
    await owner.call('deleteWebhookEndpoint', {
      params: { ...here.params, id: endpoint.body.endpoint.id },
    })
  // Someone who accepted their invitation before the removal is a member; afterwards nobody is.
  if (second?.status === 200) {
    const entries = await readAuditLog(service.ctx, merchant.tenant_id)
    const joined = entries.findLastIndex(({ action }) => action === 'member.joined')
    const removed = entries.findLastIndex(({ action }) => action === 'member.removed')
    if (joined > removed) stillWorking.push('an invitation they made, accepted after the removal')
  }
  const failed = [back, second, link, key, device, byKey, client, endpoint].filter(
    (response) => (response?.status ?? 0) >= 500,
  )
  return [...stillWorking, ...failed.map(() => 'a 500')]
}

/** Does everything up to the last request, which the race sends. */
async function prepareAcceptance(service: Service, link: string) {
  const browser = openBrowser(service)
  const token = tokenFromLink(link)
  const { body } = await browser.call('startPasskeyOfInvitation', { body: { token, name: 'Racer' } })
  const response = softwareAuthenticator(browser.origin).create(body.options)
  return async () => {
    const { status } = await browser.call('acceptWithPasskey', { body: { token, name: 'Racer', response } })
    return { browser, status }
  }
}
