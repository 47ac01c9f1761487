import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { startDeliveryService } from '../../../../test/deliveries.ts'
import { reply, startReceiver } from '../../../../test/network/receiver.ts'
import type { Merchant } from '../../../../test/service.ts'
import { sql } from '../../../engine/db/sql.ts'
import { eraseVerification } from '../../../verifications/retention/erase.ts'
import { changeVerificationLocks } from './queue-store.ts'

const fixture = await startDeliveryService({ WEBHOOK_BACKOFF_SECONDS: '1,1,1,1,1' })
const worker = fixture.startWorker()
afterAll(async () => {
  await worker.stop()
  await fixture[Symbol.asyncDispose]()
})

async function readRows(id: string): Promise<object[]> {
  return fixture.ctx.db.query(sql`
    select verification_id from webhook_events where verification_id = ${id}
    union all select verification_id from webhook_deliveries where verification_id = ${id}`)
}

/** The messages that are being written now, each of which holds its verification by a shared lock, and the erasures that wait for one. */
async function waitForLocks(expected: { held: number; waiting: number }): Promise<void> {
  await expect
    .poll(
      () =>
        fixture.ctx.db.query(sql`
          select count(*) filter (where mode = 'ShareLock' and granted) as held,
            count(*) filter (where mode = 'ExclusiveLock' and not granted) as waiting
          from pg_locks
          where locktype = 'advisory'
            and database = (select oid from pg_database where datname = current_database())`),
      { interval: 20 },
    )
    .toEqual([expected])
}

/** Called directly, because the HTTP layer sheds load while the process, which also runs the worker here, is busy. */
const erase = ({ tenant_id, key_id }: Merchant, id: string) =>
  eraseVerification(fixture.ctx, { kind: 'key', key_id, tenant_id, environment: 'test', scopes: [] }, id)

test('[ERASE-1] [ERASE-2] an erasure deletes the log and the queued event, and counts the attempts', async () => {
  await using receiver = await startReceiver(reply(500))
  const merchant = await fixture.tenant()
  const id = await fixture.complete(merchant, receiver.url)
  await fixture.waitForAttempts(merchant, 2)
  const erased = await merchant.delete(`/v1/verifications/${id}`)
  const attempts = receiver.received.length

  expect(erased.body).toMatchObject({
    id,
    deleted: { verification_sessions: 1, verification_results: 1, webhook_deliveries: attempts },
  })
  expect(await readRows(id)).toEqual([])
  await sleep(1500)
  expect(receiver.received).toHaveLength(attempts)
  expect(await readRows(id)).toEqual([])
})

test('[ERASE-3] an attempt that awaits its response leaves no row behind', async () => {
  const response = Promise.withResolvers<void>()
  await using receiver = await startReceiver(
    (socket, request) => void response.promise.then(() => reply(200)(socket, request)),
  )
  const merchant = await fixture.tenant()
  const id = await fixture.complete(merchant, receiver.url)
  await expect.poll(() => receiver.received.length).toBe(1)
  const erased = await merchant.delete(`/v1/verifications/${id}`)
  response.resolve()
  await sleep(300)

  expect(erased.status).toBe(200)
  expect(await readRows(id)).toEqual([])
})

test('[ERASE-3] an erasure waits for a message being written, and nothing is sent afterwards', async () => {
  await using receiver = await startReceiver(reply(200))
  receiver.pause()
  const merchant = await fixture.tenant()
  // Larger than the socket buffers on both sides.
  const id = await fixture.complete(merchant, receiver.url, { claims: { portrait: 'x'.repeat(12_000_000) } })
  await expect.poll(() => receiver.connections).toBe(1)
  await waitForLocks({ held: 1, waiting: 0 })
  const started = performance.now()
  const [erased] = await Promise.all([erase(merchant, id), waitForLocks({ held: 1, waiting: 1 })])
  const waited_ms = performance.now() - started
  receiver.resume()
  await sleep(500)

  expect(erased.deleted.verification_results).toBe(1)
  expect(waited_ms).toBeLessThan(8000)
  expect(receiver.received).toEqual([])
  expect(await readRows(id)).toEqual([])
})

test('[ERASE-3] an erasure waits for a slow sender longer than for any other lock', async () => {
  await using receiver = await startReceiver(reply(200))
  const merchant = await fixture.tenant()
  const id = await fixture.complete(merchant, receiver.url)
  await fixture.waitForAttempts(merchant, 1)
  const sender = await fixture.ctx.db.connection()
  await changeVerificationLocks(sender, { release: [], acquire: [id] })
  const erasing = merchant.delete(`/v1/verifications/${id}`)
  await sleep(3500)
  const during = await merchant.get(`/v1/verifications/${id}`)
  sender.close()

  expect(during.status).toBe(200)
  expect((await erasing).status).toBe(200)
  expect(await readRows(id)).toEqual([])
})

test('[ERASE-3] 100 erasures racing their webhooks all succeed, and no message follows one', async () => {
  await using receiver = await startReceiver(reply(200))
  const merchant = await fixture.tenant()
  const late: string[] = []
  await Promise.all(
    Array.from({ length: 100 }, async (_, index) => {
      const id = await fixture.complete(merchant, receiver.url)
      await sleep((index % 50) * 10)
      expect(await erase(merchant, id)).toMatchObject({ deleted: { verification_sessions: 1 } })
      // Bytes that have already arrived are read in the next turns of the event loop.
      for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate)
      const count = () => receiver.received.filter(({ body }) => body.includes(id)).length
      const before = count()
      await sleep(500)
      if (count() > before) late.push(id)
      expect(await readRows(id)).toEqual([])
    }),
  )
  expect(late).toEqual([])
  // Some webhooks won the race.
  expect(receiver.received.length).toBeGreaterThan(0)
})
