import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { setClockOffset } from '../../../../test/database/clock.ts'
import { insertCompletedVerifications } from '../../../../test/database/completed-verifications.ts'
import { startDeliveryService } from '../../../../test/deliveries.ts'
import { reply, startReceiver } from '../../../../test/network/receiver.ts'
import { packedProgram } from '../../../../test/processes/packed-program.ts'
import { testEnvironment } from '../../../../test/service.ts'
import { sql } from '../../../engine/db/sql.ts'
import { maxSenders } from './allocate-senders.ts'

const program = packedProgram()

const startWork = (database_url: string) =>
  spawn(process.execPath, [program, 'work'], {
    env: {
      PATH: process.env['PATH'],
      ...testEnvironment(database_url, { WEBHOOK_EGRESS_ALLOW: '127.0.0.0/8' }),
    },
    stdio: 'ignore',
  })

test('[HOOK-8] an event that a killed worker was sending is sent again when its lease expires, and logged as interrupted', async () => {
  let responds = false
  await using receiver = await startReceiver((socket, request) => {
    if (responds) reply(200)(socket, request)
  })
  await using fixture = await startDeliveryService()
  const merchant = await fixture.tenant()
  const child = startWork(fixture.database_url)
  await fixture.complete(merchant, receiver.url)
  await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBe(1)
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited

  responds = true
  await using worker = fixture.startWorker()
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(receiver.received).toHaveLength(1)
  await setClockOffset(fixture.ctx.db, '30 seconds')
  const log = await fixture.waitForAttempts(merchant, 2)
  await worker.stop()

  expect(log).toMatchObject([
    { attempt: 1, outcome: 'interrupted', status: null, error: null },
    { attempt: 2, outcome: 'delivered', status: 200 },
  ])
  const [first, second] = receiver.received
  expect(receiver.received).toHaveLength(2)
  expect(second?.headers['x-service-event-id']).toBe(first?.headers['x-service-event-id'])
})

test(`[HOOK-8] a worker that is killed amid a long backlog repeats at most the ${maxSenders.host} messages that a host may have open`, async () => {
  await using receiver = await startReceiver((socket, request) =>
    setTimeout(() => reply(200)(socket, request), 10),
  )
  await using fixture = await startDeliveryService()
  const { db } = fixture.ctx
  const { tenant_id } = await fixture.tenant()
  await db.transaction((tx) =>
    insertCompletedVerifications(tx, { tenant_id, url: receiver.url, count: 20_000 }),
  )
  const child = startWork(fixture.database_url)
  await expect.poll(() => receiver.maxOpen, { timeout: 40_000 }).toBeGreaterThan(maxSenders.slow_host * 2)
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
  await db.execute(sql`delete from webhook_events where lease is null`)
  const sent = receiver.received.length

  await setClockOffset(db, '1 minute')
  await using worker = fixture.startWorker()
  const left = async () => (await db.query(sql`select from webhook_events`)).length
  await expect.poll(left, { timeout: 30_000 }).toBe(0)
  await worker.stop()

  const times = Map.groupBy(receiver.received, ({ headers }) => headers['x-service-event-id'])
  const repeated = [...times.values()].filter(({ length }) => length > 1)
  // Something was repeated, or the kill came at a moment when nothing was open.
  expect(receiver.received.length - sent).toBeGreaterThan(0)
  expect(repeated.length).toBeLessThanOrEqual(maxSenders.host)
  expect(repeated.every(({ length }) => length === 2)).toBe(true)
})

test('[HOOK-8] a worker that is stopped finishes its attempts in progress', async () => {
  const response = Promise.withResolvers<void>()
  await using receiver = await startReceiver(
    (socket, request) => void response.promise.then(() => reply(200)(socket, request)),
  )
  await using fixture = await startDeliveryService()
  const merchant = await fixture.tenant()
  const worker = fixture.startWorker()
  await fixture.complete(merchant, receiver.url)
  await expect.poll(() => receiver.received.length).toBe(1)
  const stopped = worker.stop()
  response.resolve()
  await stopped

  expect(await fixture.waitForAttempts(merchant, 1)).toMatchObject([{ outcome: 'delivered' }])
})
