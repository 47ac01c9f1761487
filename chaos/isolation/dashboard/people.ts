import { inviteMember } from '../../../apps/service/src/members/invitations/invite.ts'
import { sql } from '../../../apps/service/src/platform/db/sql.ts'
import { softwareAuthenticator } from '../../../apps/service/test/sign-in/authenticator.ts'
import { openBrowser, tokenFromLink, type Browser } from '../../../apps/service/test/sign-in/browser.ts'
import type { ApiResponse } from '../../../apps/service/test/caller.ts'
import { expected } from '../expected.ts'
import type { Household, Person } from '../household.ts'
import type { World } from '../world.ts'

/** Another browser of somebody, signed in with the same passkey. */
export async function comeIn({ service }: World, { passkey }: Person): Promise<Browser> {
  const browser = openBrowser(service)
  const { body } = await browser.call('startPasskeySignIn')
  await browser.call('finishPasskeySignIn', { body: { response: passkey.get(body.options) } })
  return browser
}

/** A link for somebody; whoever has this address already comes back by it. */
export async function invite({ service }: World, { merchant }: Household, email: string): Promise<string> {
  const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
  return tokenFromLink((await inviteMember(service.ctx, { by, email, role: 'support' })).link)
}

export async function acceptLink({ service }: World, token: string): Promise<Browser> {
  const browser = openBrowser(service)
  const passkey = softwareAuthenticator(browser.origin)
  const { body } = await browser.call('startPasskeyOfInvitation', { body: { token, name: 'Somebody' } })
  const response = passkey.create(body.options)
  await browser.call('acceptWithPasskey', { body: { token, name: 'Somebody', response } })
  return browser
}

export async function addPasskey(person: Person): Promise<{ id: string; answer: ApiResponse }> {
  const passkey = softwareAuthenticator(person.origin)
  const { body } = await person.call('startPasskey')
  const response = passkey.create(body.options)
  return { id: passkey.id, answer: await person.call('addPasskey', { body: { name: 'Another', response } }) }
}

/** Whoever has come in is in this household. */
export async function isIn(browser: Pick<Browser, 'call'>, { merchant }: Household): Promise<string[]> {
  const { body } = await browser.call('getMe')
  return expected('where one is', body.tenant?.id, merchant.tenant_id)
}

/** Nobody was seen where only a double of theirs is. */
export async function doublesUnseen({ service, doubles }: World): Promise<string[]> {
  const seen = await service.ctx.db.query(sql`
    select tenant_id, id from members where tenant_id = any (${doubles}::uuid[]) and last_seen_at is not null`)
  return expected('the doubles that were seen', seen, [])
}
