import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { startService } from '../../../test/service.ts'
import type { Database } from '../../platform/db/open.ts'
import { newSessionId } from '../../platform/ids.ts'
import { sql } from '../../platform/db/sql.ts'
import { createSessions, type Creation } from './store.ts'

const plans = { '': 1000 }

async function creationFor(
  db: Database,
  tenant_id: string,
  fields: Partial<Creation> = {},
): Promise<Creation> {
  const [now] = await db.query<{ day: string }>(sql`select service_day() as day`)
  const day = now?.day ?? ''
  return {
    tenant_id,
    environment: 'test',
    device_id: null,
    day,
    id: newSessionId('0', day),
    key_hash: null,
    body_hash: null,
    template: 'age_over_18',
    template_version: null,
    query: null,
    metadata: null,
    purpose: null,
    webhook_url: null,
    redirect_url: null,
    ttl_seconds: 300,
    certificate: Buffer.alloc(32),
    seed: Buffer.alloc(32),
    actor: 'operator',
    actor_name: null,
    answer: '{',
    refused: false,
    ...fields,
  }
}

test('[IDEM-2] [IDEM-4] [IDEM-8] [IDEM-12] [QUOTA-2] in one call, each request gets its own outcome', async () => {
  await using service = await startService()
  const { db } = service.ctx
  const [first, second] = [
    await service.tenant({ daily_quota: 2 }),
    await service.tenant({ daily_quota: 100 }),
  ]
  const [key_hash, otherKey, body_hash] = [randomBytes(32), randomBytes(32), randomBytes(32)]
  const create = (tenant: { tenant_id: string }, fields?: Partial<Creation>) =>
    creationFor(db, tenant.tenant_id, fields)
  const before = await create(second, { key_hash, body_hash, answer: '{"first":1,' })
  const [created] = await createSessions(db, [before], plans)
  const yesterday = '2026-01-01'

  const outcomes = await createSessions(
    db,
    [
      await create(second, { key_hash, body_hash }),
      await create(first),
      await create(second, { key_hash: otherKey, body_hash, refused: true }),
      await create(first, { day: yesterday, id: newSessionId('0', yesterday) }),
      await create(first),
      await create(second, { key_hash: otherKey, body_hash }),
      await create(first),
      await create(second, { metadata: { order: 'A-1' } }),
    ],
    plans,
  )

  expect(outcomes).toMatchObject([
    { outcome: 'replayed', answer: `{"first":1,${created?.outcome === 'created' ? created.answer : ''}` },
    { outcome: 'created' },
    { outcome: 'refused' },
    { outcome: 'day_turned', day: before.day },
    { outcome: 'created' },
    { outcome: 'in_flight' },
    { outcome: 'over_quota', retry_after: expect.any(Number) },
    { outcome: 'created' },
  ])
  const reused = await createSessions(
    db,
    [await create(second, { key_hash, body_hash: randomBytes(32) })],
    plans,
  )
  expect(reused).toMatchObject([{ outcome: 'reused' }])
  const rows = await db.query<{ used: number; sessions: number; entries: number }>(sql`
    select u.used,
      (select count(*) from verification_sessions s where s.tenant_id = u.tenant_id) as sessions,
      (select count(*) from audit_inbox a where a.tenant_id = u.tenant_id and a.action = 'verification.created') as entries
    from tenant_usage u where u.used > 0 order by u.used = 2 and u.tenant_id = ${first.tenant_id} desc`)
  expect(rows).toEqual([
    { used: 2, sessions: 2, entries: 2 },
    { used: 2, sessions: 2, entries: 2 },
  ])
})

test('[QUOTA-2] tenants that are not in ascending order fail the call, so that nobody is charged for another', async () => {
  await using service = await startService()
  const { db } = service.ctx
  const ids = [(await service.tenant()).tenant_id, (await service.tenant()).tenant_id].toSorted().toReversed()

  const call = db.query(sql`
    select created from create_verifications(
      array[service_day(), service_day()], array['a', 'b'], ${ids}::uuid[], array[1, 2], array['test', 'test'], null, null, null,
      null, null, null, null, null, null, null, null, null, array[300, 300], array['', '']::bytea[], null,
      array['operator', 'operator'], null, array['{', '{'], '{"": 1000}')`)

  await expect(call).rejects.toThrow('not in ascending order')
})

test('a process of the previous version sends its requests as JSON and gets the same outcomes', async () => {
  await using service = await startService()
  const { db } = service.ctx
  const tenants = [await service.tenant({ daily_quota: 1 }), await service.tenant({ daily_quota: 100 })]
  const requests = await Promise.all(
    [0, 0, 1, 1].map(async (tenant, ord) => {
      const creation = await creationFor(db, tenants[tenant]?.tenant_id ?? '')
      return { ...creation, ord, key_lock: null, certificate: '\\x00', seed: '\\x00', refused: ord === 2 }
    }),
  )

  const outcomes = await db.query(sql`
    select ord, outcome, answer, retry_after, day
    from create_verifications(${JSON.stringify(requests)}, ${JSON.stringify(plans)})`)

  expect(outcomes).toHaveLength(4)
  expect(outcomes).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        ord: 0,
        outcome: 'created',
        answer: expect.stringContaining('"created_at"'),
      }),
      expect.objectContaining({ ord: 1, outcome: 'over_quota', retry_after: expect.any(Number) }),
      expect.objectContaining({ ord: 2, outcome: 'refused' }),
      expect.objectContaining({ ord: 3, outcome: 'created' }),
    ]),
  )
})
