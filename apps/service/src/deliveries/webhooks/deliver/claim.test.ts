import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { insertCompletedVerifications } from '../../../../test/database/completed-verifications.ts'
import { startDeliveryService } from '../../../../test/deliveries.ts'
import { sql } from '../../../engine/db/sql.ts'
import { claimEvents, requeueEvent } from './queue-store.ts'

const url = 'http://127.0.0.1:1/hook'
const host = '127.0.0.1:1'

test('[HOOK-9] a claim reads only the rows it takes, however long the queue is, even with fresh statistics', async () => {
  await using fixture = await startDeliveryService()
  const { tenant_id } = await fixture.tenant()
  const { db } = fixture.ctx
  await db.transaction((tx) => insertCompletedVerifications(tx, { tenant_id, url, count: 5000 }))
  await db.execute(sql`analyze webhook_events`)

  const [claimed, read] = await db.transaction(async (tx) => {
    const allocations = [{ tenant_id, host, count: 10 }]
    const events = await claimEvents(tx, { allocations, lease: randomUUID(), lease_seconds: 30 })
    const [row] = await tx.query<{ fetched: number }>(sql`
      select idx_tup_fetch::integer as fetched from pg_stat_xact_user_tables where relname = 'webhook_events'`)
    return [events.length, row?.fetched ?? 0]
  })
  expect(claimed).toBe(10)
  expect(read).toBeGreaterThan(0)
  expect(read).toBeLessThan(100)
})

test('[HOOK-8] only its claimant can return an event to the queue, where it is ready as if never claimed', async () => {
  await using fixture = await startDeliveryService()
  const { tenant_id } = await fixture.tenant()
  const { db } = fixture.ctx
  await db.transaction((tx) => insertCompletedVerifications(tx, { tenant_id, url, count: 1 }))
  const claim = () =>
    claimEvents(db, { allocations: [{ tenant_id, host, count: 1 }], lease: randomUUID(), lease_seconds: 30 })
  const [event] = await claim()
  if (event === undefined) throw new Error('No event was claimed.')

  await requeueEvent(db, { ...event, lease: randomUUID() })
  expect(await claim()).toEqual([])
  await requeueEvent(db, event)
  expect(await claim()).toMatchObject([{ verification_id: event.verification_id, attempt: 1, failures: 0 }])
})
