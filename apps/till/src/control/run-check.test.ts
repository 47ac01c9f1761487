import { ApiError, ConnectionError } from '@vidimus/sdk'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { runCheck, type CheckContext } from './run-check.ts'

/** Opens at once, and passes on what a test emits. */
class FakeEventSource extends EventTarget {
  static opened: FakeEventSource[] = []
  readonly url: string
  closed = false

  constructor(url: string) {
    super()
    this.url = url
    FakeEventSource.opened.push(this)
  }

  emit(type: string, data?: object): void {
    this.dispatchEvent(Object.assign(new Event(type), { data: JSON.stringify(data) }))
  }

  close(): void {
    this.closed = true
  }
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('EventSource', FakeEventSource)
  FakeEventSource.opened = []
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const created = {
  id: 'vs_1',
  status: 'pending',
  wallet_uri: 'openid4vp://?fixed',
  created_at: '2026-11-18T12:00:00Z',
  expires_at: '2026-11-18T12:05:00Z',
}
const opened = { id: 'vs_1', wallet_uri: 'openid4vp://?fixed', ttl_ms: 300_000 }
const completed = { ...created, status: 'completed', claims: { age_over_18: true } }
const stream = () => FakeEventSource.opened.at(-1) ?? expect.fail('no stream')

function start(
  routes: Record<'create' | 'retrieve' | 'status', () => Promise<unknown>>,
  earlier = Promise.resolve(),
) {
  const calls: string[] = []
  const seen: unknown[] = []
  const stopping = new AbortController()
  const record =
    (name: keyof typeof routes) =>
    async (...given: unknown[]) => {
      calls.push(name === 'create' ? `create ${JSON.stringify(given.at(-1))}` : name)
      return routes[name]()
    }
  const context = {
    verifications: { create: record('create'), retrieve: record('retrieve'), status: record('status') },
    signal: stopping.signal,
    now: () => Date.parse('2026-11-18T22:30:10Z'),
    earlier,
    onOpen: (open: unknown) => seen.push(open),
    onCode: (code: string) => seen.push(code),
    onPhase: (phase: object) => seen.push(phase),
  }
  const check = { key: 'k1', template: 'age_over_18', pressed_ms: performance.now() }
  const result = runCheck(context as unknown as CheckContext, check) // The replies are shortened.
  return { result, calls, seen, stop: () => stopping.abort() }
}

const pending = { create: async () => created, retrieve: async () => created, status: async () => created }

test('the stream says when the answer is there, which is then read once', async () => {
  const check = start({ ...pending, retrieve: async () => completed })
  await vi.advanceTimersByTimeAsync(10)
  expect(stream().url).toBe('/verify/vs_1/events?code=moving')
  stream().emit('phase', { phase: 'pending' })
  stream().emit('code', { uri: 'openid4vp://?1' })
  stream().emit('phase', { phase: 'opened' })
  stream().emit('code', { uri: 'openid4vp://?2' })
  stream().emit('phase', { phase: 'opened', attempts_left: 2 })
  await vi.advanceTimersByTimeAsync(500)
  stream().emit('phase', { phase: 'completed' })

  await vi.advanceTimersByTimeAsync(1000)
  expect(await check.result).toEqual({ kind: 'answered', answer: { word: 'yes' } })
  expect(check.calls.filter((call) => call === 'retrieve')).toHaveLength(1)
  expect(check.seen).toEqual([
    opened,
    { scanned: false, failed_once: false },
    'openid4vp://?1',
    { scanned: true, failed_once: false },
    'openid4vp://?2',
    { scanned: true, failed_once: true },
  ])
  expect(stream().closed).toBe(true)
})

test('without a stream the status is polled, the fixed code is shown, and the stream is tried again', async () => {
  let status = 'pending'
  const check = start({
    ...pending,
    status: async () => ({ id: 'vs_1', status }),
    retrieve: async () => completed,
  })
  await vi.advanceTimersByTimeAsync(10)
  stream().emit('error')
  await vi.advanceTimersByTimeAsync(6000)
  expect(check.seen).toEqual([opened, 'openid4vp://?fixed'])
  expect(FakeEventSource.opened).toHaveLength(2)
  status = 'completed'
  await vi.advanceTimersByTimeAsync(2000)
  expect(await check.result).toMatchObject({ answer: { word: 'yes' } })
  expect(check.calls.filter((call) => call === 'retrieve')).toHaveLength(1)
})

test('a stream that a proxy holds up is given up after three seconds', async () => {
  const check = start(pending)
  await vi.advanceTimersByTimeAsync(2900)
  expect(check.seen).toEqual([opened])
  await vi.advanceTimersByTimeAsync(200)
  expect(check.seen).toEqual([opened, 'openid4vp://?fixed'])
  check.stop()
})

test('a stream that falls silent is given up', async () => {
  const check = start(pending)
  await vi.advanceTimersByTimeAsync(10)
  stream().emit('phase', { phase: 'pending' })
  await vi.advanceTimersByTimeAsync(36_000)
  expect(stream().closed).toBe(true)
  expect(check.calls).toContain('retrieve')
  check.stop()
  await vi.advanceTimersByTimeAsync(10)
  expect(await check.result).toEqual({ kind: 'stopped', left_open: 'vs_1' })
})

test('a check that is stopped before its response arrived is still to be cancelled', async () => {
  const check = start({
    ...pending,
    create: async () => new Promise((resolve) => setTimeout(() => resolve(created), 3000)),
  })
  await vi.advanceTimersByTimeAsync(10)
  check.stop()
  await vi.advanceTimersByTimeAsync(3000)
  expect(await check.result).toEqual({ kind: 'stopped', left_open: 'vs_1' })
  expect(check.seen).toEqual([])
})

test('a creation whose response was lost is repeated with its key even after the check was stopped, for a while', async () => {
  let tries = 0
  const check = start({
    ...pending,
    create: async () => {
      tries += 1
      if (tries < 3) throw new ConnectionError('no response')
      return created
    },
  })
  await vi.advanceTimersByTimeAsync(10)
  check.stop()
  await vi.advanceTimersByTimeAsync(5000)
  expect(await check.result).toEqual({ kind: 'stopped', left_open: 'vs_1' })
  expect(check.calls).toEqual(Array.from({ length: 3 }, () => 'create {"idempotencyKey":"k1"}'))

  const never = start({ ...pending, create: async () => Promise.reject(new ConnectionError('no response')) })
  await vi.advanceTimersByTimeAsync(10)
  never.stop()
  await vi.advanceTimersByTimeAsync(40_000)
  expect(await never.result).toEqual({ kind: 'stopped' })
  expect(never.calls.length).toBeLessThan(35)
})

test('nothing is created before the earlier verifications are closed, and not at all if that takes too long', async () => {
  const { promise: earlier, resolve } = Promise.withResolvers<void>()
  const check = start(pending, earlier)
  await vi.advanceTimersByTimeAsync(5000)
  expect(check.calls).toEqual([])
  resolve()
  await vi.advanceTimersByTimeAsync(10)
  expect(check.calls).toHaveLength(1)
  check.stop()

  const stopped = start(pending, new Promise(() => undefined))
  stopped.stop()
  await vi.advanceTimersByTimeAsync(10)
  expect([await stopped.result, stopped.calls]).toEqual([{ kind: 'stopped' }, []])

  const late = start(pending, new Promise(() => undefined))
  await vi.advanceTimersByTimeAsync(31_000)
  expect([await late.result, late.calls]).toEqual([
    { kind: 'answered', answer: { word: 'not_checked', reason: 'busy' } },
    [],
  ])
})

test('a check that ends without an answer leaves its verification to be cancelled, unless it has expired', async () => {
  const check = start({
    ...pending,
    retrieve: async () =>
      Promise.reject(new ApiError({ status: 400, code: 'invalid_request', message: 'no' })),
  })
  await vi.advanceTimersByTimeAsync(10)
  stream().emit('phase', { phase: 'completed' })
  await vi.advanceTimersByTimeAsync(1000)
  expect(await check.result).toEqual({
    kind: 'answered',
    answer: { word: 'not_checked', reason: 'service_fault' },
    left_open: 'vs_1',
  })

  const expired = start({ ...pending, retrieve: async () => ({ ...created, status: 'expired' }) })
  await vi.advanceTimersByTimeAsync(10)
  stream().emit('phase', { phase: 'expired' })
  await vi.advanceTimersByTimeAsync(1000)
  expect(await expired.result).toEqual({
    kind: 'answered',
    answer: { word: 'not_checked', reason: 'time_out' },
  })
})

test('a spent quota says when it begins again, to the minute', async () => {
  const spend = (retryAfterSeconds?: number) => async () =>
    Promise.reject(new ApiError({ status: 429, code: 'quota_exceeded', message: 'spent', retryAfterSeconds }))
  for (const retryAfter of [5389, undefined]) {
    const check = start({ ...pending, create: spend(retryAfter) })
    await vi.advanceTimersByTimeAsync(10)
    expect(await check.result).toMatchObject({
      answer: { reason: 'quota_spent', again_at: Date.parse('2026-11-19T00:00:00Z') },
    })
  }
})

test('[TILL-5] of the claims only a portrait leaves, and one that cannot be shown is Not checked', async () => {
  const photos = ['data:image/jpeg;base64,AA', 'AA', 7]
  const results: unknown[] = []
  for (const portrait of photos) {
    const check = start({
      ...pending,
      retrieve: async () => ({ ...completed, claims: { portrait, family_name: 'M' } }),
    })
    await vi.advanceTimersByTimeAsync(10)
    stream().emit('phase', { phase: 'completed' })
    await vi.advanceTimersByTimeAsync(1000)
    results.push(await check.result)
  }
  const unreadable = { kind: 'answered', answer: { word: 'not_checked', reason: 'photo_unreadable' } }
  expect(results).toEqual([
    { kind: 'photo_received', id: 'vs_1', portrait: 'data:image/jpeg;base64,AA' },
    unreadable,
    unreadable,
  ])
})
