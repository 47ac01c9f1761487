import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Environment } from '@vidimus/contract'
import { setClockOffset } from '../../../test/database/clock.ts'
import { startService, type Service } from '../../../test/service.ts'
import type { Context } from '../../engine/context.ts'
import { makePartitionsAhead } from '../../engine/db/schema/partitions.ts'
import { sql } from '../../engine/db/sql.ts'
import { newVerificationId } from '../../engine/basics/ids.ts'
import { listVerifications } from './list-verifications.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const plain = { template: 'age_over_18' }

test('[READ-1] [READ-2] [READ-3] the list is newest first, limited, and strictly before a given time', async () => {
  const merchant = await service.tenant()
  const ids: string[] = []
  for (let n = 0; n < 25; n += 1) ids.unshift((await merchant.post('/v1/verifications', plain)).body.id)
  const list = async (query: string) =>
    (await merchant.get(`/v1/verifications${query}`)).body.data.map(({ id }: { id: string }) => id)

  expect(await list('')).toEqual(ids.slice(0, 20))
  expect(await list('?limit=100')).toEqual(ids)
  expect(await list('?limit=1')).toEqual(ids.slice(0, 1))
  const { body } = await merchant.get('/v1/verifications?limit=10')
  expect(await list(`?limit=100&before=${body.data[9].created_at}`)).toEqual(ids.slice(10))
  for (const query of [
    '?limit=0',
    '?limit=101',
    '?limit=ten',
    '?limit=1.5',
    '?limit=',
    '?before=yesterday',
    '?before=2026-01-01',
    '?before=2026-01-01T00:00:00',
    '?before=2026-01-01T00:00:00%2B01:00',
    '?before=2026-13-01T00:00:00Z',
    '?other=1',
    '?limit=1&limit=2',
  ]) {
    const response = await merchant.get(`/v1/verifications${query}`)
    expect([query, response.status, response.body.error?.code]).toEqual([query, 400, 'invalid_request'])
  }
})

test('a list reads the newest day and those with verifications in its environment, however many days the tenant was active', async () => {
  await using own = await startService()
  const { db } = own.ctx
  const merchant = await own.tenant()
  const live = await merchant.as({ environment: 'live' })
  const old = (await merchant.post('/v1/verifications', plain)).body.id
  await setClockOffset(db, '41 days')
  await makePartitionsAhead(db)
  // Forty days on which the tenant created something, but nothing in this environment.
  await db.execute(sql`
    insert into usage_days (tenant_id, day, used)
    select ${merchant.tenant_id}, service_day() - n, 1 from generate_series(1, 40) as n`)
  const recent = (await live.post('/v1/verifications', plain)).body.id
  let statements = 0
  const counted: Context = {
    ...service.ctx,
    db: { ...db, query: (statement) => ((statements += 1), db.query(statement)) },
  }
  const principal = {
    kind: 'key',
    key_id: merchant.key_id,
    tenant_id: merchant.tenant_id,
    scopes: [],
  } as const
  const listed = async (environment: Environment) =>
    (await listVerifications(counted, { ...principal, environment }, { limit: 20 })).data.map(({ id }) => id)

  expect(await listed('test')).toEqual([old])
  expect(statements).toBe(5)
  expect(await listed('live')).toEqual([recent])
})

test('[READ-4] [AUTH-9] unknown and erased ids and those of another tenant or environment give the same error', async () => {
  await using own = await startService()
  const merchant = await own.tenant()
  const other = await own.tenant()
  const live = await merchant.as({ environment: 'live' })
  const { id } = (await merchant.post('/v1/verifications', plain)).body
  const erased = (await merchant.post('/v1/verifications', plain)).body.id
  await merchant.delete(`/v1/verifications/${erased}`)
  const unknown = newVerificationId('0', new Date().toISOString().slice(0, 10))

  const responses = [
    await merchant.get(`/v1/verifications/${unknown}`),
    await merchant.get(`/v1/verifications/${erased}`),
    await other.get(`/v1/verifications/${id}`),
    await live.get(`/v1/verifications/${id}`),
    await merchant.get('/v1/verifications/vs_nonsense'),
    await other.delete(`/v1/verifications/${id}`),
    await live.delete(`/v1/verifications/${id}`),
    await own.anonymous.get(`/v1/verifications/${erased}/status`),
  ]

  expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  expect(responses[0]?.body.error.code).toBe('session_not_found')
  expect((await merchant.get(`/v1/verifications/${id}`)).status).toBe(200)
  expect((await other.get('/v1/verifications')).body.data).toEqual([])
  expect((await live.get('/v1/verifications')).body.data).toEqual([])
})

test('of two callers that read the same id at the same time, only its owner gets it', async () => {
  const merchant = await service.tenant()
  const other = await service.tenant()
  const { id } = (await merchant.post('/v1/verifications', plain)).body

  const responses = await Promise.all(
    Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? merchant : other).get(`/v1/verifications/${id}`)),
  )

  expect(responses.map(({ status }) => status)).toEqual(responses.map((_, n) => (n % 2 === 0 ? 200 : 404)))
})

test('[READ-5] [READ-6] a verification reads expired as soon as its time is over, without its URIs', async () => {
  await using own = await startService()
  const merchant = await own.tenant()
  const { body: created } = await merchant.post('/v1/verifications', { ...plain, ttl_seconds: 60 })
  await setClockOffset(own.ctx.db, '60 seconds')

  const read = (await merchant.get(`/v1/verifications/${created.id}`)).body
  const listed = (await merchant.get('/v1/verifications')).body.data[0]
  const polled = (await own.anonymous.get(`/v1/verifications/${created.id}/status`)).body

  const { wallet_uri: _, request_uri: __, ...rest } = created
  expect(read).toEqual({ ...rest, status: 'expired' })
  expect(listed).toEqual(read)
  expect(polled).toEqual({ id: created.id, status: 'expired' })
})

test('[STAT-1] the status is public, reveals nothing else, and any origin may read it', async () => {
  const merchant = await service.tenant()
  const { id } = (await merchant.post('/v1/verifications', { ...plain, metadata: { a: 'b' } })).body

  const { status, body, headers } = await service.anonymous.get(`/v1/verifications/${id}/status`, {
    headers: { origin: 'https://shop.example' },
  })

  expect([status, body]).toEqual([200, { id, status: 'pending' }])
  expect(headers.get('access-control-allow-origin')).toBe('*')
  expect((await service.anonymous.get('/v1/verifications/vs_nope/status')).body.error.code).toBe(
    'session_not_found',
  )
})

test('[ERASE-1] [ERASE-2] an erasure returns what it deleted, and nothing is left afterwards', async () => {
  const merchant = await service.tenant()
  const { id } = (await merchant.post('/v1/verifications', plain)).body

  const { status, body } = await merchant.delete(`/v1/verifications/${id}`)

  expect(status).toBe(200)
  expect(body).toEqual({
    id,
    deleted: { verification_sessions: 1, verification_results: 0, webhook_deliveries: 0 },
    erased_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:]{8}\.\d{6}Z$/),
  })
  expect((await merchant.get(`/v1/verifications/${id}`)).status).toBe(404)
  expect((await service.anonymous.get(`/v1/verifications/${id}/status`)).status).toBe(404)
  expect((await merchant.delete(`/v1/verifications/${id}`)).status).toBe(404)
  expect((await merchant.get('/v1/verifications')).body.data).toEqual([])
})
