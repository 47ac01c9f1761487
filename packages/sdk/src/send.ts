import { ApiError, ConnectionError } from './errors.ts'
import { readResponse } from './read-response.ts'

export type ConnectOptions = {
  /** The address of the service, for example `https://verify.example`. */
  baseUrl: string
  /** How often a request is retried when that is safe. Default: 2. */
  retries?: number | undefined
  /** The timeout of one attempt, including the response body. Default: 30,000. */
  timeoutMs?: number | undefined
  /** Called for each warning of a response, such as a mistake in a query that was accepted. Default: `console.warn`. */
  onWarning?: ((warning: string) => void) | undefined
  /** Default: the runtime's `fetch`. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
  /** Default: the runtime's timer. */
  sleep?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined
}

export type Call = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  /** The bearer token; undefined for routes that need none. */
  bearer?: string | undefined
  body?: unknown
  headers?: Record<string, string>
  /** The media type of the response, which is returned as text unless it is JSON. Default: `application/json`. */
  accept?: string | undefined
  /**
   * When to retry. `always`: the request is idempotent. `unless_lost`: only after a response which says that the request had no
   * effect, because a lost response may mean that it had one. `never`: the request is sent once.
   */
  retry: 'always' | 'unless_lost' | 'never'
  /** Default: the connection's timeout. */
  timeout_ms?: number
  signal?: AbortSignal | undefined
}

export type Connection = {
  /** The address of the service, without a slash at its end. */
  baseUrl: string
  call: <Body>(call: Call) => Promise<Body>
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  /** The holder's page of a verification that a call returned, as the service named it. */
  pageOf: (verification: object) => string | undefined
}

const firstPause_ms = 500
const maxPause_ms = 30_000

/** Creates the HTTP client that all requests go through: timeouts, retries and errors. */
export function connect(options: ConnectOptions): Connection {
  const { retries = 2, timeoutMs = 30_000, sleep = defaultSleep, onWarning = warnOnConsole } = options
  const send = options.fetch ?? ((url, init) => fetch(url, init))
  const base = parseBaseUrl(options.baseUrl)
  const pages = new WeakMap<object, string>()

  async function callOnce(request: Call): Promise<{ body: unknown; headers: Headers }> {
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
      return { body: await readResponse(response, request.accept), headers: response.headers }
    } catch (error) {
      if (error instanceof ApiError) throw error
      if (request.signal?.aborted === true) throw request.signal.reason
      // Everything else that fetch throws means that there was no complete response.
      const reason = timeoutSignal.aborted ? `no response within ${limit_ms} ms` : describeCause(error)
      throw new ConnectionError(`${request.method} ${base}${request.path}: ${reason}`, { cause: error })
    }
  }

  async function call<Body>(request: Call): Promise<Body> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        const { body, headers } = await callOnce(request)
        readWarnings(headers).forEach((warning) => onWarning(warning))
        const page = readPage(headers)
        if (page !== undefined && typeof body === 'object' && body !== null) pages.set(body, page)
        return body as Body // The service keeps to the contract.
      } catch (error) {
        const pause_ms = retryDelay(error, request, attempt)
        if (attempt >= retries || pause_ms === undefined) throw error
        await sleep(pause_ms, request.signal)
      }
    }
  }
  return { baseUrl: base, call, sleep, pageOf: (verification) => pages.get(verification) }
}

function readWarnings(headers: Headers): string[] {
  return headers.get('x-service-warning')?.split('; ') ?? []
}

function warnOnConsole(warning: string): void {
  // oxlint-disable-next-line no-console -- the default that the option documents
  console.warn(`Vidimus: ${warning}`)
}

function readPage(headers: Headers): string | undefined {
  return /<([^>]+)>;\s*rel="alternate"/.exec(headers.get('link') ?? '')?.[1]
}

/** The pause before the next attempt; undefined if the request must not be retried, or only much later. */
function retryDelay(error: unknown, { retry }: Call, attempt: number): number | undefined {
  if (retry === 'never') return undefined
  const backoff_ms = firstPause_ms * 2 ** attempt
  const jittered_ms = backoff_ms / 2 + Math.random() * (backoff_ms / 2)
  if (error instanceof ConnectionError) return retry === 'always' ? jittered_ms : undefined
  if (!(error instanceof ApiError) || !isTransient(error, retry)) return undefined
  const retryAfter_ms = (error.retryAfterSeconds ?? 0) * 1000
  return retryAfter_ms > maxPause_ms ? undefined : Math.max(retryAfter_ms, jittered_ms)
}

/** Whether a refusal is temporary. A 429 means that the request had no effect; after a 5xx it may have had one. */
function isTransient({ status, code }: ApiError, retry: Call['retry']): boolean {
  if (status === 429) return code !== 'quota_exceeded'
  if (retry !== 'always') return false
  return status >= 500 || code === 'idempotency_key_in_flight'
}

function buildHeaders({ bearer, body, headers, accept = 'application/json' }: Call): Record<string, string> {
  return {
    accept,
    ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...headers,
  }
}

function parseBaseUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    throw new TypeError('baseUrl must be an http or https URL, such as https://verify.example.')
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

/** The cause of a `fetch` error is more specific than its message. */
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
      reject(signal?.reason instanceof Error ? signal.reason : new Error('The call was aborted.'))
    }
    signal?.addEventListener('abort', stop, { once: true })
  })
}
