import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/database/test-database.ts'
import { coalesce } from './coalesce.ts'
import { failedBeforeCommit } from './failures.ts'
import { openDatabase } from './open.ts'
import { sql } from './sql.ts'
import { Refusal } from '../basics/refusal.ts'

type Call = { index: number; key: string; fails: boolean }
type SentStatement = { calls: Call[]; at: number; ended: number }

/** Runs many callers with statements that finish in any order and calls that arrive at any time. Events are numbered in order. */
async function runScenario(
  scheduler: fc.Scheduler,
  calls: Omit<Call, 'index'>[],
  options: { maxStatements: number; maxBatch: number },
) {
  let events = 0
  const sent: SentStatement[] = []
  const arrived: number[] = []
  const submit = coalesce<Call, string>({
    ...options,
    maxWaiting: 1000,
    keyOf: ({ key }) => key,
    async run(batch) {
      const statement = { calls: batch, at: (events += 1), ended: Number.POSITIVE_INFINITY }
      sent.push(statement)
      await scheduler.schedule(Promise.resolve(), `statement of ${batch.length}`)
      statement.ended = events += 1
      return batch.map(({ index, fails }) => (fails ? new Error(`no ${index}`) : `yes ${index}`))
    },
  })
  const results = calls.map(async (call, index) => {
    await scheduler.schedule(Promise.resolve(), `call ${index}`)
    arrived[index] = events += 1
    return submit({ ...call, index }).then(
      (result) => result,
      (error: Error) => error.message,
    )
  })
  await scheduler.waitFor(Promise.all(results))
  return { sent, arrived, results: await Promise.all(results) }
}

const callArbitrary = fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd', 'e'), fails: fc.boolean() })
const scenario = [
  fc.scheduler(),
  fc.array(callArbitrary, { minLength: 1, maxLength: 40 }),
  fc.record({ maxStatements: fc.integer({ min: 1, max: 4 }), maxBatch: fc.integer({ min: 1, max: 8 }) }),
] as const

test('every caller gets its own result or its own error', async () => {
  await fc.assert(
    fc.asyncProperty(...scenario, async (scheduler, calls, options) => {
      const { results } = await runScenario(scheduler, calls, options)

      expect(results).toEqual(calls.map(({ fails }, index) => (fails ? `no ${index}` : `yes ${index}`)))
    }),
    { numRuns: 300 },
  )
})

test('a call never joins a statement that was already sent', async () => {
  await fc.assert(
    fc.asyncProperty(...scenario, async (scheduler, calls, options) => {
      const { sent, arrived } = await runScenario(scheduler, calls, options)

      for (const statement of sent) {
        for (const { index } of statement.calls) expect(arrived[index]).toBeLessThan(statement.at)
      }
    }),
    { numRuns: 300 },
  )
})

test('calls of one key keep their order and run in one statement at a time, and no statement exceeds maxBatch', async () => {
  await fc.assert(
    fc.asyncProperty(...scenario, async (scheduler, calls, options) => {
      const { sent, arrived } = await runScenario(scheduler, calls, options)

      expect(sent.flatMap((statement) => statement.calls)).toHaveLength(calls.length)
      for (const key of new Set(calls.map((each) => each.key))) {
        const ofKey = sent.filter((statement) => statement.calls.some((each) => each.key === key))
        const order = ofKey.flatMap((statement) => statement.calls.filter((each) => each.key === key))
        const times = order.map(({ index }) => arrived[index] ?? 0)
        expect(times).toEqual(times.toSorted((a, b) => a - b))
        for (const [index, statement] of ofKey.entries()) {
          expect(statement.calls.length).toBeLessThanOrEqual(options.maxBatch)
          expect(statement.at).toBeGreaterThan(ofKey[index - 1]?.ended ?? 0)
        }
      }
    }),
    { numRuns: 300 },
  )
})

test('waiting calls are sent together as soon as the previous statement ends', async () => {
  const sizes: number[] = []
  let release = () => {}
  const submit = coalesce<number, number>({
    maxBatch: 64,
    maxWaiting: 64,
    async run(batch) {
      sizes.push(batch.length)
      if (sizes.length === 1) await new Promise<void>((resolve) => (release = resolve))
      return batch
    },
  })
  const first = submit(0)
  await new Promise(setImmediate)
  const rest = Array.from({ length: 20 }, (_, index) => submit(index + 1))
  release()

  expect(await Promise.all([first, ...rest])).toEqual(Array.from({ length: 21 }, (_, index) => index))
  expect(sizes).toEqual([1, 20])
})

test('a call does not wait for a timer when nothing is running', async () => {
  const submit = coalesce<number, number>({ maxBatch: 64, maxWaiting: 64, run: async (batch) => batch })
  let responded = false
  void submit(1).then(() => (responded = true))
  await new Promise(setImmediate)
  await new Promise(setImmediate)

  expect(responded).toBe(true)
})

test('calls gather behind a statement in time; beside a late one, those of other keys are sent', async () => {
  const sent: string[][] = []
  const ends: (() => void)[] = []
  const submit = coalesce<string, string>({
    maxBatch: 64,
    maxWaiting: 64,
    maxStatements: 2,
    keyOf: (key) => key,
    async run(batch) {
      sent.push(batch)
      await new Promise<void>((resolve) => ends.push(resolve))
      return batch
    },
  })
  const stuck = submit('a')
  await new Promise(setImmediate)
  const others = ['a', 'b', 'b', 'c'].map(submit)
  await new Promise(setImmediate)
  expect(sent).toEqual([['a']])

  await expect.poll(() => sent).toEqual([['a'], ['b', 'b', 'c']])
  ends[1]?.()
  expect(await Promise.all(others.slice(1))).toEqual(['b', 'b', 'c'])
  expect(sent).toHaveLength(2)
  ends[0]?.()
  expect(await stuck).toBe('a')
  await expect.poll(() => sent).toEqual([['a'], ['b', 'b', 'c'], ['a']])
  ends[2]?.()
  expect(await others[0]).toBe('a')
})

test('the calls of a failed statement are retried one by one only if it was rolled back', async () => {
  for (const whole of [true, false]) {
    const sizes: number[] = []
    const submit = coalesce<number, number>({
      maxBatch: 64,
      maxWaiting: 64,
      wasRolledBack: () => whole,
      async run(batch) {
        sizes.push(batch.length)
        if (batch.includes(3)) throw new Error('three')
        return batch
      },
    })
    const results = await Promise.allSettled([1, 2, 3, 4].map((n) => submit(n)))

    expect(results.map(({ status }) => status === 'fulfilled')).toEqual(
      whole ? [true, true, false, true] : [false, false, false, false],
    )
    expect(sizes).toEqual(whole ? [4, 1, 1, 1, 1] : [4])
  }
})

test('a statement that returns too few results fails all of its calls', async () => {
  const submit = coalesce<number, number>({ maxBatch: 64, maxWaiting: 64, run: async () => [1] })

  const results = await Promise.allSettled([submit(1), submit(2)])

  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})

test('a call beyond maxWaiting is refused with Retry-After', async () => {
  const submit = coalesce<number, number>({ maxBatch: 2, maxWaiting: 5, run: async (batch) => batch })

  const results = await Promise.allSettled(Array.from({ length: 8 }, (_, index) => submit(index)))

  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  const refused = results.find(({ status }) => status === 'rejected')
  expect(refused).toMatchObject({ reason: expect.any(Refusal) })
  expect(refused).toMatchObject({ reason: { code: 'overloaded', retryAfter_seconds: 1 } })
})

test('against PostgreSQL: one bad row fails alone, and 64 callers reach three times the rate of single statements', async () => {
  await using database = await createTestDatabase({ empty: true })
  const db = openDatabase({ url: database.url, poolSize: 10 })
  await db.execute(
    sql`create table notes (id bigint generated always as identity, note text check (note <> ''))`,
  )
  const insert = coalesce<string, null>({
    maxBatch: 64,
    maxWaiting: 1000,
    wasRolledBack: failedBeforeCommit,
    async run(notes) {
      await db.execute(sql`insert into notes (note) select unnest(${notes}::text[])`)
      return notes.map(() => null)
    },
  })

  const mixed = await Promise.allSettled(['a', '', 'b'].map((note) => insert(note)))
  expect(mixed.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])

  const one = (note: string) => db.execute(sql`insert into notes (note) values (${note})`)
  await rate(one, 200)
  const rounds = [1, 2, 3].map(() => ({ alone: 0, together: 0 }))
  for (const round of rounds) {
    round.alone = await rate(one, 500)
    round.together = await rate(insert, 500)
  }
  const ratio = Math.max(...rounds.map(({ alone, together }) => together / alone))
  console.log(`coalesce: ${ratio.toFixed(1)} times the rate of single statements`)
  expect(ratio).toBeGreaterThan(3)
  await db.close()
})

/** Calls per second of 64 callers over the given time. */
async function rate(call: (note: string) => Promise<unknown>, milliseconds: number): Promise<number> {
  const end = performance.now() + milliseconds
  let calls = 0
  await Promise.all(
    Array.from({ length: 64 }, async () => {
      while (performance.now() < end) {
        await call('a note')
        calls += 1
      }
    }),
  )
  return (calls / milliseconds) * 1000
}
