import { setTimeout as pass } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { startDeliveryService } from '../../../test/deliveries.ts'
import { reply, startReceiver } from '../../../test/network/receiver.ts'
import type { Merchant } from '../../../test/service.ts'
import { sql } from '../../platform/db/sql.ts'
import { eraseVerification } from '../../verifications/retention/erase.ts'
import { changeSessionLocks } from '../store.ts'

const at = await startDeliveryService({ WEBHOOK_BACKOFF_SECONDS: '1,1,1,1,1' })
const worker = at.startWorker()
afterAll(async () => {
  await worker.stop()
  await at[Symbol.asyncDispose]()
})

async function rowsOf(id: string): Promise<object[]> {
  return at.ctx.db.query(sql`
    select session_id from webhook_queue where session_id = ${id}
    union all select session_id from webhook_deliveries where session_id = ${id}`)
}

/** Not over HTTP: the service sheds load while its process, which is the worker's too here, is busy. */
const erase = ({ tenant_id, key_id }: Merchant, id: string) =>
  eraseVerification(at.ctx, { kind: 'key', key_id, tenant_id, environment: 'test', scopes: [] }, id)

test('[ERASE-1, ERASE-2] an erasure takes the log and what is still queued, and counts the attempts that were made', async () => {
  await using receiver = await startReceiver(reply(500))
  const merchant = await at.tenant()
  const id = await at.complete(merchant, receiver.url)
  await at.waitForAttempts(merchant, 2)
  const erased = await merchant.delete(`/v1/verifications/${id}`)
  const made = receiver.received.length

  expect(erased.body).toMatchObject({
    id,
    deleted: { verification_sessions: 1, verification_results: 1, webhook_deliveries: made },
  })
  expect(await rowsOf(id)).toEqual([])
  await pass(1500)
  expect(receiver.received).toHaveLength(made)
  expect(await rowsOf(id)).toEqual([])
})

test('[ERASE-3] an attempt whose answer is still awaited leaves no row behind', async () => {
  const answer = Promise.withResolvers<void>()
  await using receiver = await startReceiver(
    (socket, request) => void answer.promise.then(() => reply(200)(socket, request)),
  )
  const merchant = await at.tenant()
  const id = await at.complete(merchant, receiver.url)
  await expect.poll(() => receiver.received.length).toBe(1)
  const erased = await merchant.delete(`/v1/verifications/${id}`)
  answer.resolve()
  await pass(300)

  expect(erased.status).toBe(200)
  expect(await rowsOf(id)).toEqual([])
})

test('[ERASE-3] an erasure waits for a message that is just leaving, and nothing of it leaves afterwards', async () => {
  await using receiver = await startReceiver(reply(200))
  receiver.pause()
  const merchant = await at.tenant()
  // More than the buffers between two sockets hold.
  const id = await at.complete(merchant, receiver.url, { claims: { portrait: 'x'.repeat(12_000_000) } })
  await expect.poll(() => receiver.connections).toBe(1)
  await pass(200)
  const started = performance.now()
  const erased = await erase(merchant, id)
  const waited_ms = performance.now() - started
  receiver.resume()
  await pass(500)

  expect(erased.deleted.verification_results).toBe(1)
  expect(waited_ms).toBeGreaterThan(500)
  expect(waited_ms).toBeLessThan(8000)
  expect(receiver.received).toEqual([])
  expect(await rowsOf(id)).toEqual([])
})

test('[ERASE-3] an erasure waits for a sender that is slow to let go, longer than for any other lock', async () => {
  await using receiver = await startReceiver(reply(200))
  const merchant = await at.tenant()
  const id = await at.complete(merchant, receiver.url)
  await at.waitForAttempts(merchant, 1)
  const sender = await at.ctx.db.connection()
  await changeSessionLocks(sender, { release: [], acquire: [id] })
  const erasing = merchant.delete(`/v1/verifications/${id}`)
  await pass(3500)
  const seen = await merchant.get(`/v1/verifications/${id}`)
  sender.close()

  expect(seen.status).toBe(200)
  expect((await erasing).status).toBe(200)
  expect(await rowsOf(id)).toEqual([])
})

test('[ERASE-3] of 100 erasures that race their webhooks each succeeds, and none is followed by a message', async () => {
  await using receiver = await startReceiver(reply(200))
  const merchant = await at.tenant()
  const late: string[] = []
  await Promise.all(
    Array.from({ length: 100 }, async (_, index) => {
      const id = await at.complete(merchant, receiver.url)
      await pass((index % 50) * 10)
      expect(await erase(merchant, id)).toMatchObject({ deleted: { verification_sessions: 1 } })
      // What had arrived by then is read in the next turns of the event loop.
      for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate)
      const count = () => receiver.received.filter(({ body }) => body.includes(id)).length
      const before = count()
      await pass(500)
      if (count() > before) late.push(id)
      expect(await rowsOf(id)).toEqual([])
    }),
  )
  expect(late).toEqual([])
  // Some webhooks won their race.
  expect(receiver.received.length).toBeGreaterThan(0)
})
