import { accessKinds, type AccessItem, type AccessKind } from '@vidimus/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  disclosing,
  here,
  idOf,
  startAccessFixture,
  yesNo,
  type AccessFixture,
} from '../../../test/access/fixture.ts'
import { makeAccess, pair } from '../../../test/access/make.ts'
import { readAuditLog } from '../../../test/audit/audit.ts'
import type { SignedInBrowser } from '../../../test/sign-in/browser.ts'

let fixture: AccessFixture
beforeAll(async () => {
  fixture = await startAccessFixture()
})
afterAll(() => fixture[Symbol.asyncDispose]())

const kinds = Object.keys(accessKinds) as AccessKind[]
const isCredential = (kind: AccessKind) => accessKinds[kind].type === 'credential'
const kindsOf = (items: readonly AccessItem[]) => [...new Set(items.map(({ kind }) => kind))].toSorted()
const listOf = async (id: string, role?: string) =>
  (await fixture.owner.call('listMemberAccess', { params: { id }, ...(role && { query: { role } }) })).body
    .data
const all = (decision: 'end' | 'keep') => Object.fromEntries(kinds.map((kind) => [kind, decision]))

async function makeOneOfEach(by: SignedInBrowser) {
  const probes = new Map(
    await Promise.all(kinds.map(async (kind) => [kind, await makeAccess[kind](fixture, by)] as const)),
  )
  const working = async () => {
    const found: AccessKind[] = []
    for (const [kind, probe] of probes) if ((await probe()).length > 0) found.push(kind)
    return found.toSorted()
  }
  expect(await working()).toEqual(kinds.toSorted())
  return working
}

describe('[ACCESS-2] what a removed member set up', () => {
  test('credentials end, addresses stay and are taken over; the list before, the response and the audit log name them', async () => {
    const admin = await fixture.join('admin')
    const working = await makeOneOfEach(admin)
    const id = await idOf(admin)
    const listed = await listOf(id)
    expect(kindsOf(listed)).toEqual(kinds.toSorted())

    const removed = await fixture.owner.call('removeMember', { params: { id } })

    expect(removed.status).toBe(200)
    const credentials = kinds.filter(isCredential).toSorted()
    const addresses = kinds.filter((kind) => !isCredential(kind)).toSorted()
    expect([kindsOf(removed.body.ended), kindsOf(removed.body.taken_over)]).toEqual([credentials, addresses])
    expect([...removed.body.ended, ...removed.body.taken_over]).toHaveLength(listed.length)
    expect(await working()).toEqual(addresses)
    expect((await fixture.owner.call('listMemberAccess', { params: { id } })).status).toBe(404)
    expect(kindsOf(await listOf(await idOf(fixture.owner)))).toEqual(expect.arrayContaining(addresses))
    const entries = (await readAuditLog(fixture.ctx, fixture.merchant.tenant_id)).filter(
      ({ detail }) => detail?.['cause'] === 'member.removed',
    )
    expect(entries).toHaveLength(listed.length)
    expect(new Set(entries.map(({ action }) => action))).toEqual(
      new Set(['key.revoked', 'device.revoked', 'openid_client.deleted', 'access.taken_over']),
    )
  }, 60_000)

  test('everything ends if asked to', async () => {
    const admin = await fixture.join('admin')
    const working = await makeOneOfEach(admin)
    const id = await idOf(admin)
    const { body } = await fixture.owner.call('removeMember', { params: { id }, query: all('end') })
    expect(kindsOf(body.ended)).toEqual(kinds.toSorted())
    expect(await working()).toEqual([])
  }, 60_000)

  test('everything stays if asked to, and is then what the acting member set up', async () => {
    const [admin, other] = [await fixture.join('admin'), await fixture.join('owner')]
    const working = await makeOneOfEach(admin)
    const id = await idOf(admin)
    const { body } = await other.call('removeMember', { params: { id }, query: all('keep') })
    expect(body.ended).toEqual([])
    expect(await working()).toEqual(kinds.toSorted())
    const id2 = await idOf(other)
    expect(kindsOf(await listOf(id2))).toEqual(kinds.toSorted())
    await fixture.owner.call('removeMember', { params: { id: id2 }, query: all('end') })
    expect(await working()).toEqual([])
  }, 60_000)

  test('a paired till stops at once, and so does its refresh', async () => {
    const developer = await fixture.join('developer')
    const { body } = await developer.call('registerDevice', {
      params: here,
      body: { name: 'Till 7', allowed_templates: [disclosing] },
    })
    const { pairing_code } = body
    const till = (await fixture.anonymous.post('/v1/devices/enroll', { pairing_code })).body
    const create = () => fixture.caller(till.access_token).post('/v1/verifications', { template: disclosing })
    expect((await create()).status).toBe(201)
    await fixture.owner.call('removeMember', { params: { id: await idOf(developer) } })
    expect((await create()).status).toBe(401)
    const { refresh_token } = till
    expect((await fixture.anonymous.post('/v1/devices/token', { refresh_token })).status).toBe(400)
  })

  test('what their API key made counts as theirs', async () => {
    const developer = await fixture.join('developer')
    const { body } = await developer.call('createKey', {
      params: here,
      body: { name: 'Provisioning', scopes: ['devices:manage', 'webhooks:manage'] },
    })
    const key = fixture.caller(body.secret)
    const registered = await key.post('/v1/devices', { name: 'Till 8', allowed_templates: [disclosing] })
    const till = await pair(fixture, registered.body.pairing_code)
    await key.post('/v1/webhook_endpoints', {
      url: 'https://8.8.8.8/by-key',
      events: ['verification.completed'],
    })
    const id = await idOf(developer)
    expect(await listOf(id)).toMatchObject([
      { kind: 'api_key', name: 'Provisioning' },
      { kind: 'device', name: 'Till 8', made_with_key: true },
      { kind: 'webhook_endpoint', name: '8.8.8.8', made_with_key: true },
    ])
    await fixture.owner.call('removeMember', { params: { id } })
    expect(await till()).toEqual([])
  })

  test('a device whose pairing code they renewed, a client whose secret they rolled or address they changed, an endpoint they redirected', async () => {
    const { owner } = fixture
    const device = (
      await owner.call('registerDevice', { params: here, body: { name: 'T', allowed_templates: [yesNo] } })
    ).body.device
    const newClient = async () =>
      (
        await owner.call('createOpenIdClient', {
          params: here,
          body: { name: 'S', redirect_uris: ['https://shop.example/cb'], templates: [yesNo] },
        })
      ).body.client.id as string
    const [rolled, changed, renamed] = [await newClient(), await newClient(), await newClient()]
    const endpoint = (
      await owner.call('createWebhookEndpoint', {
        params: here,
        body: { url: 'https://8.8.8.8/a', events: ['verification.completed'] },
      })
    ).body.endpoint
    const admin = await fixture.join('admin')
    const at = (id: string) => ({ params: { ...here, id } })
    await admin.call('renewPairingCode', { ...at(device.id), body: {} })
    await admin.call('rollOpenIdClientSecret', { ...at(rolled), body: { overlap_seconds: 0 } })
    await admin.call('changeOpenIdClient', {
      ...at(changed),
      body: { redirect_uris: ['https://elsewhere.example/cb'] },
    })
    await admin.call('changeOpenIdClient', { ...at(renamed), body: { name: 'Other' } })
    await admin.call('changeWebhookEndpoint', { ...at(endpoint.id), body: { url: 'https://8.8.4.4/b' } })
    const ids = (await listOf(await idOf(admin))).map(({ id }: AccessItem) => id)
    expect(new Set(ids)).toEqual(new Set([device.id, rolled, changed, endpoint.id]))
  })
})

describe('what a member with a lower role could not have set up', () => {
  test('ends or is taken over by the same rule, and the rest stays theirs', async () => {
    const admin = await fixture.join('admin')
    const working = await makeOneOfEach(admin)
    const id = await idOf(admin)
    const beyondDeveloper = ['alert_webhook', 'trust_anchor', 'access_certificate']
    expect(kindsOf(await listOf(id, 'developer'))).toEqual([...beyondDeveloper, 'api_key'].toSorted())
    expect(await listOf(id, 'owner')).toEqual([])

    const first = await fixture.owner.call('changeRole', { params: { id }, body: { role: 'developer' } })
    expect(kindsOf(first.body.ended)).toEqual(['api_key'])
    const ended = first.body.ended.flatMap(({ scopes }: { scopes: string[] }) => scopes)
    expect(ended.toSorted()).toEqual([
      'audit:read',
      'sealing:manage',
      'settings:manage',
      'trust:manage',
      'verifications:delete',
    ])
    expect(kindsOf(first.body.taken_over)).toEqual(beyondDeveloper.toSorted())
    expect(await working()).toEqual(kinds.toSorted())

    const second = await fixture.owner.call('changeRole', { params: { id }, body: { role: 'support' } })
    expect(kindsOf(second.body.ended)).toEqual(['api_key', 'device', 'openid_client'])
    expect(kindsOf(second.body.taken_over)).toEqual(['webhook_endpoint'])
    expect(await listOf(id)).toEqual([])
    expect(await working()).toEqual([...beyondDeveloper, 'webhook_endpoint'].toSorted())
  }, 60_000)

  test('nobody keeps a credential of their own beyond a role they give themselves', async () => {
    const other = await fixture.join('owner')
    const working = await makeOneOfEach(other)
    const id = await idOf(other)
    const body = { role: 'support', ...all('keep') }
    const changed = await other.call('changeRole', { params: { id }, body })
    expect(kindsOf(changed.body.ended)).toEqual(['api_key', 'device', 'openid_client'])
    expect(await working()).toEqual(kinds.filter((kind) => !isCredential(kind)).toSorted())
  }, 60_000)
})
