import { ApiError, ConnectionError } from './errors.ts'
import { readResponse } from './read-answer.ts'

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
  timeout_ms?: number
  signal?: AbortSignal | undefined
}

export type Connection = {
  call: <Body>(call: Call) => Promise<Body>
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}

const firstPause_ms = 500
const maxPause_ms = 30_000

/** The one way to the service: time-outs, repetitions, errors. */
export function connect(options: ConnectOptions): Connection {
  const { retries = 2, timeoutMs = 30_000, sleep = defaultSleep } = options
  const send = options.fetch ?? ((url, init) => fetch(url, init))
  const base = parseBaseUrl(options.baseUrl)

  async function callOnce<Body>(request: Call): Promise<Body> {
    const limit_ms = request.timeout_ms ?? timeoutMs
    const timeoutSignal = AbortSignal.timeout(limit_ms)
    const signal =
      request.signal === undefined ? timeoutSignal : AbortSignal.any([timeoutSignal, request.signal])
    try {
      const response = await send(`${base}${request.path}`, {
        method: request.method,
        headers: buildHeaders(request),
        redirect: 'manual',
        signal,
        ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
      })
      return await readResponse<Body>(response)
    } catch (error) {
      if (error instanceof ApiError) throw error
      if (request.signal?.aborted === true) throw request.signal.reason
      // Everything else that fetch throws means that no whole answer came.
      const reason = timeoutSignal.aborted ? `no answer within ${limit_ms} ms` : describeCause(error)
      throw new ConnectionError(`${request.method} ${base}${request.path}: ${reason}`, { cause: error })
    }
  }

  async function call<Body>(request: Call): Promise<Body> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await callOnce<Body>(request)
      } catch (error) {
        const pause_ms = retryDelay(error, request, attempt)
        if (attempt >= retries || pause_ms === undefined) throw error
        await sleep(pause_ms, request.signal)
      }
    }
  }
  return { call, sleep }
}

/** How long to wait before trying again; undefined when it must not be tried again, or not so soon. */
function retryDelay(error: unknown, { repeat }: Call, attempt: number): number | undefined {
  if (repeat === 'never') return undefined
  const backoff_ms = firstPause_ms * 2 ** attempt
  const jittered_ms = backoff_ms / 2 + Math.random() * (backoff_ms / 2)
  if (error instanceof ConnectionError) return repeat === 'always' ? jittered_ms : undefined
  if (!(error instanceof ApiError) || !isTransient(error, repeat)) return undefined
  const retryAfter_ms = (error.retryAfterSeconds ?? 0) * 1000
  return retryAfter_ms > maxPause_ms ? undefined : Math.max(retryAfter_ms, jittered_ms)
}

/** Refusals that pass by themselves. After a 429 nothing was done; a 5xx may come after the deed. */
function isTransient({ status, code }: ApiError, repeat: Call['repeat']): boolean {
  if (status === 429) return code !== 'quota_exceeded'
  if (repeat !== 'always') return false
  return status >= 500 || code === 'idempotency_key_in_flight'
}

function buildHeaders({ bearer, body, headers }: Call): Record<string, string> {
  return {
    accept: 'application/json',
    ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...headers,
  }
}

function parseBaseUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    throw new TypeError('baseUrl must be an http or https address, such as https://verify.example')
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

/** `fetch` says little; what it wraps says more. */
function describeCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message
}

function defaultSleep(ms: number, signal?: AbortSignal): Promise<void> {
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
