import type { Answer } from './collect-answer.ts'
import { exchange, type Exchange } from './exchange.ts'
import type { Lines, TakeLine } from './keep-lines.ts'
import { nameFault, type Fault } from './name-fault.ts'
import { readTarget, type Target } from './read-target.ts'

type OutboundMessage = { headers?: Record<string, string>; body?: string | Buffer }

/** Sends the message; settles once its last byte has left or no further one will. To be called once at most. */
type Write = (message: OutboundMessage) => Promise<void>

export type OutboundRequest = {
  method: 'GET' | 'POST'
  url: string
  /** For everything together: name, connection, message, answer. */
  timeout_ms: number
  /** For the message to leave, once it is written. `timeout_ms` where absent. */
  write_timeout_ms?: number
  max_response_bytes: number
  /** Ends it before its time, wherever it is. */
  signal?: AbortSignal
  /**
   * Is called when the line is ready, so that what is sent can be decided at the last moment and guarded while it leaves.
   * Not to write withdraws the request. It is called once more when a kept line was hung up and nothing has left.
   */
  compose(write: Write): Promise<void>
}

/** Whatever a receiver does is a value. What `compose` throws is thrown. */
export type Outcome = Result & { duration_ms: number }

type Result = ({ outcome: 'answered' } & Answer) | { outcome: 'timed_out' } | { outcome: 'withdrawn' } | Fault

/** Makes one request, over a line that was kept or a new one. */
export async function request(lines: Lines, wanted: OutboundRequest): Promise<Outcome> {
  const started = performance.now()
  const patience = new AbortController()
  const lose = () => patience.abort()
  const timer = setTimeout(lose, wanted.timeout_ms)
  wanted.signal?.addEventListener('abort', lose)
  if (wanted.signal?.aborted === true) lose()
  try {
    const result = await attempt(lines, wanted, patience.signal)
    return { ...result, duration_ms: Math.round(performance.now() - started) }
  } finally {
    clearTimeout(timer)
    wanted.signal?.removeEventListener('abort', lose)
  }
}

async function attempt(lines: Lines, wanted: OutboundRequest, signal: AbortSignal): Promise<Result> {
  const target = readTarget(wanted.url)
  if (target === undefined) return { outcome: 'refused', reason: 'not_http' }

  const result =
    (await converse(lines, wanted, { target, signal, fresh: false })) ??
    (await converse(lines, wanted, { target, signal, fresh: true }))
  return result ?? { outcome: 'failed', reason: 'connection', code: 'HUNG_UP' }
}

/** One conversation. Undefined when the line was a kept one, had been hung up, and nothing was said. */
async function converse(lines: Lines, wanted: OutboundRequest, wish: TakeLine): Promise<Result | undefined> {
  const taken = await lines.take(wish).then(
    (line) => ({ line }),
    (error: unknown) => ({ error }),
  )
  if ('error' in taken) return wish.signal.aborted ? { outcome: 'timed_out' } : nameFault(taken.error)

  const { line } = taken
  const { kept } = line
  const limits = { write_timeout_ms: wanted.timeout_ms, ...wanted, signal: wish.signal }
  const begun = Promise.withResolvers<Exchange | undefined>()
  let over = false
  try {
    await wanted.compose(async (message) => {
      const running = exchange(line, addressed(message, wanted.method, wish.target), limits)
      begun.resolve(running)
      await running.written
    })
    begun.resolve(undefined)
    const running = await begun.promise
    if (running === undefined) return { outcome: 'withdrawn' }
    const ending = await running.ending
    over = true
    if (ending.outcome !== 'broken') return ending
    return kept && !ending.begun ? undefined : nameFault(ending.error)
  } finally {
    if (!over) line.socket.destroy()
    lines.giveBack(line)
  }
}

function addressed({ headers, ...message }: OutboundMessage, method: 'GET' | 'POST', target: Target) {
  const { path, authorization } = target
  return {
    ...message,
    method,
    path,
    headers: {
      'user-agent': 'Vidimus',
      'accept-encoding': 'identity',
      ...(authorization === undefined ? {} : { authorization }),
      ...headers,
    },
  }
}
