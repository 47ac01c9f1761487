import { ApiError, ConnectionError } from './errors.ts'
import { readAnswer } from './read-answer.ts'

export type ConnectOptions = {
  /** Where the service is, for example `https://verify.example`. */
  baseUrl: string
  /** How often a request is repeated when that is safe. 2 unless given. */
  retries?: number | undefined
  /** For one try, answer included. 30,000 unless given. */
  timeoutMs?: number | undefined
  /** In place of the runtime's own. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
  /** In place of the runtime's own timer. */
  sleep?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined
}

export type Call = {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  /** `Authorization` of this call; undefined for the routes that need none. */
  bearer?: string | undefined
  body?: unknown
  headers?: Record<string, string>
  /**
   * What may be repeated. `always`: doing it twice is doing it once. `unless_lost`: only after an answer which says that
   * nothing was done, because a lost answer may stand for a deed. `never`: it is sent once.
   */
  repeat: 'always' | 'unless_lost' | 'never'
  /** In place of the connection's own. */
  timeoutMs?: number
  signal?: AbortSignal | undefined
}

export type Connection = {
  call: <Body>(call: Call) => Promise<Body>
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}

const firstPauseMs = 500
const longestPauseMs = 30_000

/** The one way to the service: time-outs, repetitions, errors. */
export function connect(options: ConnectOptions): Connection {
  const { retries = 2, timeoutMs = 30_000, sleep = sleepFor } = options
  const send = options.fetch ?? ((url, init) => fetch(url, init))
  const base = baseOf(options.baseUrl)

  async function callOnce<Body>(each: Call): Promise<Body> {
    const limitMs = each.timeoutMs ?? timeoutMs
    const within = AbortSignal.timeout(limitMs)
    const signal = each.signal === undefined ? within : AbortSignal.any([within, each.signal])
    try {
      const response = await send(`${base}${each.path}`, {
        method: each.method,
        headers: headersOf(each),
        redirect: 'manual',
        signal,
        ...(each.body !== undefined && { body: JSON.stringify(each.body) }),
      })
      return await readAnswer<Body>(response)
    } catch (error) {
      if (error instanceof ApiError) throw error
      if (each.signal?.aborted === true) throw each.signal.reason
      // Everything else that fetch throws means that no whole answer came.
      const why = within.aborted ? `no answer within ${limitMs} ms` : reasonOf(error)
      throw new ConnectionError(`${each.method} ${base}${each.path}: ${why}`, { cause: error })
    }
  }

  async function call<Body>(each: Call): Promise<Body> {
    for (let tries = 0; ; tries += 1) {
      try {
        return await callOnce<Body>(each)
      } catch (error) {
        const pauseMs = pauseBefore(error, each, tries)
        if (tries >= retries || pauseMs === undefined) throw error
        await sleep(pauseMs, each.signal)
      }
    }
  }
  return { call, sleep }
}

/** How long to wait before trying again; undefined when it must not be tried again, or not so soon. */
function pauseBefore(error: unknown, { repeat }: Call, tries: number): number | undefined {
  if (repeat === 'never') return undefined
  const grown = firstPauseMs * 2 ** tries
  const jittered = grown / 2 + Math.random() * (grown / 2)
  if (error instanceof ConnectionError) return repeat === 'always' ? jittered : undefined
  if (!(error instanceof ApiError) || !mayPass(error, repeat)) return undefined
  const askedMs = (error.retryAfterSeconds ?? 0) * 1000
  return askedMs > longestPauseMs ? undefined : Math.max(askedMs, jittered)
}

/** Refusals that pass by themselves. After a 429 nothing was done; a 5xx may come after the deed. */
function mayPass({ status, code }: ApiError, repeat: Call['repeat']): boolean {
  if (status === 429) return code !== 'quota_exceeded'
  if (repeat !== 'always') return false
  return status >= 500 || code === 'idempotency_key_in_flight'
}

function headersOf({ bearer, body, headers }: Call): Record<string, string> {
  return {
    accept: 'application/json',
    ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...headers,
  }
}

function baseOf(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    throw new TypeError('baseUrl must be an http or https address, such as https://verify.example')
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

/** `fetch` says little; what it wraps says more. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message
}

function sleepFor(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const done = () => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }
    const timer = setTimeout(done, ms)
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason instanceof Error ? signal.reason : new Error('aborted'))
    }
    signal?.addEventListener('abort', stop, { once: true })
  })
}
