import { expect, test } from 'vitest'
import { caller } from '../../../test/caller.ts'
import { stopClockAt, setClockOffset } from '../../../test/database/clock.ts'
import { probes } from '../../../test/probes.ts'
import { sendRaw } from '../../../test/network/raw-connection.ts'
import { startService } from '../../../test/service.ts'
import { sql } from '../../engine/db/sql.ts'
import { hashKey, keyAuthenticator, newKey, recordKeyUse } from './authenticate-key.ts'
import { revokeKey } from './roll-key.ts'

test('[AUTH-1] [AUTH-7] accepts a key with the scope and names the scope that another key lacks', async () => {
  await using service = await startService({ extra: probes })
  const merchant = await service.tenant()
  const reader = await merchant.as({ scopes: ['verifications:read'] })

  expect(await merchant.get('/v1/probe')).toMatchObject({ status: 200, body: { ok: true } })
  expect(await reader.post('/v1/probe', { name: 'x' })).toMatchObject({
    status: 403,
    body: { error: { code: 'insufficient_scope', message: expect.stringContaining('verifications:create') } },
  })
  expect(await service.anonymous.get('/v1/probe')).toMatchObject({
    status: 401,
    body: { error: { code: 'invalid_api_key' } },
  })
})

test('[AUTH-3] [AUTH-11] every kind of invalid key gets the same response, with WWW-Authenticate: Bearer', async () => {
  await using service = await startService({ extra: probes })
  const merchant = await service.tenant()
  const revoked = await merchant.as({})
  await revokeKey(service.ctx, {
    by: { kind: 'operator', tenant_id: merchant.tenant_id },
    key_id: revoked.key_id,
  })
  const headers = [
    '',
    'authorization:\r\n',
    'authorization: Bearer\r\n',
    'authorization: Bearer \r\n',
    `authorization: ${merchant.key}\r\n`,
    `authorization: Basic ${merchant.key}\r\n`,
    `authorization: Bearer ${merchant.key} ${merchant.key}\r\n`,
    `authorization: Bearer ${merchant.key.slice(0, -1)}\r\n`,
    `authorization: Bearer ${merchant.key.toLowerCase()}\r\n`,
    `authorization: Bearer ${merchant.key.replace('vk_test_', 'vk_live_')}\r\n`,
    `authorization: Bearer ${newKey('test', '0')}\r\n`,
    `authorization: Bearer ${newKey('live', '9')}\r\n`,
    `authorization: Bearer ${revoked.key}\r\n`,
    `authorization: Bearer vd_${'a'.repeat(40)}\r\n`,
    `authorization: Bearer ${'a'.repeat(8000)}\r\n`,
    `x-api-key: ${merchant.key}\r\n`,
  ]
  const responses = await Promise.all(
    headers.map((header) => sendRaw(service.address, `GET /v1/probe HTTP/1.1\r\nhost: x\r\n${header}\r\n`)),
  )

  for (const response of responses) {
    expect(response).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } })
  }
  expect(new Set(responses.map((response) => response?.text)).size).toBe(1)
  const comparable = responses.map((response) =>
    Object.keys(response?.headers ?? {})
      .toSorted()
      .join(),
  )
  expect(new Set(comparable).size).toBe(1)
  expect(responses[0]?.body.error).toMatchObject({
    code: 'invalid_api_key',
    message: expect.stringContaining('Authorization: Bearer vk_'),
  })
  // The scheme is case-insensitive (RFC 9110 §11.1).
  expect(
    await sendRaw(
      service.address,
      `GET /v1/probe HTTP/1.1\r\nhost: x\r\nauthorization: bearer ${merchant.key}\r\n\r\n`,
    ),
  ).toMatchObject({ status: 200 })
})

test('[AUTH-4] an expired key is reported as expired, and revoked takes precedence over expired', async () => {
  await using service = await startService({ extra: probes })
  const merchant = await service.tenant()
  const key = await merchant.as({ lifetime_days: 30 })
  const revoked = await merchant.as({ lifetime_days: 30 })
  await revokeKey(service.ctx, {
    by: { kind: 'operator', tenant_id: merchant.tenant_id },
    key_id: revoked.key_id,
  })
  const { db } = service.ctx

  await setClockOffset(db, '29 days 23 hours')
  expect(await key.get('/v1/probe')).toMatchObject({ status: 200 })
  await setClockOffset(db, '30 days')
  expect(await key.get('/v1/probe')).toMatchObject({
    status: 401,
    body: { error: { code: 'api_key_expired' } },
  })
  expect(await revoked.get('/v1/probe')).toMatchObject({
    status: 401,
    body: { error: { code: 'invalid_api_key' } },
  })
})

test('[AUTH-4] the expiry is inclusive to the microsecond', async () => {
  await using service = await startService()
  const merchant = await service.tenant()
  const key = await merchant.as({ lifetime_days: 90 })
  const authenticate = keyAuthenticator(service.ctx)

  await stopClockAt(service.ctx.db, `timestamptz '${key.expires_at}' - interval '1 microsecond'`)
  expect(await authenticate(key.key)).toMatchObject({ key_id: key.key_id })
  await stopClockAt(service.ctx.db, `timestamptz '${key.expires_at}'`)
  await expect(authenticate(key.key)).rejects.toMatchObject({ code: 'api_key_expired' })
})

test('[AUTH-10] a key is looked up through an index on its hash, and every well-formed key by the same statement', async () => {
  await using service = await startService()
  const { db } = service.ctx
  await service.tenant()
  await db.execute(sql`
    insert into api_keys (tenant_id, environment, name, hash, prefix, scopes)
    select id, 'test', 'many', sha256(n::text::bytea), 'vk_test_0abc', array['verifications:read']
    from tenants, generate_series(1, 20000) as n`)
  await db.execute(sql`analyze api_keys`)
  const plan = await db.query<{ 'QUERY PLAN': string }>(
    sql`explain select id from api_keys where hash = any (${[hashKey(newKey('test', '0'))]})`,
  )

  expect(plan.map((line) => line['QUERY PLAN']).join()).toContain('Index Scan using api_keys_hash_key')
})

test('[AUTH-13] a route that needs no key ignores one, valid or not', async () => {
  await using service = await startService({ extra: probes })
  const { key } = await service.tenant()

  for (const bearer of [undefined, key, 'nonsense', newKey('live', '0')]) {
    expect(await caller(service.address, bearer).get('/v1/probe/x/status')).toMatchObject({ status: 200 })
  }
})

test('the last use of a key is recorded, at most once a minute', async () => {
  await using service = await startService({ extra: probes })
  const merchant = await service.tenant()
  const { db } = service.ctx
  using use = recordKeyUse(service.ctx)
  const { tenant_id, key_id: id } = await keyAuthenticator(service.ctx)(merchant.key)
  const lastUse = async () =>
    (
      await db.query<{ last_used_at: string | null }>(
        sql`select last_used_at from api_keys where id = ${merchant.key_id}`,
      )
    )[0]?.last_used_at

  expect(await lastUse()).toBeNull()
  use.note({ tenant_id, id })
  await use.flush()
  const first = await lastUse()
  expect(first).toMatch(/Z$/)
  use.note({ tenant_id, id })
  await use.flush()
  expect(await lastUse()).toBe(first)
  await setClockOffset(db, '2 minutes')
  use.note({ tenant_id, id })
  await use.flush()
  expect(await lastUse()).not.toBe(first)
})
