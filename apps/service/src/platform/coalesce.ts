import { Refusal } from './refusal.ts'

export type Coalesce<Call, Answer> = {
  /** Sends one statement for all calls and returns an answer, or an error, for each, in their order. */
  run: (calls: Call[]) => Promise<(Answer | Error)[]>
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
  failedWhole?: (error: unknown) => boolean
}

/**
 * The same for functions that take what they run on first, such as a database: one coalescer for each, made when it is
 * first used and gone with it.
 */
export function coalesceOn<On extends object, Call, Answer>(
  options: Omit<Coalesce<Call, Answer>, 'run'> & {
    run: (on: On, calls: Call[]) => Promise<(Answer | Error)[]>
  },
): (on: On, call: Call) => Promise<Answer> {
  const made = new WeakMap<On, (call: Call) => Promise<Answer>>()
  return (on, call) => {
    let ask = made.get(on)
    if (ask === undefined) {
      ask = coalesce({ ...options, run: (calls) => options.run(on, calls) })
      made.set(on, ask)
    }
    return ask(call)
  }
}

type Waiting<Call, Answer> = {
  call: Call
  resolve: (answer: Answer) => void
  reject: (error: unknown) => void
}

/**
 * Turns calls that arrive while a statement is under way into one next statement. Its law: a call never joins a statement
 * that was already sent, so a read sees every write that was acknowledged before it began, and no cache is needed. An idle
 * call waits for nothing but the end of the current turn of the event loop.
 */
export function coalesce<Call, Answer>(options: Coalesce<Call, Answer>): (call: Call) => Promise<Answer> {
  const { maxBatch, maxWaiting, lanes: laneCount = 1, keyOf = () => '' } = options
  const lanes = Array.from({ length: laneCount }, () => ({
    queue: [] as Waiting<Call, Answer>[],
    busy: false,
  }))
  let waiting = 0

  return (call) =>
    new Promise((resolve, reject) => {
      if (waiting >= maxWaiting) {
        reject(new Refusal('overloaded', 'Too many requests are waiting. Try again in a moment.', 1))
        return
      }
      const lane = lanes[laneOf(keyOf(call), laneCount)]
      if (lane === undefined) throw new Error('a lane is missing')
      waiting += 1
      lane.queue.push({ call, resolve, reject })
      if (lane.busy) return
      lane.busy = true
      setImmediate(() => void drain(lane))
    })

  async function drain(lane: { queue: Waiting<Call, Answer>[]; busy: boolean }): Promise<void> {
    while (lane.queue.length > 0) {
      const batch = lane.queue.splice(0, maxBatch)
      waiting -= batch.length
      const handOut = await answer(batch)
      // The next statement leaves before these answers are handed out: the database works while they are written.
      if (lane.queue.length > 0) setImmediate(handOut)
      else handOut()
    }
    lane.busy = false
  }

  /** Runs a batch and returns what gives each of its callers the answer. */
  async function answer(batch: Waiting<Call, Answer>[]): Promise<() => void> {
    try {
      const answers = await options.run(batch.map(({ call }) => call))
      if (answers.length !== batch.length)
        throw new Error(`${batch.length} calls got ${answers.length} answers`)
      return () => settle(batch, answers)
    } catch (error) {
      if (batch.length > 1 && options.failedWhole?.(error) === true) {
        for (const one of batch) (await answer([one]))()
        return () => {}
      }
      return () => {
        for (const { reject } of batch) reject(error)
      }
    }
  }
}

function settle<Call, Answer>(batch: Waiting<Call, Answer>[], answers: (Answer | Error)[]): void {
  for (const [index, { resolve, reject }] of batch.entries()) {
    const answer = answers[index]
    if (answer instanceof Error) reject(answer)
    else resolve(answer as Answer) // as long as the batch, checked above
  }
}

/** FNV-1a: cheap, and spreads keys that differ in one character. */
function laneOf(key: string, lanes: number): number {
  if (lanes === 1) return 0
  let hash = 0x811c9dc5
  for (let index = 0; index < key.length; index += 1) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193)
  }
  return (hash >>> 0) % lanes
}
