import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AuditAction } from '@vidimus/contract'
import { readAuditLog } from '../../../test/audit/audit.ts'
import { softwareAuthenticator } from '../../../test/sign-in/authenticator.ts'
import { openBrowser, signIn, tokenFromLink, type SignedInBrowser } from '../../../test/sign-in/browser.ts'
import { runSqlText } from '../../../test/database/clock.ts'
import { failAuditCommit, failAuditInsert } from '../../../test/audit/failing-audit.ts'
import { startService, type Merchant, type Service } from '../../../test/service.ts'
import { sql } from '../../engine/db/sql.ts'
import { inviteMember } from './invitations/invite.ts'

let service: Service
let merchant: Merchant
let owner: SignedInBrowser
beforeAll(async () => {
  service = await startService()
  merchant = await service.tenant()
  owner = await signIn(service, merchant)
})
afterAll(() => service[Symbol.asyncDispose]())

/** Prepares a change and returns the request that makes it. */
type Change = () => Promise<() => Promise<{ status: number }>>

const anyone = () => `${crypto.randomUUID()}@example.com`
const another = () => signIn(service, { ...merchant, role: 'developer', email: anyone() })
const idOf = async (member: SignedInBrowser): Promise<string> => (await member.call('getMe')).body.member.id

async function accepting(email: string) {
  const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
  const token = tokenFromLink((await inviteMember(service.ctx, { by, email, role: 'support' })).link)
  const browser = openBrowser(service)
  const { body } = await browser.call('startPasskeyOfInvitation', { body: { token, name: 'N' } })
  const response = softwareAuthenticator(browser.origin).create(body.options)
  return () => browser.call('acceptWithPasskey', { body: { token, name: 'N', response } })
}

/** Not a change, and a change that the provider's tests cover. */
type OtherAction = 'member.sign_in_failed' | 'member.identity_linked'

/** Every change by or to a member. */
const changes: Record<Exclude<Extract<AuditAction, `member.${string}`>, OtherAction>, Change> = {
  'member.invited': async () => () =>
    owner.call('inviteMember', { body: { email: anyone(), role: 'admin' } }),
  'member.invitation_withdrawn': async () => {
    const { body } = await owner.call('inviteMember', { body: { email: anyone(), role: 'admin' } })
    return () => owner.call('withdrawInvitation', { params: { id: body.invitation.id } })
  },
  'member.joined': async () => accepting(anyone()),
  'member.returned': async () => accepting((await another()).email),
  'member.signed_in': async () => {
    const { passkey } = await another()
    const browser = openBrowser(service)
    return async () => {
      const { body } = await browser.call('startPasskeySignIn')
      return browser.call('finishPasskeySignIn', { body: { response: passkey.get(body.options) } })
    }
  },
  'member.signed_out': async () => {
    const member = await another()
    return () => member.call('signOut')
  },
  'member.signed_out_everywhere': async () => {
    const member = await another()
    return () => member.call('signOutEverywhere')
  },
  'member.session_ended': async () => {
    const member = await another()
    const { sessions } = (await member.call('getMe')).body
    return () => member.call('endSession', { params: { id: sessions[0].id } })
  },
  'member.passkey_added': async () => {
    const member = await another()
    const { body } = await member.call('startPasskey')
    const response = softwareAuthenticator(member.origin).create(body.options)
    return () => member.call('addPasskey', { body: { name: 'Second', response } })
  },
  'member.passkey_removed': async () => {
    const member = await another()
    const { body } = await member.call('startPasskey')
    const response = softwareAuthenticator(member.origin).create(body.options)
    await member.call('addPasskey', { body: { name: 'Second', response } })
    return () => member.call('removePasskey', { params: { id: member.passkey.id } })
  },
  'member.renamed': async () => {
    const member = await another()
    return () => member.call('changeMe', { body: { name: crypto.randomUUID() } })
  },
  'member.role_changed': async () => {
    const id = await idOf(await another())
    return () => owner.call('changeRole', { params: { id }, body: { role: 'auditor' } })
  },
  'member.removed': async () => {
    const id = await idOf(await another())
    return () => owner.call('removeMember', { params: { id } })
  },
}

/** Every row that such a change can affect, without the columns that record activity. */
const everything = sql`
  select row from (
    select (to_jsonb(m) - 'last_seen_at')::text as row from members m
    union all select (to_jsonb(s) - 'seen_at')::text from member_sessions s
    union all select (to_jsonb(p) - '{last_used_at,counter}'::text[])::text from member_passkeys p
    union all select to_jsonb(i)::text from member_invitations i
    union all select to_jsonb(a)::text from audit_inbox a) rows order by row limit 5000`

test.each(Object.entries(changes))(
  '[AUD-1] [AUD-2] %s commits with its change; a rollback leaves neither',
  async (action, change) => {
    const { ctx } = service
    const performChange = await change()
    const stateOf = () => ctx.db.query(everything)
    const before = await stateOf()
    for (const trigger of [failAuditInsert(action), failAuditCommit(action)]) {
      await runSqlText(ctx.db, trigger)
      expect((await performChange()).status).toBe(500)
      expect(await stateOf()).toEqual(before)
      await runSqlText(ctx.db, 'drop trigger injected on audit_inbox')
    }
    expect((await performChange()).status).toBeLessThan(300)
    const entries = await readAuditLog(ctx, merchant.tenant_id)
    const entry = entries.findLast((each) => each.action === action)
    expect(entry?.actor).toMatch(/^member:[0-9a-f-]{36}$/)
    expect(entry?.actor_name).toBeTruthy()
  },
)

test('the last sign-in method cannot be removed, and audit details contain no personal data', async () => {
  const member = await another()
  const refused = await member.call('removePasskey', { params: { id: member.passkey.id } })
  expect(refused.body.error.code).toBe('last_sign_in_method')
  expect((await member.call('getMe')).body.passkeys).toHaveLength(1)
  const entries = await readAuditLog(service.ctx, merchant.tenant_id)
  expect(JSON.stringify(entries.map(({ detail }) => detail))).not.toContain('@example.com')
})
