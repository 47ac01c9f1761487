import { inviteMember } from '../../../apps/service/src/accounts/members/invitations/invite.ts'
import { hashToken } from '../../../apps/service/src/accounts/sign-in/tokens.ts'
import { sql } from '../../../apps/service/src/engine/db/sql.ts'
import { softwareAuthenticator } from '../../../apps/service/test/sign-in/authenticator.ts'
import { openBrowser, tokenFromLink, type Browser } from '../../../apps/service/test/sign-in/browser.ts'
import type { ApiResponse } from '../../../apps/service/test/caller.ts'
import { expectEqual } from '../expect-equal.ts'
import type { TenantFixture, TenantMember } from '../fixture/tenant-fixture.ts'
import type { IsolationFixture } from '../fixture/isolation-fixture.ts'

/** Signs a member in with the same passkey in another browser. */
export async function signInAgain(
  { service }: IsolationFixture,
  { passkey }: TenantMember,
): Promise<Browser> {
  const browser = openBrowser(service)
  const { body } = await browser.call('startPasskeySignIn')
  await browser.call('finishPasskeySignIn', { body: { response: passkey.get(body.options) } })
  return browser
}

/** The id of a browser's session, as its member sees it. */
export function sessionIdOf({ cookies }: Pick<Browser, 'cookies'>): string {
  return hashToken(cookies.get('vidimus_session') ?? '').toString('hex', 0, 16)
}

/** Creates an invitation link. For the address of an existing member it is a sign-in link. */
export async function createInvitation(
  { service }: IsolationFixture,
  { merchant }: TenantFixture,
  email: string,
): Promise<string> {
  const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
  return tokenFromLink((await inviteMember(service.ctx, { by, email, role: 'support' })).link)
}

export async function acceptInvitation({ service }: IsolationFixture, token: string): Promise<Browser> {
  const browser = openBrowser(service)
  const passkey = softwareAuthenticator(browser.origin)
  const { body } = await browser.call('startPasskeyOfInvitation', { body: { token, name: 'Somebody' } })
  const response = passkey.create(body.options)
  await browser.call('acceptWithPasskey', { body: { token, name: 'Somebody', response } })
  return browser
}

export async function addPasskey(person: TenantMember): Promise<{ id: string; response: ApiResponse }> {
  const passkey = softwareAuthenticator(person.origin)
  const { body } = await person.call('startPasskey')
  const response = passkey.create(body.options)
  return {
    id: passkey.id,
    response: await person.call('addPasskey', { body: { name: 'Another', response } }),
  }
}

/** The browser is signed in to this tenant. */
export async function expectSignedInTo(
  browser: Pick<Browser, 'call'>,
  { merchant }: TenantFixture,
): Promise<string[]> {
  const { body } = await browser.call('getMe')
  return expectEqual('where one is', body.tenant?.id, merchant.tenant_id)
}

/** No activity was recorded for the duplicate members. */
export async function expectDuplicatesUnseen({
  service,
  duplicateTenants,
}: IsolationFixture): Promise<string[]> {
  const seen = await service.ctx.db.query(sql`
    select tenant_id, id from members where tenant_id = any (${duplicateTenants}::uuid[]) and last_seen_at is not null`)
  return expectEqual('duplicate members with recorded activity', seen, [])
}
