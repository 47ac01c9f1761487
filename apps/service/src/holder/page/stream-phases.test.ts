import { afterAll, expect, test } from 'vitest'
import { startService } from '../../../test/service.ts'
import type { Context } from '../../engine/context.ts'
import { DatabaseUnreachableError } from '../../engine/db/failures.ts'
import { phaseStreamer } from './stream-phases.ts'
import { addressKey } from '../../engine/http/guard/client-address.ts'

const service = await startService()
const merchant = await service.tenant()
afterAll(() => service[Symbol.asyncDispose]())

/** The context with a database that counts its queries, and fails when told to. */
function watchQueries(): { ctx: Context; queries: () => number; fail: (count: number) => void } {
  let [queries, failures] = [0, 0]
  const db = new Proxy(service.ctx.db, {
    get(target, name, receiver) {
      if (name !== 'query') return Reflect.get(target, name, receiver)
      return (...args: Parameters<typeof target.query>) => {
        queries += 1
        if (failures > 0) {
          failures -= 1
          return Promise.reject(new DatabaseUnreachableError('the test made it so'))
        }
        return target.query(...args)
      }
    },
  })
  return {
    ctx: { ...service.ctx, db },
    queries: () => queries,
    fail: (count) => void (failures = count),
  }
}

async function create(): Promise<string> {
  return (await merchant.post('/v1/verifications', { template: 'age_over_18' })).body.id
}

test('streams of different verifications read their phases together', async () => {
  const streams = 40
  const ids = await Promise.all(Array.from({ length: streams }, create))
  const { ctx, queries } = watchQueries()
  const stream = phaseStreamer(ctx)
  const events: string[] = []
  let checks = 0
  await Promise.all(
    ids.map((id, index) =>
      stream({
        id,
        address: addressKey(`10.0.0.${index}`),
        write: (event) => Promise.resolve(void events.push(JSON.stringify(event))),
        // Each stream asks twice a second, before and after it waits.
        ended: () => (checks += 1) > streams * 6,
      }),
    ),
  )
  expect(events).toHaveLength(streams)
  // At once, and then for three seconds: a stream for itself would need more than a hundred.
  expect(queries()).toBeGreaterThanOrEqual(3)
  expect(queries()).toBeLessThanOrEqual(8)
})

test('a stream survives an unavailable database and goes on', async () => {
  const id = await create()
  const { ctx, fail } = watchQueries()
  const events: unknown[] = []
  const ended = phaseStreamer(ctx)({
    id,
    address: addressKey('10.0.0.1'),
    write: async (event) => {
      events.push(event)
      if (events.length > 1) return
      fail(2)
      await merchant.delete(`/v1/verifications/${id}`)
    },
    ended: () => false,
  })
  await ended
  expect(events).toEqual([
    { event: 'phase', data: { phase: 'pending' } },
    { event: 'phase', data: { phase: 'gone' } },
  ])
})
