import { expect, test } from 'vitest'
import { openThreads, TimeLimitExceeded } from './threads.ts'

type Task = { kind: 'double' | 'ask' | 'hang' | 'throw'; value: number }

const how = {
  file: new URL('../../test/thread.ts', import.meta.url),
  size: 2,
  maxWaiting: 100,
  timeLimit_ms: 5000,
  answer: async (question: unknown) => Number(question) * 100,
}

test('every task gets its own result, and a thread may ask while it works', async () => {
  const threads = openThreads<Task, number>(how)
  const results = await Promise.all(
    Array.from({ length: 40 }, (_, value) =>
      threads.run({ kind: value % 2 === 0 ? 'double' : 'ask', value }),
    ),
  )

  expect(results).toEqual(results.map((_, value) => (value % 2 === 0 ? value * 2 : value * 100)))
  await threads.close()
})

test('a task that hangs is given up with its thread, and the next ones are served', async () => {
  const threads = openThreads<Task, number>({ ...how, timeLimit_ms: 300 })
  await threads.run({ kind: 'double', value: 1 }).catch(() => 'a slow start')

  await expect(threads.run({ kind: 'hang', value: 0 })).rejects.toThrow(TimeLimitExceeded)
  const later = openThreads<Task, number>(how)
  expect(await later.run({ kind: 'double', value: 4 })).toBe(8)
  await Promise.all([threads.close(), later.close()])
})

test('a task that throws fails alone', async () => {
  const threads = openThreads<Task, number>(how)
  const [thrown, fine] = await Promise.allSettled([
    threads.run({ kind: 'throw', value: 1 }),
    threads.run({ kind: 'double', value: 2 }),
  ])

  expect(thrown).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining('no 1') } })
  expect(fine).toEqual({ status: 'fulfilled', value: 4 })
  expect(await threads.run({ kind: 'double', value: 5 })).toBe(10)
  await threads.close()
})

test('a question that cannot be answered fails the task that asked, with the error of the answer', async () => {
  const lost = new Error('Connection terminated unexpectedly')
  const threads = openThreads<Task, number>({ ...how, size: 1, answer: () => Promise.reject(lost) })

  await expect(threads.run({ kind: 'ask', value: 1 })).rejects.toBe(lost)
  expect(await threads.run({ kind: 'double', value: 6 })).toBe(12)
  await threads.close()
})

test('one task more than may wait is refused and told to come back', async () => {
  const threads = openThreads<Task, number>({ ...how, size: 1, maxWaiting: 3 })
  const answers = await Promise.allSettled(
    Array.from({ length: 10 }, (_, value) => threads.run({ kind: 'double', value })),
  )

  const refused = answers.filter(({ status }) => status === 'rejected')
  expect(refused.length).toBeGreaterThan(0)
  expect(refused[0]).toMatchObject({ reason: { code: 'overloaded', retryAfterSeconds: 1 } })
  await threads.close()
})
