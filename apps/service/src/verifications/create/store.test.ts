import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import type { CreateVerification } from '@vidimus/contract'
import { learnDay, newCreation } from '../../../test/creation.ts'
import { startService, type Merchant } from '../../../test/service.ts'
import { sql } from '../../engine/db/sql.ts'
import type { VerificationTimes } from '../store.ts'
import { createVerifications, type Creation, type CreationOutcome } from './store.ts'

test('[IDEM-2] [IDEM-4] [IDEM-8] [QUOTA-2] in one call, each request gets its own outcome', async () => {
  await using service = await startService()
  await learnDay(service)
  const { db } = service.ctx
  const [first, second] = [
    await service.tenant({ daily_quota: 2 }),
    await service.tenant({ daily_quota: 100 }),
  ]
  const [key_hash, otherKey, body_hash] = [randomBytes(32), randomBytes(32), randomBytes(32)]
  const create = (tenant: Merchant, ...more: [Partial<Creation>?, Partial<CreateVerification>?]) =>
    newCreation(service.ctx, tenant, ...more)
  const before = create(second, { key_hash, body_hash })
  const [created] = await createVerifications(db, [before])
  const yesterday = '2026-01-01'

  const outcomes = await createVerifications(db, [
    create(second, { key_hash, body_hash }),
    create(first),
    create(second, { key_hash: otherKey, body_hash, refused: true }),
    create(first, { day: yesterday }),
    create(first),
    create(second, { key_hash: otherKey, body_hash }),
    create(first),
    create(second, {}, { metadata: { order: 'A-1' } }),
  ])

  expect(outcomes).toMatchObject([
    { outcome: 'replayed', response: before.stored.id, ...timesOf(created) },
    { outcome: 'created' },
    { outcome: 'refused' },
    { outcome: 'day_turned', day: before.day },
    { outcome: 'created' },
    { outcome: 'in_flight' },
    { outcome: 'over_quota', retry_after: expect.any(Number) },
    { outcome: 'created' },
  ])
  const reused = await createVerifications(db, [create(second, { key_hash, body_hash: randomBytes(32) })])
  expect(reused).toMatchObject([{ outcome: 'reused' }])
  const rows = await db.query<{ used: number; verifications: number; entries: number }>(sql`
    select u.used,
      (select count(*) from verification_sessions s where s.tenant_id = u.tenant_id) as verifications,
      (select count(*) from audit_inbox a where a.tenant_id = u.tenant_id and a.action = 'verification.created') as entries
    from tenant_usage u where u.tenant_id in (${first.tenant_id}, ${second.tenant_id}) order by u.used = 2 and u.tenant_id = ${first.tenant_id} desc`)
  expect(rows).toEqual([
    { used: 2, verifications: 2, entries: 2 },
    { used: 2, verifications: 2, entries: 2 },
  ])
})

function timesOf(outcome: CreationOutcome | undefined): VerificationTimes {
  if (outcome?.outcome !== 'created') throw new Error('It was not created.')
  return { created_at: outcome.created_at, expires_at: outcome.expires_at }
}

test('a column that is added while the service runs is stored without a change of the function', async () => {
  await using service = await startService()
  await learnDay(service)
  const merchant = await service.tenant()
  const { db } = service.ctx
  const create = async () => {
    const creation = newCreation(service.ctx, merchant)
    const stored = { ...creation.stored, added_later: 'kept' }
    await createVerifications(db, [{ ...creation, stored }])
  }
  await create()
  await db.execute(sql`alter table verification_sessions add column added_later text`)
  await create()

  const rows = await db.query(sql`
    select status, held, fetches, added_later from verification_sessions
    where tenant_id = ${merchant.tenant_id} order by created_at`)
  expect(rows).toEqual([
    { status: 'pending', held: false, fetches: 0, added_later: null },
    { status: 'pending', held: false, fetches: 0, added_later: 'kept' },
  ])
})

test('[QUOTA-2] tenants that are not in ascending order fail the call, so that nobody is charged for another', async () => {
  await using service = await startService()
  const { db } = service.ctx
  const ids = [(await service.tenant()).tenant_id, (await service.tenant()).tenant_id].toSorted().toReversed()

  const call = db.query(sql`
    select outcome from create_verifications(
      days => array[service_day(), service_day()], ttl_seconds => array[300, 300], tenant_ids => ${ids},
      tenant_places => array[1, 2], key_hashes => null, key_locks => null, body_hashes => null, refused => null, stored => '[{}, {}]',
      responses => '')`)

  await expect(call).rejects.toThrow('not in ascending order')
})
