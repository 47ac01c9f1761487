import { openFairQueue } from '../scheduling/fair-queue.ts'
import { Refusal } from '../basics/refusal.ts'
import { currentWork, runShared as runForNobody, type Work } from '../scheduling/work.ts'
import type { Span } from '../observability/spans.ts'
import { runShared, tracing } from '../observability/tracing.ts'

/**
 * What a call is charged, however long its statement took: most of that is the wait for the commit, which delays nobody else. Three
 * times as much leaves a busy tenant too few requests in progress to share statements: 441 µs of the event loop per creation
 * instead of 239.
 */
const callCost_ms = 0.03

export type CoalesceOptions<Call, Result> = {
  /** Sends one statement for all calls and returns a result or an error for each, in the order of the calls. */
  run: (calls: Call[]) => Promise<(Result | Error)[]>
  /** The maximum number of calls in one statement. */
  maxBatch: number
  /**
   * The maximum number of waiting calls; one owner may have half of them. Further calls are refused: an unbounded queue only moves
   * the failure.
   */
  maxWaiting: number
  /**
   * How many statements may run at once. Another one starts only when those that run are late, so that calls gather, and a
   * statement that waits for a lock does not delay the calls of other keys for long.
   */
  maxStatements?: number
  /** Calls with the same key run one after the other, in order. */
  keyOf?: (call: Call) => string
  /**
   * Whether the failed statement was rolled back, so that its calls can be retried one by one to find the one at fault.
   * Must be false for a lost connection, whose commit is unknown, and for a time-out, whose wait would be repeated.
   */
  wasRolledBack?: (error: unknown) => boolean
}

/**
 * `coalesce` for functions whose first argument is the object they run on, such as a database. Each object has its own
 * coalescer, created on first use and garbage-collected with the object.
 */
export function coalescePerTarget<Target extends object, Call, Result>(
  options: Omit<CoalesceOptions<Call, Result>, 'run'> & {
    run: (target: Target, calls: Call[]) => Promise<(Result | Error)[]>
  },
): (target: Target, call: Call) => Promise<Result> {
  const coalescers = new WeakMap<Target, (call: Call) => Promise<Result>>()
  return (target, call) => {
    let submit = coalescers.get(target)
    if (submit === undefined) {
      submit = coalesce({ ...options, run: (calls) => options.run(target, calls) })
      coalescers.set(target, submit)
    }
    return submit(call)
  }
}

type WaitingCall<Call, Result> = {
  call: Call
  key: string
  work: Work | undefined
  asked_ms: number
  span: Span | undefined
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/** A statement that runs longer is late: it may be waiting for a lock or for the disk. */
const late_ms = 10

type RunningStatement = { keys: Set<string>; isLate: boolean }

/**
 * Combines the calls that arrive while a statement is running into the next statement. A call never joins a statement that
 * was already sent, so a read sees every write that was acknowledged before the read began, and no cache is needed. When
 * nothing is running, a call waits only for the end of the current turn of the event loop.
 */
export function coalesce<Call, Result>(
  options: CoalesceOptions<Call, Result>,
): (call: Call) => Promise<Result> {
  const { maxBatch, maxWaiting, maxStatements = 1, keyOf = () => '' } = options
  const queue = openFairQueue<WaitingCall<Call, Result>>()
  const running = new Set<RunningStatement>()
  let isScheduled = false

  return (call) =>
    new Promise((resolve, reject) => {
      const work = currentWork()
      const owner = work?.owner() ?? ''
      if (queue.size() >= maxWaiting || (work !== undefined && queue.sizeOf(owner) >= maxWaiting / 2)) {
        reject(new Refusal('overloaded', 'Too many requests are waiting. Try again in a moment.', 1))
        return
      }
      const asked_ms = performance.now()
      const span = tracing.tracer?.active()
      queue.push(owner, { call, key: keyOf(call), work, asked_ms, span, resolve, reject })
      if (isScheduled || !mayStart()) return
      isScheduled = true
      setImmediate(() => {
        isScheduled = false
        startNext()
      })
    })

  function mayStart(): boolean {
    return running.size < maxStatements && running.values().every(({ isLate }) => isLate)
  }

  function startNext(): void {
    const batch = mayStart() ? takeBatch() : []
    if (batch.length === 0) return
    // `runBatch` turns every failure of the statement into one of its calls.
    runStatement(batch).catch((error: unknown) => {
      for (const { reject } of batch) reject(error)
    })
  }

  async function runStatement(batch: WaitingCall<Call, Result>[]): Promise<void> {
    const statement = { keys: new Set(batch.map(({ key }) => key)), isLate: false }
    running.add(statement)
    const timer = maxStatements === 1 ? undefined : setTimeout(onLate, late_ms, statement)
    const resolveCallers = await runBatch(batch)
    const now_ms = performance.now()
    for (const { work, asked_ms } of batch) if (work !== undefined) work.waits.sql_ms += now_ms - asked_ms
    clearTimeout(timer)
    running.delete(statement)
    // Send the next statement before resolving these callers, so that the database works while their responses are written.
    if (queue.size() > 0) setImmediate(resolveCallers)
    else resolveCallers()
    startNext()
  }

  function onLate(statement: RunningStatement): void {
    statement.isLate = true
    startNext()
  }

  /** The next calls, owner by owner in turn, whose keys are in no running statement. */
  function takeBatch(): WaitingCall<Call, Result>[] {
    const batch: WaitingCall<Call, Result>[] = []
    const isFree = (_owner: string, { key }: WaitingCall<Call, Result>) =>
      running.values().every(({ keys }) => !keys.has(key))
    while (batch.length < maxBatch) {
      const next = running.size === 0 ? queue.shift() : queue.shift(isFree)
      if (next === undefined) break
      batch.push(next)
    }
    return batch
  }

  function runCalls(batch: WaitingCall<Call, Result>[]): Promise<(Result | Error)[]> {
    const calls = batch.map(({ call }) => call)
    return runShared(batch, () => runForNobody(() => options.run(calls)))
  }

  /** Runs a batch and returns a function that resolves its callers. */
  async function runBatch(batch: WaitingCall<Call, Result>[]): Promise<() => void> {
    for (const { work } of batch) work?.charge(callCost_ms)
    try {
      const results = await runCalls(batch)
      if (results.length !== batch.length)
        throw new Error(`${batch.length} calls got ${results.length} results`)
      return () => resolveBatch(batch, results)
    } catch (error) {
      if (batch.length > 1 && options.wasRolledBack?.(error) === true) {
        for (const one of batch) (await runBatch([one]))()
        return () => {}
      }
      return () => {
        for (const { reject } of batch) reject(error)
      }
    }
  }
}

function resolveBatch<Call, Result>(batch: WaitingCall<Call, Result>[], results: (Result | Error)[]): void {
  for (const [index, { resolve, reject }] of batch.entries()) {
    const result = results[index]
    if (result instanceof Error) reject(result)
    else resolve(result as Result) // same length as the batch, checked above
  }
}
