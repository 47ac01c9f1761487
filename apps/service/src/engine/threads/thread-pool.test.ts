import { describe, expect, test } from 'vitest'
import type { TestTask } from '../../../test/test-thread.ts'
import { batchLimits } from './pool-thread.ts'
import { openThreadPool, TaskLimitError, type ThreadPoolOptions } from './thread-pool.ts'

const bounds = {
  maxTasksPerOwner: 100,
  maxTasks: 100,
  maxBytesPerOwner: 1000,
  maxBytes: 1000,
  cpu_ms: 5000,
  deadline_ms: 60_000,
  maxHeap_mb: 32,
}
const refusal = { reason: { code: 'overloaded', retryAfter_seconds: 1 } }

function open({
  bounds: changed,
  ...options
}: Partial<Omit<ThreadPoolOptions, 'bounds'>> & { bounds?: Partial<typeof bounds> } = {}) {
  const { run, close } = openThreadPool<TestTask, number>({
    file: new URL('../../../test/test-thread.ts', import.meta.url),
    size: 2,
    maxThreadsPerOwner: 2,
    resolveLookup: async (lookup: unknown) => Number(lookup) * 100,
    ...options,
    bounds: { ...bounds, ...changed },
  })
  return {
    run: (task: TestTask, owner = 'one', bytes = 1) => run({ owner, bytes, task }),
    [Symbol.asyncDispose]: close,
  }
}

test('every task gets its own result and can request lookups', async () => {
  await using threads = open()
  const results = await Promise.all(
    Array.from({ length: 40 }, (_, value) =>
      threads.run({ kind: value % 2 === 0 ? 'double' : 'lookup', value }),
    ),
  )

  expect(results).toEqual(results.map((_, value) => (value % 2 === 0 ? value * 2 : value * 100)))
})

test('a task that waits for a lookup does not occupy a thread', async () => {
  const lookups = Promise.withResolvers<unknown>()
  await using threads = open({ size: 1, resolveLookup: () => lookups.promise })
  const lookingUp = Array.from({ length: 20 }, (_, value) => threads.run({ kind: 'lookup', value }))

  expect(await threads.run({ kind: 'double', value: 3 }, 'another')).toBe(6)
  lookups.resolve(7)
  expect(await Promise.all(lookingUp)).toEqual(lookingUp.map(() => 7))
})

test('owners take turns: with 40 tasks of one owner and 2 of another, the latter finish among the first 5', async () => {
  await using threads = open({ size: 1 })
  await threads.run({ kind: 'double', value: 0 })
  const finished: string[] = []
  const run = (owner: string) =>
    threads.run({ kind: 'double', value: 1 }, owner).then(() => finished.push(owner))
  await Promise.all([...Array.from({ length: 40 }, () => run('many')), run('few'), run('few')])

  expect(finished).toHaveLength(42)
  expect(finished.lastIndexOf('few')).toBeLessThan(5)
})

test('an owner leaves a thread to others: their task starts while its own are running', async () => {
  await using threads = open({ size: 2, maxThreadsPerOwner: 1 })
  await Promise.all(['a', 'b'].map((owner) => threads.run({ kind: 'double', value: 0 }, owner)))
  const finished: string[] = []
  const long = [1, 2].map(() =>
    threads.run({ kind: 'spend', value: 400 }, 'long').then(() => finished.push('long')),
  )
  const short = threads.run({ kind: 'double', value: 1 }, 'short').then(() => finished.push('short'))
  await Promise.all([...long, short])

  expect(finished).toEqual(['short', 'long', 'long'])
})

describe('a task that exceeds its limit', () => {
  test('of CPU time is ended with its thread, and later tasks are served', async () => {
    await using threads = open({ size: 1, bounds: { cpu_ms: 300 } })

    await expect(threads.run({ kind: 'hang', value: 0 })).rejects.toThrow(TaskLimitError)
    expect(await threads.run({ kind: 'double', value: 4 })).toBe(8)
  })

  test('of memory is ended with its thread, and later tasks are served', async () => {
    await using threads = open({ size: 1, bounds: { cpu_ms: 60_000 } })

    await expect(threads.run({ kind: 'exhaust', value: 0 })).rejects.toThrow(TaskLimitError)
    expect(await threads.run({ kind: 'double', value: 4 })).toBe(8)
  })

  test('is not a task that only waited, in the queue or for a lookup', async () => {
    const resolveLookup = async () => {
      await new Promise((resolve) => setTimeout(resolve, 1000))
      return 5
    }
    await using threads = open({ size: 1, bounds: { cpu_ms: 600 }, resolveLookup })
    const tasks = [
      ...Array.from({ length: 4 }, () => threads.run({ kind: 'spend', value: 200 })),
      threads.run({ kind: 'lookup', value: 1 }),
    ]
    expect(await Promise.all(tasks)).toEqual([200, 200, 200, 200, 5])
  })
})

describe('[WRES-20] tasks that share a message', () => {
  /** Queues these tasks while the only thread is busy, so that the next message carries them all. */
  async function queueTogether(
    threads: ReturnType<typeof open>,
    tasks: TestTask[],
    { bytes = [], owners = [] }: { bytes?: number[]; owners?: string[] } = {},
  ) {
    await threads.run({ kind: 'double', value: 0 })
    const busy = threads.run({ kind: 'spend', value: 50 })
    const results = tasks.map((task, index) => threads.run(task, owners[index] ?? 'owner', bytes[index] ?? 1))
    await busy
    return results
  }
  const double: TestTask = { kind: 'double', value: 1 }
  const cases: [string, TestTask['kind'], Partial<typeof bounds>, unknown][] = [
    ['hangs', 'hang', { cpu_ms: 300 }, { name: 'TaskLimitError' }],
    ['exhausts the memory', 'exhaust', { cpu_ms: 60_000 }, { name: 'TaskLimitError' }],
    ['throws', 'throw', {}, { message: expect.stringContaining('no 1') }],
  ]
  test.each(cases)('one that %s fails alone', async (_, kind, changed, reason) => {
    await using threads = open({ size: 1, bounds: changed })
    const results = await queueTogether(threads, [double, double, { kind, value: 1 }])
    const after = [double, double].map((task) => threads.run(task, 'after'))

    await expect(results[2]).rejects.toMatchObject(reason as object)
    expect(await Promise.all([...results.slice(0, 2), ...after])).toEqual([2, 2, 2, 2])
  })

  const spend: TestTask = { kind: 'spend', value: 300 }
  /** Milliseconds between the result of a short task and that of a long one which was queued after it. */
  async function gapBetween(results: Promise<number>[]): Promise<number> {
    const times = await Promise.all(results.map((result) => result.then(() => performance.now())))
    return (times[1] ?? 0) - (times[0] ?? 0)
  }

  test('a large one is sent alone, so a small one does not wait for it', async () => {
    await using threads = open({ size: 1, bounds: { maxBytesPerOwner: 100_000, maxBytes: 100_000 } })
    const large = batchLimits.maxTask_bytes + 1

    expect(await gapBetween(await queueTogether(threads, [double, spend]))).toBeLessThan(100)
    expect(
      await gapBetween(await queueTogether(threads, [double, spend], { bytes: [1, large] })),
    ).toBeGreaterThan(250)
  })

  test('belong to one owner: none waits for the task of another', async () => {
    await using threads = open({ size: 1 })
    const owners = ['first', 'second']

    expect(await gapBetween(await queueTogether(threads, [double, spend], { owners }))).toBeGreaterThan(250)
  })

  test('each has the whole CPU time for itself', async () => {
    await using threads = open({ size: 1, bounds: { cpu_ms: 600 } })
    const long: TestTask = { kind: 'spend', value: 250 }
    const results = await queueTogether(threads, [long, long, long, long])
    expect(await Promise.all(results)).toEqual([250, 250, 250, 250])
  })
})

test('a task that misses its deadline is refused and can be retried', async () => {
  const resolveLookup = () => new Promise(() => {})
  await using threads = open({ size: 1, bounds: { deadline_ms: 500 }, resolveLookup })
  const [lookingUp, hanging] = await Promise.allSettled([
    threads.run({ kind: 'lookup', value: 1 }),
    threads.run({ kind: 'hang', value: 1 }),
  ])

  expect(lookingUp).toMatchObject(refusal)
  expect(hanging).toMatchObject(refusal)
  await expect.poll(() => threads.run({ kind: 'double', value: 4 }).catch(() => 'not started yet')).toBe(8)
})

test('a task that throws fails alone', async () => {
  await using threads = open()
  const [thrown, fine] = await Promise.allSettled([
    threads.run({ kind: 'throw', value: 1 }),
    threads.run({ kind: 'double', value: 2 }),
  ])

  expect(thrown).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining('no 1') } })
  expect(fine).toEqual({ status: 'fulfilled', value: 4 })
  expect(await threads.run({ kind: 'double', value: 5 })).toBe(10)
})

test('a failed lookup fails its task with the error of the lookup', async () => {
  const lost = new Error('Connection terminated unexpectedly')
  await using threads = open({ size: 1, resolveLookup: () => Promise.reject(lost) })

  await expect(threads.run({ kind: 'lookup', value: 1 })).rejects.toBe(lost)
  expect(await threads.run({ kind: 'double', value: 6 })).toBe(12)
})

test('a module that cannot be loaded fails the tasks, not the process', async () => {
  await using threads = open({ file: new URL('../../../test/no-such-thread.ts', import.meta.url) })

  const tried = await Promise.allSettled([1, 2, 3].map((value) => threads.run({ kind: 'double', value })))
  expect(tried.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
})

describe('a task beyond the limit is refused with Retry-After', () => {
  const results = async (threads: ReturnType<typeof open>, tasks: [owner: string, bytes: number][]) =>
    (
      await Promise.allSettled(
        tasks.map(([owner, bytes]) => threads.run({ kind: 'double', value: 1 }, owner, bytes)),
      )
    ).map((result) => (result.status === 'fulfilled' ? 'done' : result.reason.code))

  test('of one owner, while others are served', async () => {
    await using threads = open({ size: 1, bounds: { maxTasksPerOwner: 2 } })
    expect(
      await results(threads, [
        ['many', 1],
        ['many', 1],
        ['many', 1],
        ['few', 1],
      ]),
    ).toEqual(['done', 'done', 'overloaded', 'done'])
  })

  test('of all owners', async () => {
    await using threads = open({ size: 1, bounds: { maxTasks: 2 } })
    expect(
      await results(threads, [
        ['a', 1],
        ['b', 1],
        ['c', 1],
      ]),
    ).toEqual(['done', 'done', 'overloaded'])
    expect(await results(threads, [['c', 1]])).toEqual(['done'])
  })

  test('in bytes', async () => {
    await using threads = open({ size: 1, bounds: { maxBytesPerOwner: 100, maxBytes: 150 } })
    expect(
      await results(threads, [
        ['a', 60],
        ['a', 60],
        ['b', 60],
        ['c', 60],
      ]),
    ).toEqual(['done', 'overloaded', 'done', 'overloaded'])
  })
})
