import { Refusal } from './refusal.ts'

export type CoalesceOptions<Call, Result> = {
  /** Sends one statement for all calls and returns an answer, or an error, for each, in their order. */
  run: (calls: Call[]) => Promise<(Result | Error)[]>
  /** The most calls that one statement carries. */
  maxBatch: number
  /** The most calls that may wait, over all lanes. One more is refused: a queue without a bound only moves the failure. */
  maxWaiting: number
  /** One statement at a time is under way in a lane, so that a call which waits for a lock holds up its own lane only. */
  lanes?: number
  /** The calls of one key stay in one lane, in order. */
  keyOf?: (call: Call) => string
  /**
   * Whether a failed statement left nothing behind, so that its calls may be run one by one to find the one at fault.
   * Never true of a lost connection or a time-out: nobody knows what was committed then, or the wait would be repeated.
   */
  wasRolledBack?: (error: unknown) => boolean
}

/**
 * The same for functions that take what they run on first, such as a database: one coalescer for each, made when it is
 * first used and gone with it.
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
  resolve: (answer: Result) => void
  reject: (error: unknown) => void
}

/**
 * Turns calls that arrive while a statement is under way into one next statement. Its law: a call never joins a statement
 * that was already sent, so a read sees every write that was acknowledged before it began, and no cache is needed. An idle
 * call waits for nothing but the end of the current turn of the event loop.
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
      if (lane === undefined) throw new Error('a lane is missing')
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
      // The next statement leaves before these answers are handed out: the database works while they are written.
      if (lane.queue.length > 0) setImmediate(resolveCallers)
      else resolveCallers()
    }
    lane.busy = false
  }

  /** Runs a batch and returns what gives each of its callers the answer. */
  async function runBatch(batch: WaitingCall<Call, Result>[]): Promise<() => void> {
    try {
      const results = await options.run(batch.map(({ call }) => call))
      if (results.length !== batch.length)
        throw new Error(`${batch.length} calls got ${results.length} answers`)
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
    else resolve(result as Result) // as long as the batch, checked above
  }
}

/** FNV-1a: cheap, and spreads keys that differ in one character. */
function laneIndex(key: string, lanes: number): number {
  if (lanes === 1) return 0
  let hash = 0x811c9dc5
  for (let index = 0; index < key.length; index += 1) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193)
  }
  return (hash >>> 0) % lanes
}
