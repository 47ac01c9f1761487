import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startDeliveryService } from '../../../test/deliveries.ts'
import { insertCompletedVerifications } from '../../../test/database/completed-verifications.ts'
import { reply, startReceiver } from '../../../test/network/receiver.ts'
import { announceEvents } from './announce.ts'
import { queueChannel } from './deliver/queue-store.ts'

test('an idle worker sends an announced event before its next poll, and finds one that was not announced by polling', async () => {
  await using receiver = await startReceiver(reply(200))
  await using fixture = await startDeliveryService()
  const { tenant_id } = await fixture.tenant()
  const { db } = fixture.ctx
  const connection = await db.connection()
  let notifications = 0
  await connection.listen(queueChannel, () => (notifications += 1))
  await using worker = fixture.startWorker()
  const commit = () =>
    db.transaction((tx) => insertCompletedVerifications(tx, { tenant_id, url: receiver.url, count: 1 }))

  await commit()
  await expect.poll(() => receiver.received.length, { timeout: 10_000 }).toBe(1)
  expect(notifications).toBe(0)
  // Until the worker polls once a second.
  await sleep(2500)
  await commit()
  announceEvents(db)
  await expect.poll(() => receiver.received.length, { timeout: 10_000 }).toBe(2)
  expect(notifications).toBe(1)
  connection.close()
  await worker.stop()
})

test('a hundred announcements at once are two notifications: the first at once, the other for all that followed', async () => {
  await using fixture = await startDeliveryService()
  const connection = await fixture.ctx.db.connection()
  let notifications = 0
  await connection.listen(queueChannel, () => (notifications += 1))
  for (let event = 0; event < 100; event += 1) announceEvents(fixture.ctx.db)
  await expect.poll(() => notifications, { timeout: 10_000 }).toBe(2)
  await sleep(300)
  expect(notifications).toBe(2)
  connection.close()
})
