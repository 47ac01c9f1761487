import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mayGrantScope, roles, scopes } from '@vidimus/contract'
import { readAuditLog } from '../../../test/audit/audit.ts'
import { openBrowser, signIn, tokenFromLink, type SignedInBrowser } from '../../../test/sign-in/browser.ts'
import { caller } from '../../../test/caller.ts'
import { raceRemoval } from '../../../test/sign-in/removal-race.ts'
import { startService, type Merchant, type Service } from '../../../test/service.ts'
import { sql } from '../../engine/db/sql.ts'

let service: Service
let merchant: Merchant
let owner: SignedInBrowser
beforeAll(async () => {
  service = await startService()
  merchant = await service.tenant()
  owner = await signIn(service, merchant)
})
afterAll(() => service[Symbol.asyncDispose]())

const here = { environment: 'test' }
const anyone = () => `${crypto.randomUUID()}@example.com`
const join = (role: 'owner' | 'admin' | 'developer' | 'support') =>
  signIn(service, { ...merchant, role, email: anyone() })
const idOf = async (member: SignedInBrowser): Promise<string> => (await member.call('getMe')).body.member.id
const opens = async (link: string) =>
  (await openBrowser(service).call('readInvitation', { body: { token: tokenFromLink(link) } })).status === 200
const invite = async (by: SignedInBrowser, email: string, role: string): Promise<string> =>
  (await by.call('inviteMember', { body: { email, role } })).body.link
const createKey = async (by: SignedInBrowser, keyScopes: string[]) =>
  (await by.call('createKey', { params: here, body: { name: 'Shop', scopes: keyScopes } })).body
const works = async (secret: string) =>
  (await caller(service.address, secret).get('/v1/usage')).status === 200

describe('removing a member', () => {
  test('withdraws links made for or by them and their keys, devices and verifications, with an audit entry each', async () => {
    const admin = await join('admin')
    const id = await idOf(admin)
    const back = await invite(owner, admin.email, 'admin')
    const forFriend = await invite(admin, anyone(), 'admin')
    const byOther = await invite(owner, anyone(), 'admin')
    const { secret, key } = await createKey(admin, ['verifications:read'])
    const others = await createKey(owner, ['verifications:read'])
    const { pairing_code } = (
      await admin.call('registerDevice', {
        params: here,
        body: { name: 'Till', allowed_templates: ['age_over_18'] },
      })
    ).body
    expect((await owner.call('removeMember', { params: { id } })).status).toBe(200)

    expect(await Promise.all([back, forFriend, byOther].map(opens))).toEqual([false, false, true])
    expect(await Promise.all([secret, others.secret].map(works))).toEqual([false, true])
    expect((await service.anonymous.post('/v1/devices/enroll', { pairing_code })).status).toBe(400)
    expect((await admin.call('getMe')).status).toBe(401)
    const entries = (await readAuditLog(service.ctx, merchant.tenant_id)).slice(-5)
    expect(entries.map(({ action }) => action)).toEqual([
      'member.invitation_withdrawn',
      'member.invitation_withdrawn',
      'member.removed',
      'key.revoked',
      'device.revoked',
    ])
    expect(entries[3]?.subject).toBe(key.id)
  })

  test('keeps the keys they created when asked to', async () => {
    const developer = await join('developer')
    const { secret } = await createKey(developer, ['verifications:read'])
    const id = await idOf(developer)
    await owner.call('removeMember', { params: { id }, query: { api_key: 'keep' } })
    expect(await works(secret)).toBe(true)
    expect((await developer.call('getMe')).status).toBe(401)
  })

  test('closes `listen` streams opened with their keys', async () => {
    const developer = await join('developer')
    const { secret } = await createKey(developer, ['verifications:read', 'verifications:create'])
    const response = await fetch(`${service.address}/listen/${crypto.randomUUID()}`, {
      headers: { authorization: `Bearer ${secret}` },
    })
    const id = await idOf(developer)
    await owner.call('removeMember', { params: { id } })
    await merchant.post('/v1/verifications', { template: 'age_over_18', ttl_seconds: 60 })
    const { body } = await merchant.post('/v1/verifications', { template: 'age_over_18' })
    await service.ctx.db.execute(sql`
      insert into webhook_forwards (verification_day, verification_id, tenant_id, listener_id)
      select service_day(), ${body.id}, tenant_id, id from webhook_listeners where tenant_id = ${merchant.tenant_id}`)
    const text = await response.text()
    expect(text).toContain('event: ready')
    expect(text).not.toContain('event: delivery')
  })

  test('while they accept, invite, create a key or register a device leaves nothing usable (8 rounds)', async () => {
    const rounds = Array.from({ length: 8 }, (_, round) => round)
    const found: string[] = []
    for (const round of rounds) found.push(...(await raceRemoval(service, { merchant, owner, round })))
    expect(found).toEqual([])
  }, 60_000)
})

describe('changing a role', () => {
  test('withdraws exactly the links and keys that the new role may not grant', async () => {
    const admin = await join('owner')
    const id = await idOf(admin)
    const [forOwner, forAdmin] = [
      await invite(admin, anyone(), 'owner'),
      await invite(admin, anyone(), 'admin'),
    ]
    const erases = await createKey(admin, ['verifications:read', 'verifications:delete'])
    const reads = await createKey(admin, ['verifications:read'])
    await owner.call('changeRole', { params: { id }, body: { role: 'admin' } })
    expect([await opens(forOwner), await opens(forAdmin), await works(erases.secret)]).toEqual([
      false,
      true,
      true,
    ])
    await owner.call('changeRole', { params: { id }, body: { role: 'developer' } })
    expect([await opens(forAdmin), await works(erases.secret), await works(reads.secret)]).toEqual([
      false,
      false,
      true,
    ])
    await owner.call('changeRole', { params: { id }, body: { role: 'support', api_key: 'keep' } })
    expect(await works(reads.secret)).toBe(true)
  })
})

describe('a member cannot create a key with more rights than their own', () => {
  test.each(roles)('%s', async (role) => {
    const member = await signIn(service, { ...merchant, role, email: anyone() })
    for (const scope of scopes) {
      const body = { name: 'K', scopes: [scope], lifetime_days: 30 }
      const response = await member.call('createKey', { params: here, body })
      expect([scope, response.status]).toEqual([scope, mayGrantScope(role, scope) ? 201 : 403])
    }
  })

  test('the refusal names the scope', async () => {
    const developer = await join('developer')
    const body = { name: 'K', scopes: ['verifications:read', 'verifications:delete'] }
    const { status, body: refused } = await developer.call('createKey', { params: here, body })
    expect(status).toBe(403)
    expect(refused.error).toEqual({
      code: 'role_not_allowed',
      message:
        'The role developer does not allow creating a key with verifications:delete. Ask an admin or an owner.',
    })
  })
})
