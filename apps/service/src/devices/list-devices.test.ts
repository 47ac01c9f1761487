import { expect, test } from 'vitest'
import { startService } from '../../test/service.ts'
import { sql } from '../engine/db/sql.ts'

const devices = 501

test('a long device list is complete, also if it is read several times at once, and other tenants get theirs', async () => {
  await using service = await startService()
  const merchant = await service.tenant()
  const other = await service.tenant()
  await other.post('/v1/devices', { name: 'Till 1', allowed_templates: ['age_over_18'] })
  await service.ctx.db.execute(sql`
    insert into devices (tenant_id, id, environment, name, allowed_templates, status, pairing_hash, pairing_expires_at,
      created_at, enrolled_at)
    select ${merchant.tenant_id}, gen_random_uuid(), 'test', 'Till ' || n, array['age_over_18'], 'active',
      sha256(n::text::bytea), service_now(), service_now(), service_now()
    from generate_series(1, ${devices}::integer) as n`)

  const responses = await Promise.all(Array.from({ length: 6 }, () => merchant.get('/v1/devices')))
  expect(responses.map(({ body }) => body.data.length)).toEqual(responses.map(() => devices))
  expect((await other.get('/v1/devices')).body.data).toHaveLength(1)
})
