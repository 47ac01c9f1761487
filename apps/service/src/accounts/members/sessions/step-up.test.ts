import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readAuditLog } from '../../../../test/audit/audit.ts'
import { softwareAuthenticator } from '../../../../test/sign-in/authenticator.ts'
import {
  openBrowser,
  signIn,
  tokenFromLink,
  type Browser,
  type SignedInBrowser,
} from '../../../../test/sign-in/browser.ts'
import { setClockOffset } from '../../../../test/database/clock.ts'
import { startHostileProvider } from '../../../../test/sign-in/hostile-provider.ts'
import {
  followCallback,
  signInAtProvider,
  startIdentityProvider,
} from '../../../../test/sign-in/identity-provider.ts'
import { startService, type Merchant, type Service } from '../../../../test/service.ts'
import { inviteMember } from '../invitations/invite.ts'

let service: Service
let merchant: Merchant
let owner: SignedInBrowser
beforeEach(async () => {
  service = await startService()
  merchant = await service.tenant()
  owner = await signIn(service, merchant)
})
afterEach(() => service[Symbol.asyncDispose]())

const confirm = async (member: SignedInBrowser, with_ = member.passkey) => {
  const { body } = await member.call('startConfirmation')
  return member.call('confirmWithPasskey', { body: { response: with_.get(body.options) } })
}

async function accept(link: string): Promise<Browser & { status: number }> {
  const browser = openBrowser(service)
  const token = tokenFromLink(link)
  const { body } = await browser.call('startPasskeyOfInvitation', { body: { token, name: 'N' } })
  const response = softwareAuthenticator(browser.origin).create(body.options)
  const { status } = await browser.call('acceptWithPasskey', { body: { token, name: 'N', response } })
  return { ...browser, status }
}

describe('[DASH-9] actions that give lasting access need a confirmation of the last ten minutes', () => {
  test('passkeys and invitations are refused to an older session until a passkey confirms', async () => {
    const { body: offered } = await owner.call('startPasskey')
    const response = softwareAuthenticator(owner.origin).create(offered.options)
    const { sessions } = (await owner.call('getMe')).body
    const attempts = async () => [
      (await owner.call('startPasskey')).body.error?.code,
      (await owner.call('addPasskey', { body: { name: 'Second', response } })).body.error?.code,
      (await owner.call('removePasskey', { params: { id: owner.passkey.id } })).body.error?.code,
      (await owner.call('endSession', { params: { id: sessions[0].id } })).body.error?.code,
      (await owner.call('inviteMember', { body: { email: 'a@b.c', role: 'admin' } })).body.error?.code,
    ]
    await setClockOffset(service.ctx.db, '11 minutes')
    expect(await attempts()).toEqual(Array.from({ length: 5 }, () => 'confirmation_required'))
    expect((await owner.call('getOverview', { params: { environment: 'test' } })).status).toBe(200)

    expect((await confirm(owner)).status).toBe(200)
    expect((await owner.call('startPasskey')).status).toBe(200)
    expect((await owner.call('inviteMember', { body: { email: 'a@b.c', role: 'admin' } })).status).toBe(201)
    await setClockOffset(service.ctx.db, '22 minutes')
    expect((await owner.call('startPasskey')).status).toBe(403)
  })

  test("another member's passkey, a used response and a response for another purpose do not confirm", async () => {
    const admin = await signIn(service, { ...merchant, role: 'admin' })
    await setClockOffset(service.ctx.db, '11 minutes')
    expect((await confirm(owner, admin.passkey)).status).toBe(401)
    const { body } = await owner.call('startConfirmation')
    const response = owner.passkey.get(body.options)
    const statuses = [
      (await admin.call('confirmWithPasskey', { body: { response } })).status,
      (await owner.call('confirmWithPasskey', { body: { response } })).status,
      (await owner.call('confirmWithPasskey', { body: { response } })).status,
    ]
    expect(statuses).toEqual([401, 200, 401])
    const signing = (await owner.call('startPasskeySignIn')).body
    const other = owner.passkey.get(signing.options)
    expect((await owner.call('confirmWithPasskey', { body: { response: other } })).status).toBe(401)
  })

  test('a sign-in at the provider confirms only if the person had to authenticate there', async () => {
    const provider = await startIdentityProvider('http://localhost:8080')
    await using at = await startService({ environment: provider.environment })
    const { tenant_id } = await at.tenant()
    const by = { kind: 'operator', tenant_id } as const
    const { link } = await inviteMember(at.ctx, { by, email: 'ada@example.com', role: 'admin' })
    const browser = openBrowser(at)
    const joined = await browser.call('acceptWithOidc', { body: { token: tokenFromLink(link), name: 'Ada' } })
    await signInAtProvider(browser, joined.body.location, 'ada')
    expect((await browser.call('startConfirmation')).body).toEqual({})
    const may = async () => (await browser.call('startPasskey')).status
    const through = async (body: object) => {
      const started = await browser.call('startOidcSignIn', { body })
      await signInAtProvider(browser, started.body.location, 'ada')
      return new URL(started.body.location).searchParams.get('prompt')
    }
    expect(await may()).toBe(403)
    expect([await through({}), await may()]).toEqual([null, 403])
    expect([await through({ fresh: true }), await may()]).toEqual(['login', 200])
    provider.close()
  })

  test('a sign-in at the provider confirms only with the level and a method that the operator requires', async () => {
    const provider = await startHostileProvider()
    const strong = { OIDC_STEP_UP_ACR: 'urn:example:gold,urn:example:silver', OIDC_STEP_UP_AMR: 'hwk,mfa' }
    await using at = await startService({ environment: { ...provider.environment, ...strong } })
    const { tenant_id } = await at.tenant()
    const by = { kind: 'operator', tenant_id } as const
    const { link } = await inviteMember(at.ctx, { by, email: 'ada@example.com', role: 'admin' })
    const browser = openBrowser(at)
    const finish = async (location: string, claims: object) => {
      const { searchParams } = new URL(location)
      provider.expect(searchParams.get('nonce') ?? '')
      provider.setBehaviour({ claims: { auth_time: Math.floor(Date.now() / 1000), ...claims } })
      const query = new URLSearchParams({ code: 'a-code', state: searchParams.get('state') ?? '' })
      const { headers } = await followCallback(
        browser,
        `/dashboard/api/sign-in/oidc/callback?${query.toString()}`,
      )
      return { asked: searchParams.get('acr_values'), location: headers.get('location') }
    }
    const through = async (body: object, claims: object) =>
      finish((await browser.call('startOidcSignIn', { body })).body.location, claims)
    const may = async () => (await browser.call('startPasskey')).status

    const joined = await browser.call('acceptWithOidc', { body: { token: tokenFromLink(link), name: 'Ada' } })
    await finish(joined.body.location, {})
    // Only a confirmation needs them.
    expect(await through({}, {})).toEqual({ asked: null, location: '/dashboard' })
    for (const claims of [
      {},
      { acr: 'urn:example:bronze', amr: ['hwk'] },
      { acr: ['urn:example:gold'], amr: ['hwk'] },
      { amr: ['mfa'] },
      { acr: 'urn:example:gold' },
      { acr: 'urn:example:gold', amr: ['pwd'] },
      { acr: 'urn:example:gold', amr: 'hwk' },
    ])
      expect([claims, await through({ fresh: true }, claims), await may()]).toEqual([
        claims,
        {
          asked: 'urn:example:gold urn:example:silver',
          location: '/dashboard/sign-in?error=sign_in_failed',
        },
        403,
      ])
    const enough = { acr: 'urn:example:silver', amr: ['pwd', 'mfa'] }
    expect((await through({ fresh: true }, enough)).location).toBe('/dashboard')
    expect(await may()).toBe(200)
    provider.close()
  })
})

describe('a sign-in link for an existing member', () => {
  test('can be created only for members with fewer rights than its creator, or by the operator', async () => {
    await signIn(service, { ...merchant, email: 'second@example.com' })
    const admin = await signIn(service, { ...merchant, role: 'admin' })
    await signIn(service, { ...merchant, role: 'admin', email: 'admin2@example.com' })
    const developer = await signIn(service, { ...merchant, role: 'developer' })
    const made = async (by: SignedInBrowser, email: string) =>
      (await by.call('inviteMember', { body: { email, role: 'support' } })).status
    expect([
      await made(owner, 'second@example.com'),
      await made(owner, owner.email),
      await made(owner, 'admin2@example.com'),
      await made(admin, 'admin2@example.com'),
      await made(admin, admin.email),
      await made(admin, owner.email),
      await made(admin, developer.email),
    ]).toEqual([403, 403, 201, 403, 403, 403, 201])
  })

  test('is shown to the member, used or not, and cannot be hidden by its user; the audit log names its creator', async () => {
    const admin = await signIn(service, { ...merchant, role: 'admin' })
    const { link } = (await owner.call('inviteMember', { body: { email: admin.email, role: 'admin' } })).body
    expect((await admin.call('getMe')).body.return_links).toEqual([
      { id: expect.any(String), made_by: 'The owner', made_at: expect.stringMatching(/Z$/) },
    ])
    const impostor = await accept(link)
    expect(impostor.status).toBe(200)
    expect((await admin.call('getMe')).status).toBe(401)

    const { body } = await admin.call('startPasskeySignIn')
    await admin.call('finishPasskeySignIn', { body: { response: admin.passkey.get(body.options) } })
    const me = (await admin.call('getMe')).body
    expect(me.return_links).toMatchObject([{ made_by: 'The owner', used_at: expect.stringMatching(/Z$/) }])
    expect(me.sessions).toMatchObject([
      { method: 'passkey', current: true },
      { method: 'link', current: false },
    ])
    const entry = (await readAuditLog(service.ctx, merchant.tenant_id)).find(
      ({ action }) => action === 'member.returned',
    )
    const id = (await owner.call('getMe')).body.member.id
    expect(entry?.detail).toMatchObject({ link_by: `member:${id}` })
  })
})
