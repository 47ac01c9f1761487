import { ApiError, ConnectionError, PairingError } from '@vidimus/sdk'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cancelVerification, type CancelContext } from './cancel-verification.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const lost = new ConnectionError('no response')
const refuse = (status: number, code: string) => new ApiError({ status, code, message: code })
const cancelled = { id: 'vs_1', status: 'expired', template: 'age_over_18' }

/** Each call of either route gets the next reply. The last one repeats. */
async function cancel(replies: unknown[], holderReplies: (number | Error)[] = [500]) {
  const calls: string[] = []
  const next = <Reply>(list: Reply[]) => (list.length > 1 ? list.shift() : list[0])
  const context = {
    verifications: {
      cancel: async () => {
        calls.push('device')
        const reply = next(replies)
        if (reply instanceof Error) throw reply
        return reply
      },
    },
    fetch: async (url: string) => {
      calls.push(url)
      const reply = next(holderReplies)
      if (reply instanceof Error) throw reply
      return new Response(null, { status: reply ?? 500 })
    },
  }
  const result = cancelVerification(context as unknown as CancelContext, 'vs_1') // The replies are shortened.
  await vi.runAllTimersAsync()
  return { result: await result, calls }
}

test('a cancellation is repeated until the service answers', async () => {
  const { result, calls } = await cancel([
    lost,
    refuse(503, 'overloaded'),
    refuse(500, 'internal_error'),
    cancelled,
  ])
  expect(result).toEqual({ kind: 'cancelled' })
  expect(calls).toHaveLength(4)
})

test('a cancellation that comes too late says so, and is not repeated', async () => {
  const { result, calls } = await cancel([refuse(409, 'session_already_responded')])
  expect([result, calls]).toEqual([{ kind: 'answered' }, ['device']])
})

test('a verification that is gone, and a route that an older service does not have, end it', async () => {
  for (const error of [refuse(404, 'session_not_found'), refuse(404, 'not_found')])
    expect((await cancel([error])).result).toEqual({ kind: 'unknown' })
})

test('without a connection it ends once the verification has expired by itself', async () => {
  const { result, calls } = await cancel([lost])
  expect(result).toEqual({ kind: 'unknown' })
  expect(calls.length).toBeGreaterThan(100)
  expect(calls.length).toBeLessThan(200)
})

test('a till that lost its pairing cancels as the holder may', async () => {
  const revoked = refuse(401, 'invalid_api_key')
  const pairing = new PairingError('refresh_refused', 'refused')
  const holder = ['device', '/verify/vs_1/cancel']
  expect(await cancel([revoked], [200])).toEqual({ result: { kind: 'cancelled' }, calls: holder })
  expect(await cancel([pairing], [409])).toEqual({ result: { kind: 'answered' }, calls: holder })
  expect((await cancel([pairing], [404])).result).toEqual({ kind: 'unknown' })
  const { result, calls } = await cancel([pairing], [new TypeError('no connection'), 429, 503, 200])
  expect([result, calls.length]).toEqual([{ kind: 'cancelled' }, 8])
})
