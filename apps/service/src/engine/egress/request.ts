import type { AcquireOptions, OutboundPool } from './connection-pool.ts'
import { AddressRefusedError, NameResolutionError } from './dial.ts'
import { type Exchange, type OutboundResponse, exchange } from './exchange.ts'
import { type Target, isForOtherProtocol, readTarget } from './read-target.ts'

type OutboundMessage = { headers?: Record<string, string>; body?: string | Buffer }

/** Sends the message. Resolves once its last byte was sent or no further byte will be. May be called once at most. */
type WriteMessage = (message: OutboundMessage) => Promise<void>

export type OutboundRequest = {
  method: 'GET' | 'POST'
  url: string
  /** For the whole request: DNS, connection, message, response. */
  timeout_ms: number
  /** For sending the message once it is written. Defaults to `timeout_ms`. */
  write_timeout_ms?: number
  max_response_bytes: number
  /** Aborts the request at any stage. */
  signal?: AbortSignal
  /** Called with the bytes that arrived, once they are known, whatever the outcome. */
  onReceived?: (received_bytes: number) => void
  /**
   * Called when the connection is ready, so that the content can be decided as late as possible and locked while it is sent.
   * Returning without writing withdraws the request. Called a second time if an idle connection turned out to be closed and nothing was sent.
   */
  compose(write: WriteMessage): Promise<void>
}

/** Everything a receiver can do is a value. Only errors of `compose` are thrown. */
export type OutboundOutcome = OutboundResult & { duration_ms: number }

type OutboundResult =
  | ({ outcome: 'responded' } & OutboundResponse)
  | { outcome: 'timed_out' }
  | { outcome: 'withdrawn' }
  | OutboundFailure

/** Makes one request, over an idle connection or a new one. */
export async function request(pool: OutboundPool, outbound: OutboundRequest): Promise<OutboundOutcome> {
  const started = performance.now()
  const deadline = new AbortController()
  const abort = () => deadline.abort()
  const timer = setTimeout(abort, outbound.timeout_ms)
  outbound.signal?.addEventListener('abort', abort)
  if (outbound.signal?.aborted === true) abort()
  try {
    const result = await attempt(pool, outbound, deadline.signal)
    return { ...result, duration_ms: Math.round(performance.now() - started) }
  } finally {
    clearTimeout(timer)
    outbound.signal?.removeEventListener('abort', abort)
  }
}

async function attempt(
  pool: OutboundPool,
  outbound: OutboundRequest,
  signal: AbortSignal,
): Promise<OutboundResult> {
  const target = readTarget(outbound.url)
  if (target === undefined) return { outcome: 'refused', reason: 'not_http' }
  if (isForOtherProtocol(target)) return { outcome: 'refused', reason: 'port' }

  const result =
    (await sendOnce(pool, outbound, { target, signal, fresh: false })) ??
    (await sendOnce(pool, outbound, { target, signal, fresh: true }))
  return result ?? { outcome: 'failed', reason: 'connection', code: 'HUNG_UP' }
}

/** Tries once. Undefined if a reused connection turned out to be closed and nothing was sent. */
async function sendOnce(
  pool: OutboundPool,
  outbound: OutboundRequest,
  acquireOptions: AcquireOptions,
): Promise<OutboundResult | undefined> {
  const acquired = await pool.acquire(acquireOptions).then(
    (connection) => ({ connection }),
    (error: unknown) => ({ error }),
  )
  if ('error' in acquired)
    return acquireOptions.signal.aborted ? { outcome: 'timed_out' } : classifyFailure(acquired.error)

  const { connection } = acquired
  const { isReused, socket } = connection
  const receivedBefore_bytes = socket.bytesRead
  const limits = { write_timeout_ms: outbound.timeout_ms, ...outbound, signal: acquireOptions.signal }
  const started = Promise.withResolvers<Exchange | undefined>()
  let isFinished = false
  try {
    await outbound.compose(async (message) => {
      const running = exchange(
        connection,
        addHeaders(message, outbound.method, acquireOptions.target),
        limits,
      )
      started.resolve(running)
      await running.written
    })
    started.resolve(undefined)
    const running = await started.promise
    if (running === undefined) return { outcome: 'withdrawn' }
    const result = await running.result
    isFinished = true
    if (result.outcome !== 'broken') return result
    return isReused && !result.hasStarted ? undefined : classifyFailure(result.error)
  } finally {
    outbound.onReceived?.(socket.bytesRead - receivedBefore_bytes)
    if (!isFinished) socket.destroy()
    pool.release(connection)
  }
}

function addHeaders({ headers, ...message }: OutboundMessage, method: 'GET' | 'POST', target: Target) {
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

/** Why a request failed. The code comes from Node or undici; nothing the receiver sent is repeated. */
type OutboundFailure =
  | { outcome: 'refused'; reason: 'not_http' | 'port' | 'not_public' }
  | { outcome: 'failed'; reason: 'name' | 'connection' | 'tls' | 'http'; code: string }

/** OpenSSL's codes for chain errors (`CERT_HAS_EXPIRED`, `DEPTH_ZERO_SELF_SIGNED_CERT`) have no common prefix. */
const tlsCodes =
  /^(?:ERR_(?:TLS|SSL|OSSL)|EPROTO$|UNABLE_TO_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH)|CERT|CRL|HOSTNAME/
/** undici fails with an assertion on some invalid responses. */
const httpCodes = /^(?:ANSWER_TOO_LONG|HTTPParserError|HPE_|ERR_ASSERTION|UND_ERR_HEADERS|UND_ERR_RES)/

/** Classifies an error of dialling or exchanging for the delivery log. */
function classifyFailure(error: unknown): OutboundFailure {
  if (error instanceof AddressRefusedError) return { outcome: 'refused', reason: 'not_public' }
  if (error instanceof NameResolutionError) return { outcome: 'failed', reason: 'name', code: error.code }
  const code = errorCode(error)
  return { outcome: 'failed', reason: failureReason(code), code }
}

/** undici's parser error has no code, so its name is used. Its message and data contain bytes from the receiver. */
function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return 'UNKNOWN'
  const code = 'code' in error ? error.code : error.name
  return typeof code === 'string' && /^\w{1,60}$/.test(code) ? code : error.name.slice(0, 60)
}

function failureReason(code: string): 'connection' | 'tls' | 'http' {
  if (tlsCodes.test(code)) return 'tls'
  return httpCodes.test(code) ? 'http' : 'connection'
}
