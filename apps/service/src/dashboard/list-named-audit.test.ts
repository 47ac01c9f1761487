import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AuditEntry } from '@vidimus/contract'
import { openCookieJar } from '../../test/openid/cookie-jar.ts'
import { registerSite } from '../../test/openid/site.ts'
import { pairDevice } from '../../test/pair-device.ts'
import { startService, type Merchant, type Service } from '../../test/service.ts'
import { signIn, type SignedInBrowser } from '../../test/sign-in/browser.ts'
import { sequenceAudit } from '../audit/chain/sequence.ts'
import { deleteClient } from '../holder/openid-provider/clients/change-client.ts'
import { sql } from '../engine/db/sql.ts'

let service: Service
let merchant: Merchant
let owner: SignedInBrowser
beforeAll(async () => {
  service = await startService()
  merchant = await service.tenant()
  owner = await signIn(service, merchant)
})
afterAll(() => service[Symbol.asyncDispose]())

async function entries(query: Record<string, string> = {}): Promise<AuditEntry[]> {
  while ((await sequenceAudit(service.ctx)) > 0);
  return (await owner.call('listAudit', { query })).body.data
}
const entryAbout = async (subject: string) => (await entries({ subject }))[0]

test('keys, devices and members have their names, as actors and as subjects', async () => {
  const created = await owner.call('createKey', {
    params: { environment: 'test' },
    body: { name: 'Ticket desk', scopes: ['verifications:create'] },
  })
  const { id: key_id } = created.body.key
  expect(await entryAbout(key_id)).toMatchObject({ action: 'key.created', subject_name: 'Ticket desk' })

  const till = await pairDevice(service, merchant)
  const [paired, registered] = await entries({ subject: till.id })
  expect(paired).toMatchObject({ action: 'device.enrolled', actor_name: 'Till 7', subject_name: 'Till 7' })
  expect(registered).toMatchObject({ action: 'device.registered', actor: `key:${merchant.key_id}` })
  const { body: keys } = await owner.call('listKeys', { params: { environment: 'test' } })
  const { name } = keys.data.find(({ id }: { id: string }) => id === merchant.key_id)
  expect(registered?.actor_name).toBe(name)

  const support = await signIn(service, { ...merchant, role: 'support', email: 'sam@example.com' })
  const { member } = (await support.call('getMe')).body
  await owner.call('changeRole', { params: { id: member.id }, body: { role: 'auditor' } })
  expect((await entries({ action: 'member.role_changed' }))[0]?.subject_name).toBe(member.name)

  await owner.call('revokeKey', { params: { environment: 'test', id: key_id } })
  expect(await entryAbout(key_id)).toMatchObject({ action: 'key.revoked', subject_name: 'Ticket desk' })
})

test('an OpenID client has its name and its environment until it is deleted, as actor and as subject', async () => {
  const site = await registerSite(service, { merchant, environment: 'test', name: 'Wine shop' })
  const { client_id } = site
  const client = { id: client_id, environment: 'test' }
  expect(await entryAbout(client_id)).toMatchObject({
    action: 'openid_client.created',
    subject_name: 'Wine shop',
    client,
  })
  const end = await site.authorize(openCookieJar(service), site.request().params)
  if (!('id' in end)) throw new Error('There is no verification.')
  const created = { actor: `client:${client_id}`, actor_name: 'Wine shop' }
  expect(await entryAbout(end.id)).toMatchObject({ ...created, client })
  expect(await entryAbout(end.id)).not.toHaveProperty('subject_name')

  const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
  await deleteClient(service.ctx, { by, client_id })
  const deleted = await entryAbout(client_id)
  expect(deleted?.action).toBe('openid_client.deleted')
  expect(deleted).not.toHaveProperty('client')
  expect(deleted).not.toHaveProperty('subject_name')
  expect(await entryAbout(end.id)).toMatchObject(created)
  expect(await entryAbout(end.id)).not.toHaveProperty('client')
})

test('a removed member keeps its id', async () => {
  const developer = await signIn(service, { ...merchant, role: 'developer', email: 'kim@example.com' })
  const { member } = (await developer.call('getMe')).body
  await owner.call('removeMember', { params: { id: member.id } })
  const [removed] = await entries({ action: 'member.removed' })
  expect(removed?.subject).toBe(member.id)
  expect(removed).not.toHaveProperty('subject_name')
})

test('names of another tenant, and names for other kinds of subjects, are never looked up', async () => {
  const other = await service.tenant()
  const theirs = await pairDevice(service, other, { name: 'Secret bar', allowed_templates: ['age_over_18'] })
  const { client_id } = await registerSite(service, { merchant: other, name: 'Secret shop' })
  const foreign = { key: other.key_id, device: theirs.id, client: client_id }
  await service.ctx.db.execute(sql`
    insert into audit_inbox (tenant_id, action, actor, subject) values
      (${merchant.tenant_id}, 'key.revoked', ${`key:${foreign.key}`}, ${foreign.key}),
      (${merchant.tenant_id}, 'device.revoked', 'operator', ${foreign.device}),
      (${merchant.tenant_id}, 'openid_client.changed', 'operator', ${foreign.client}),
      (${merchant.tenant_id}, 'member.invited', 'operator', ${"x@example.com'; --"}),
      (${merchant.tenant_id}, 'key.created', 'key:not-a-uuid', 'not-a-uuid')`)
  const found = (await entries()).slice(0, 5)
  expect(found.map(({ action }) => action)).toEqual([
    'key.created',
    'member.invited',
    'openid_client.changed',
    'device.revoked',
    'key.revoked',
  ])
  for (const entry of found) {
    expect(entry).not.toHaveProperty('subject_name')
    expect(entry).not.toHaveProperty('actor_name')
    expect(entry).not.toHaveProperty('client')
  }
})
