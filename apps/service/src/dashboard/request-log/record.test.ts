import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { readAuditLog } from '../../../test/audit/audit.ts'
import { pairDevice } from '../../../test/pair-device.ts'
import { openBrowser, signIn } from '../../../test/sign-in/browser.ts'
import { startService, type Service } from '../../../test/service.ts'
import { here, logWith, withId } from '../../../test/request-log.ts'
import { respondUntilAccepted } from '../../../test/respond-until-accepted.ts'
import { sql } from '../../engine/db/sql.ts'
import { hashLoggedVerification } from '../../engine/keyring/open.ts'
import { dayOfVerificationId } from '../../engine/basics/ids.ts'
import { fullRate, openRequestRecorder, recorderBounds, sampleRatio } from './record.ts'
import { insertRequests } from './store.ts'

test('requests of keys and devices are logged with route pattern, status, error, duration and idempotency outcome', async () => {
  await using service = await startService()
  const merchant = await service.tenant()
  const owner = await signIn(service, merchant)
  const { device, id: device_id } = await pairDevice(service, merchant)
  const idempotent = (body: object) =>
    merchant.post('/v1/verifications', body, { headers: { 'idempotency-key': 'order-1' } })
  const created = await idempotent({ template: 'age_over_18' })
  await idempotent({ template: 'age_over_18' })
  await idempotent({ template: 'age_over_21' })
  await merchant.get(`/v1/verifications/${created.body.id}`)
  await merchant.get('/v1/verifications/vs_unknown')
  await merchant.post('/v1/verifications', { template: 'none' })
  await device.get('/v1/verifications')
  const last = randomUUID()
  await merchant.get('/v1/usage', withId(last))

  const { data, omitted, recording } = await logWith(owner, last)
  expect([omitted, recording]).toEqual([0, 'on'])
  expect(
    data.map(({ method, route, status, error_code, idempotency }) =>
      [method, route, status, error_code, idempotency].filter((each) => each !== undefined).join(' '),
    ),
  ).toEqual([
    'GET /v1/usage 200',
    'GET /v1/verifications 200',
    'POST /v1/verifications 422 unknown_template',
    'GET /v1/verifications/{id} 404 session_not_found',
    'GET /v1/verifications/{id} 200',
    'POST /v1/verifications 422 idempotency_key_reused conflict',
    'POST /v1/verifications 201 replayed',
    'POST /v1/verifications 201 new',
    'POST /v1/devices 201',
  ])
  expect(data[0]).toMatchObject({ request_id: last, key_id: merchant.key_id })
  expect(data[1]).toMatchObject({ device_id })
  expect(data.every(({ duration_ms }) => typeof duration_ms === 'number' && duration_ms > 0)).toBe(true)

  const filtered = async (query: Record<string, string>) =>
    (await owner.call('listRequests', { params: here, query })).body.data.length
  expect(await filtered({ status: '4xx' })).toBe(3)
  expect(await filtered({ error_code: 'IDEMPOTENCY' })).toBe(1)
  expect(await filtered({ route: 'post /v1/ver' })).toBe(4)
  expect(await filtered({ device_id })).toBe(1)
  expect(await filtered({ key_id: merchant.key_id, status: '2xx' })).toBe(5)
  expect(await filtered({ key_id: randomUUID() })).toBe(0)
  expect(await filtered({ request_id: last })).toBe(1)
  expect(await filtered({ verification_id: created.body.id })).toBe(3)
  expect(await filtered({ from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' })).toBe(0)
  expect(await filtered({ limit: '2' })).toBe(2)
  for (const query of [{ before: 'x' }, { status: '9xx' }, { key_id: 'x' }, { from: 'yesterday' }]) {
    const { status } = await owner.call('listRequests', { params: here, query })
    expect([query, status]).toEqual([query, 400])
  }
})

test('[LOG-3] no body, claim, metadata, verification id or secret reaches the log, and only its tenant and environment see a request', async () => {
  await using service = await startService()
  const merchant = await service.tenant()
  const owner = await signIn(service, merchant)
  const created = await merchant.post('/v1/verifications', {
    template: 'identity_basic',
    purpose: 'canary-purpose',
    metadata: { order: 'canary-metadata' },
  })
  await respondUntilAccepted(service, created.body.wallet_uri)
  await merchant.get(`/v1/verifications/${created.body.id}?canary-query=1`)
  const { claims } = (await merchant.get(`/v1/verifications/${created.body.id}`)).body
  const last = randomUUID()
  await merchant.get('/v1/usage', withId(last))
  const { data } = await logWith(owner, last)
  const rows = await service.ctx.db.query<{ row: string }>(
    sql`select to_jsonb(l)::text as row from request_log l limit 1000`,
  )
  const stored = rows.map(({ row }) => row).join('\n')
  expect(rows.length).toBeGreaterThan(3)
  const canaries = [created.body.id, 'canary', merchant.key, String(claims.family_name)]
  for (const canary of canaries) expect([canary, stored.includes(canary)]).toEqual([canary, false])

  const stranger = await signIn(service, await service.tenant())
  const request_ids = data.map(({ request_id }) => request_id)
  for (const query of [{}, { request_id: last }, { verification_id: created.body.id }]) {
    const { body } = await stranger.call('listRequests', { params: here, query })
    expect(body.data).toEqual([])
    const live = await owner.call('listRequests', { params: { environment: 'live' }, query })
    expect(live.body.data).toEqual([])
  }
  expect(request_ids).toContain(last)
  expect((await openBrowser(service).call('listRequests', { params: here })).status).toBe(401)
})

test('[ERASE-2] erasing a verification removes the link from its requests, also from those that are written later', async () => {
  await using service = await startService()
  const merchant = await service.tenant()
  const owner = await signIn(service, merchant)
  const { id } = (await merchant.post('/v1/verifications', { template: 'age_over_18' })).body
  const about = randomUUID()
  await merchant.get(`/v1/verifications/${id}`, withId(about))
  await logWith(owner, about, { verification_id: id })

  // Buffered when the verification is erased, and written afterwards.
  const late = randomUUID()
  await merchant.get(`/v1/verifications/${id}`, withId(late))
  await merchant.delete(`/v1/verifications/${id}`)
  await logWith(owner, late)
  const [row] = await service.ctx.db.query<{ linked: number; all: number }>(sql`
    select count(verification_hash) as linked, count(*) as all from request_log`)
  expect(row).toEqual({ linked: 0, all: 4 })
  const { body } = await owner.call('listRequests', { params: here, query: { verification_id: id } })
  expect(body.data).toEqual([])
})

test('of 200 erasures beside writers, none leaves a link', async () => {
  await using service = await startService()
  const { ctx } = service
  const merchant = await service.tenant()
  const race = async () => {
    const { id } = (await merchant.post('/v1/verifications', { template: 'age_over_18' })).body
    const row = {
      tenant_id: merchant.tenant_id,
      environment: 'test',
      request_id: randomUUID(),
      method: 'GET',
      route: 'race',
      status: 200,
      error_code: null,
      warning: null,
      duration_us: 1,
      idempotency: null,
      key_id: merchant.key_id,
      device_id: null,
      member_id: null,
      verification: { day: dayOfVerificationId(id) ?? '', id, hash: hashLoggedVerification(ctx.keyring, id) },
      omitted: 0,
    } as const
    const write = () => insertRequests(ctx.db, [{ row, age_ms: 0 }])
    await write()
    await Promise.all([write(), merchant.delete(`/v1/verifications/${id}`), write()])
  }
  for (let round = 0; round < 20; round += 1) await Promise.all(Array.from({ length: 10 }, race))
  const counts = await ctx.db.query<{ all: number; linked: number }>(
    sql`select count(*) as all, count(verification_hash) as linked from request_log where route = 'race'`,
  )
  expect(counts).toEqual([{ all: 600, linked: 0 }])
})

test('a tenant and the operator can switch the log off', async () => {
  await using service = await startService()
  const merchant = await service.tenant()
  const other = await service.tenant()
  const owner = await signIn(service, merchant)
  const settings = await owner.call('changeRequestLog', { body: { enabled: false } })
  expect(settings.body.request_log).toEqual({ enabled: false, available: true })
  await owner.call('changeRequestLog', { body: { enabled: false } })
  await merchant.get('/v1/usage')
  const last = randomUUID()
  await other.get('/v1/usage', withId(last))
  await logWith(await signIn(service, other), last)
  const off = await owner.call('listRequests', { params: here })
  expect(off.body).toEqual({ data: [], omitted: 0, recording: 'off' })
  const entries = await readAuditLog(service.ctx, merchant.tenant_id)
  expect(entries.filter(({ action }) => action === 'tenant.request_log_changed')).toMatchObject([
    { detail: { enabled: false } },
  ])
  for (const role of ['developer', 'support', 'auditor'] as const) {
    const member = await signIn(service, { tenant_id: merchant.tenant_id, role })
    expect((await member.call('changeRequestLog', { body: { enabled: true } })).status).toBe(403)
  }
  await owner.call('changeRequestLog', { body: { enabled: true } })
  const again = randomUUID()
  await merchant.get('/v1/usage', withId(again))
  await logWith(owner, again)

  await using silent = await startService({ environment: { REQUEST_LOG: 'off' } })
  const merchantThere = await silent.tenant()
  await merchantThere.get('/v1/usage')
  const there = await (await signIn(silent, merchantThere)).call('listRequests', { params: here })
  expect(there.body).toEqual({ data: [], omitted: 0, recording: 'unavailable' })
  expect(openRequestRecorder(silent.ctx)).toBeUndefined()
})

function fill(service: Service, tenant_id: string, key_id: string) {
  const recorder = openRequestRecorder(service.ctx)
  if (recorder === undefined) throw new Error('The log is off.')
  const principal = { kind: 'key', key_id, tenant_id, environment: 'test', scopes: [] } as const
  const record = (status: number) =>
    recorder.record({
      principal,
      request_id: randomUUID(),
      method: 'GET',
      route: '/v1/usage',
      status,
      error_code: undefined,
      warning: undefined,
      duration_ms: 1,
      idempotency: undefined,
      verification_id: undefined,
    })
  return Object.assign(recorder, { add: record })
}

test('above a rate the log has a sample and says how many are missing; failures have a share of their own', async () => {
  await using service = await startService()
  const { tenant_id, key_id } = await service.tenant()
  const recorder = fill(service, tenant_id, key_id)
  for (let n = 0; n < 1000; n += 1) recorder.add(200)
  for (let n = 0; n < 50; n += 1) recorder.add(429)
  await recorder.flush()
  recorder[Symbol.dispose]()
  const [row] = await service.ctx.db.query<Record<string, number>>(sql`
    select count(*) as all, count(*) filter (where status = 429) as failed, sum(omitted)::integer as omitted from request_log`)
  const sampled = fullRate + (1000 - fullRate) / sampleRatio
  expect(row).toEqual({ all: sampled + 50, failed: 50, omitted: 1000 - sampled })
  const owner = await signIn(service, { tenant_id })
  const page = (await owner.call('listRequests', { params: here, query: { limit: '100' } })).body
  expect(page.omitted).toBeGreaterThan(0)
})

test('what cannot be written is dropped and counted, and the next request says so', async () => {
  await using service = await startService()
  const { tenant_id, key_id } = await service.tenant()
  const recorder = fill(service, tenant_id, key_id)
  const { db } = service.ctx
  await db.execute(sql`alter table request_log rename to request_log_away`)
  for (let n = 0; n < 7; n += 1) recorder.add(200)
  await recorder.flush()
  await db.execute(sql`alter table request_log_away rename to request_log`)
  recorder.add(200)
  await recorder.flush()
  recorder[Symbol.dispose]()
  const rows = await db.query<{ omitted: number }>(sql`select omitted from request_log limit 10`)
  expect(rows).toEqual([{ omitted: 7 }])
  const metrics = await (await fetch(`${service.metrics_address}/metrics`)).text()
  expect(metrics).toContain('vidimus_request_log_dropped_total{reason="failed"} 7')
  expect(recorderBounds.waiting).toBeGreaterThan(recorderBounds.batch)
})
