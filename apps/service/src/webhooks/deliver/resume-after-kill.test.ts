import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { setClockOffset } from '../../../test/database/clock.ts'
import { startDeliveryService } from '../../../test/deliveries.ts'
import { reply, startReceiver } from '../../../test/network/receiver.ts'
import { testEnvironment } from '../../../test/service.ts'

const program = fileURLToPath(new URL('../../main.ts', import.meta.url))

test('[HOOK-8] what a killed worker was sending is sent again once its lease has ended, and the log says so', async () => {
  let answering = false
  await using receiver = await startReceiver((socket, request) => {
    if (answering) reply(200)(socket, request)
  })
  await using at = await startDeliveryService()
  const merchant = await at.tenant()
  const child = spawn(process.execPath, [program, 'work'], {
    env: {
      PATH: process.env['PATH'],
      ...testEnvironment(at.database_url, { WEBHOOK_EGRESS_ALLOW: '127.0.0.0/8' }),
    },
    stdio: 'ignore',
  })
  await at.complete(merchant, receiver.url)
  await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBe(1)
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone

  answering = true
  await using worker = at.startWorker()
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(receiver.received).toHaveLength(1)
  await setClockOffset(at.ctx.db, '30 seconds')
  const log = await at.waitForAttempts(merchant, 2)
  await worker.stop()

  expect(log).toMatchObject([
    { attempt: 1, outcome: 'interrupted', status: null, error: null },
    { attempt: 2, outcome: 'delivered', status: 200 },
  ])
  const [first, second] = receiver.received
  expect(receiver.received).toHaveLength(2)
  expect(second?.headers['x-service-event-id']).toBe(first?.headers['x-service-event-id'])
})

test('[HOOK-8] a worker that is told to stop finishes what it is sending', async () => {
  const answer = Promise.withResolvers<void>()
  await using receiver = await startReceiver(
    (socket, request) => void answer.promise.then(() => reply(200)(socket, request)),
  )
  await using at = await startDeliveryService()
  const merchant = await at.tenant()
  const worker = at.startWorker()
  await at.complete(merchant, receiver.url)
  await expect.poll(() => receiver.received.length).toBe(1)
  const stopped = worker.stop()
  answer.resolve()
  await stopped

  expect(await at.waitForAttempts(merchant, 1)).toMatchObject([{ outcome: 'delivered' }])
})
