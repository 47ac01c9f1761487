import { afterAll, beforeAll, expect, test } from 'vitest'
import { readAuditLog } from '../../../../test/audit/audit.ts'
import { setClockOffset } from '../../../../test/database/clock.ts'
import { runProgram } from '../../../../test/processes/run-program.ts'
import { startService, testEnvironment, type Service } from '../../../../test/service.ts'
import { sql } from '../../../engine/db/sql.ts'
import { Refusal } from '../../../engine/basics/refusal.ts'
import { readTenantSecrets, rotateWebhookSecret } from './secrets.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

async function newTenant() {
  const { tenant_id, webhook_secret } = await service.tenant()
  const by = { kind: 'operator', tenant_id } as const
  return {
    tenant_id,
    first: webhook_secret,
    rotate: () => rotateWebhookSecret(service.ctx, { by, environment: 'test' }),
    rotateLive: () => rotateWebhookSecret(service.ctx, { by, environment: 'live' }),
    signing: () => readTenantSecrets(service.ctx, { tenant_id, environment: 'test' }),
    signingLive: () => readTenantSecrets(service.ctx, { tenant_id, environment: 'live' }),
  }
}

test('[HOOK-3] after a rotation both secrets sign for 24 hours, the new one first; then only the new one', async () => {
  const tenant = await newTenant()
  expect(await tenant.signing()).toEqual([tenant.first])

  const second = await tenant.rotate()
  expect(second).toMatch(/^whsec_[\w-]{43}$/)
  expect(await tenant.signing()).toEqual([second, tenant.first])

  await setClockOffset(service.ctx.db, '23:59:58')
  expect(await tenant.signing()).toEqual([second, tenant.first])
  await setClockOffset(service.ctx.db, '24:00:01')
  expect(await tenant.signing()).toEqual([second])
  await setClockOffset(service.ctx.db, '0')
})

test('[HOOK-3] a second rotation within a day drops the oldest secret: there are never three', async () => {
  const tenant = await newTenant()
  const second = await tenant.rotate()
  const third = await tenant.rotate()

  expect(await tenant.signing()).toEqual([third, second])
})

test('[HOOK-3] many concurrent rotations leave two secrets, one of which expires', async () => {
  const tenant = await newTenant()
  const created = await Promise.all(Array.from({ length: 20 }, tenant.rotate))

  const signing = await tenant.signing()
  expect(signing).toHaveLength(2)
  expect(created).toEqual(expect.arrayContaining(signing))
  await setClockOffset(service.ctx.db, '1 day')
  expect(await tenant.signing()).toEqual(signing.slice(0, 1))
  await setClockOffset(service.ctx.db, '0')
})

test('a new tenant has a secret for each environment, and a rotation replaces only one of them', async () => {
  const tenant = await newTenant()
  const [live] = await tenant.signingLive()
  expect(live).not.toBe(tenant.first)

  const second = await tenant.rotate()
  expect(await tenant.signing()).toEqual([second, tenant.first])
  expect(await tenant.signingLive()).toEqual([live])
})

test('rotations of both environments at once leave each its own two secrets', async () => {
  const tenant = await newTenant()
  const [firstLive] = await tenant.signingLive()
  const [second, live] = await Promise.all([tenant.rotate(), tenant.rotateLive()])

  expect(await tenant.signing()).toEqual([second, tenant.first])
  expect(await tenant.signingLive()).toEqual([live, firstLive])
})

test('[HOOK-10] no secret is stored in plain text', async () => {
  const tenant = await newTenant()
  const secret = await tenant.rotate()
  const rows = await service.ctx.db.query<{ sealed: Buffer }>(
    sql`select sealed from webhook_secrets where tenant_id = ${tenant.tenant_id} and environment = 'test'`,
  )

  expect(rows).toHaveLength(2)
  for (const { sealed } of rows) {
    expect(sealed.includes('whsec_')).toBe(false)
    expect(sealed.includes(secret.slice('whsec_'.length))).toBe(false)
  }
})

test('[AUD-1] a rotation has an audit entry, which does not contain the secret', async () => {
  const tenant = await newTenant()
  const secret = await tenant.rotate()
  const entries = await readAuditLog(service.ctx, tenant.tenant_id)

  expect(entries.map(({ action }) => action)).toContain('webhook_secret.rotated')
  expect(JSON.stringify(entries)).not.toContain(secret)
})

test('an unknown tenant is refused', async () => {
  const by = { kind: 'operator', tenant_id: '00000000-0000-4000-8000-000000000000' } as const
  await expect(rotateWebhookSecret(service.ctx, { by, environment: 'test' })).rejects.toThrow(Refusal)
})

test('[HOOK-10] `admin secret rotate` prints only the new secrets, as one JSON object', async () => {
  const tenant = await newTenant()
  const { stdout } = await runProgram(
    ['admin', 'secret', 'rotate', '--tenant', tenant.tenant_id, '--json'],
    testEnvironment(service.database_url),
  )
  const printed: { webhook_secret: string; live_webhook_secret: string } = JSON.parse(stdout)

  expect(Object.keys(printed)).toEqual(['webhook_secret', 'live_webhook_secret'])
  expect(await tenant.signing()).toEqual([printed.webhook_secret, tenant.first])
  expect((await tenant.signingLive())[0]).toBe(printed.live_webhook_secret)
})
