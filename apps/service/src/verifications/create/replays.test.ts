import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { learnDay, newCreation } from '../../../test/creation.ts'
import { setClockOffset } from '../../../test/database/clock.ts'
import { pairDevice } from '../../../test/pair-device.ts'
import { startService, type Merchant, type Service } from '../../../test/service.ts'
import { openWallet } from '../../../test/wallet.ts'
import { sql } from '../../engine/db/sql.ts'
import { putTemplate } from '../../templates/put-template.ts'
import { expireVerifications } from '../retention/expire.ts'
import { createVerifications } from './store.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

type Creator = Pick<Merchant, 'post'>
const plain = { template: 'age_over_18' }

const create = (creator: Creator, key: string, body: object = plain) =>
  creator.post('/v1/verifications', body, { headers: { 'idempotency-key': key } })

const namesInAnyOrder = [
  'zz',
  'b',
  '10',
  '2',
  'é',
  'e\u0301',
  '😀',
  '\uffff',
  'aa',
  '',
  'Z',
  '010',
  '"',
  '\\',
]

const toMetadata = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, `of ${name}`]))

const query = {
  credentials: [
    {
      id: 'pid',
      format: 'dc+sd-jwt',
      meta: { vct_values: ['urn:eudi:pid:1'] },
      claims: [{ path: ['family_name'] }],
    },
  ],
}

const requests: Record<string, object> = {
  'a template': plain,
  'parameters and a time': {
    template: 'age_over',
    parameters: { age: 25 },
    ttl_seconds: 3600,
    max_attempts: 3,
  },
  'a query with a warning': { query, redirect_url: 'http://shop.example/return?a=%20b&c=ü' },
  'a purpose': { ...plain, purpose: ' Why "not"?\n\\ é e\u0301 😀 <b>\u2028 ' },
  'an own template with a purpose in languages': { template: 'local' },
  'metadata in any order': { ...plain, metadata: toMetadata(namesInAnyOrder) },
  'metadata in another order': { ...plain, metadata: toMetadata(namesInAnyOrder.toReversed()) },
  'empty metadata': { ...plain, metadata: {} },
  'large metadata': { ...plain, metadata: { b: 'x'.repeat(3000), a: 'ü'.repeat(500) } },
  'every address': {
    ...plain,
    webhook_url: 'https://shop.example/hook',
    redirect_url: 'com.shop.app:/return',
    alternative_url: 'https://shop.example/otherwise',
  },
}

async function setUp() {
  const merchant = await service.tenant()
  const local = {
    name: 'Local',
    description: 'Local',
    query,
    purpose: [
      { lang: 'de', content: 'Grund' },
      { lang: 'en', content: 'Reason' },
    ],
  }
  const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
  expect(await putTemplate(service.ctx, { by, key: 'local', template: local })).toEqual([])
  const { device } = await pairDevice(service, merchant, { name: 'Till', allowed_templates: ['age_over_18'] })
  await service.ctx.db.execute(sql`update tenants set approval = 'approved' where id = ${merchant.tenant_id}`)
  return { merchant, live: await merchant.as({ environment: 'live' }), device }
}

test('[IDEM-2] every kind of request is replayed byte for byte, and nothing of the 201 is stored for it', async () => {
  const { merchant, live, device } = await setUp()
  for (const [kind, body] of Object.entries(requests)) {
    const first = await create(merchant, kind.replaceAll(' ', '_'), body)
    expect([kind, first.status, first.headers.get('idempotent-replayed')]).toEqual([kind, 201, null])
    const again = await create(merchant, kind.replaceAll(' ', '_'), body)
    expect([kind, again.text, again.headers.get('idempotent-replayed')]).toEqual([kind, first.text, 'true'])
    expect(again.headers.get('link')).toBe(first.headers.get('link'))
    expect(again.headers.get('x-service-warning')).toBe(first.headers.get('x-service-warning'))
    const read = (await merchant.get(`/v1/verifications/${first.body.id}`)).body
    expect(JSON.stringify(read.metadata)).toBe(JSON.stringify(first.body.metadata))
  }
  for (const creator of [live, device]) {
    const first = await create(creator, 'k')
    expect(first.status).toBe(201)
    expect((await create(creator, 'k')).text).toBe(first.text)
  }
  const stored = await service.ctx.db.query(
    sql`select count(*) as keys, count(response) as texts, bool_and(to_jsonb(k)::text not like '%openid4vp%') as without from idempotency_keys k`,
  )
  expect(stored).toEqual([{ keys: Object.keys(requests).length + 2, texts: 0, without: true }])
})

test('[IDEM-2] the replay shows the verification as it was created, whatever has become of it', async () => {
  const { merchant } = await setUp()
  const wallet = async (persona: string) => openWallet(service.ctx, service.address, { persona })
  const endings: Record<string, (created: { id: string; wallet_uri: string }) => Promise<unknown>> = {
    completed: async ({ wallet_uri }) => (await wallet('adult')).respond(wallet_uri),
    failed: async ({ wallet_uri }) => (await wallet('expired')).respond(wallet_uri),
    redirected: async ({ wallet_uri }) => (await wallet('adult')).respond(wallet_uri),
    cancelled: async ({ id }) => merchant.post(`/v1/verifications/${id}/cancel`),
  }
  const shownAs: Record<string, string> = { redirected: 'completed', cancelled: 'expired' }
  for (const [ending, end] of Object.entries(endings)) {
    const redirect = ending === 'redirected' && { redirect_url: 'https://shop.example/return' }
    const body = { ...plain, ...redirect, metadata: { b: '1', a: '2' } }
    const first = await create(merchant, ending, body)
    await end(first.body)
    const { status } = (await merchant.get(`/v1/verifications/${first.body.id}`)).body
    expect([ending, status]).toEqual([ending, shownAs[ending] ?? ending])
    expect([ending, (await create(merchant, ending, body)).text]).toEqual([ending, first.text])
  }
})

test('[IDEM-2] the replay is the same when the verification has run out, up to the end of 24 hours', async () => {
  await using own = await startService()
  const merchant = await own.tenant()
  const first = await create(merchant, 'k')

  await setClockOffset(own.ctx.db, '10 minutes')
  await expireVerifications(own.ctx)
  expect((await merchant.get(`/v1/verifications/${first.body.id}`)).body.status).toBe('expired')
  expect((await create(merchant, 'k')).text).toBe(first.text)
  await setClockOffset(own.ctx.db, '23 hours 59 minutes 50 seconds')
  expect((await create(merchant, 'k')).text).toBe(first.text)
  await setClockOffset(own.ctx.db, '24 hours')
  expect((await create(merchant, 'k')).body.id).not.toBe(first.body.id)
})

test('an erasure between the look at the key and that at the verification reveals nothing and creates nothing', async () => {
  const { merchant } = await setUp()
  const first = await create(merchant, 'k')
  const { db } = service.ctx
  // As if the key had been read before the erasure committed.
  await db.execute(
    sql`create table kept as select * from idempotency_keys where verification_id = ${first.body.id}`,
  )
  await merchant.delete(`/v1/verifications/${first.body.id}`)
  expect(await db.query(sql`select from idempotency_keys where verification_id = ${first.body.id}`)).toEqual(
    [],
  )
  await db.execute(sql`
    update idempotency_keys i set verification_id = k.verification_id from kept k where k.key_hash = i.key_hash and k.day = i.day`)

  const { status, body } = await create(merchant, 'k')

  expect([status, body.error.code]).toEqual([422, 'idempotency_key_reused'])
  expect((await merchant.get('/v1/usage')).body.verifications_created).toBe(1)
  await db.execute(sql`drop table kept`)
})

test('beside the previous release: its stored text is replayed, and it is told to wait for what it cannot replay', async () => {
  const { merchant } = await setUp()
  const { db } = service.ctx
  const first = await create(merchant, 'k')
  const text = `{"id":"${first.body.id}","status":"pending","as":"${randomUUID()}"}`
  await db.execute(sql`
    update idempotency_keys set response = ${text}, verification_id = null where verification_id = ${first.body.id}`)
  const replayed = await create(merchant, 'k')
  expect([replayed.status, replayed.body.as]).toEqual([201, JSON.parse(text).as])
  expect(replayed.headers.get('link')).toContain(first.body.id)

  await learnDay(service)
  const [key_hash, body_hash] = [randomBytes(32), randomBytes(32)]
  const creation = newCreation(service.ctx, merchant, { key_hash, body_hash })
  expect(await createVerifications(db, [creation])).toMatchObject([{ outcome: 'created' }])
  const byPrevious = await db.query(sql`
    select outcome from create_verifications(
      days => ${[creation.day]}, ttl_seconds => array[300], tenant_ids => ${[merchant.tenant_id]}, tenant_places => array[1],
      key_hashes => ${[key_hash]}, key_locks => array[1::bigint], body_hashes => ${[body_hash]}, refused => array[false],
      stored => ${JSON.stringify([creation.stored])}, responses => '{}')`)
  expect(byPrevious).toEqual([{ outcome: 'in_flight' }])
})
