import { Refusal } from './refusal.ts'

export type CoalesceOptions<Call, Result> = {
  /** Sends one statement for all calls and returns a result or an error for each, in the order of the calls. */
  run: (calls: Call[]) => Promise<(Result | Error)[]>
  /** The maximum number of calls in one statement. */
  maxBatch: number
  /** The maximum number of waiting calls, over all lanes. Further calls are refused: an unbounded queue only moves the failure. */
  maxWaiting: number
  /** Each lane runs one statement at a time, so a call that waits for a lock delays its own lane only. */
  lanes?: number
  /** Calls with the same key stay in one lane, in order. */
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
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/**
 * Combines the calls that arrive while a statement is running into the next statement. A call never joins a statement that
 * was already sent, so a read sees every write that was acknowledged before the read began, and no cache is needed. When the
 * lane is idle, a call waits only for the end of the current turn of the event loop.
 */
export function coalesce<Call, Result>(
  options: CoalesceOptions<Call, Result>,
): (call: Call) => Promise<Result> {
  const { maxBatch, maxWaiting, lanes: laneCount = 1, keyOf = () => '' } = options
  const lanes = Array.from({ length: laneCount }, () => ({
    queue: [] as WaitingCall<Call, Result>[],
    busy: false,
  }))
  let waiting = 0

  return (call) =>
    new Promise((resolve, reject) => {
      if (waiting >= maxWaiting) {
        reject(new Refusal('overloaded', 'Too many requests are waiting. Try again in a moment.', 1))
        return
      }
      const lane = lanes[laneIndex(keyOf(call), laneCount)]
      if (lane === undefined) throw new Error('lane index out of range')
      waiting += 1
      lane.queue.push({ call, resolve, reject })
      if (lane.busy) return
      lane.busy = true
      setImmediate(() => void drain(lane))
    })

  async function drain(lane: { queue: WaitingCall<Call, Result>[]; busy: boolean }): Promise<void> {
    while (lane.queue.length > 0) {
      const batch = lane.queue.splice(0, maxBatch)
      waiting -= batch.length
      const resolveCallers = await runBatch(batch)
      // Send the next statement before resolving these callers, so that the database works while their responses are written.
      if (lane.queue.length > 0) setImmediate(resolveCallers)
      else resolveCallers()
    }
    lane.busy = false
  }

  /** Runs a batch and returns a function that resolves its callers. */
  async function runBatch(batch: WaitingCall<Call, Result>[]): Promise<() => void> {
    try {
      const results = await options.run(batch.map(({ call }) => call))
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

/** FNV-1a: cheap, and distributes keys that differ in one character. */
function laneIndex(key: string, lanes: number): number {
  if (lanes === 1) return 0
  let hash = 0x811c9dc5
  for (let index = 0; index < key.length; index += 1) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193)
  }
  return (hash >>> 0) % lanes
}
