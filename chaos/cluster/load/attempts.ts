/** What a client saw of one request. */
export type Attempt = {
  kind: RequestKind
  /** When it was sent, and how long it took, in milliseconds. */
  sent_at: number
  took_ms: number
  /** 0 if there was no response. */
  status: number
  verdict: Verdict
}

type RequestKind = 'create' | 'response' | 'read' | 'erase'

/** `refused`: 503 with Retry-After. `broken`: no response. `wrong`: a response that the request does not explain. */
export type Verdict = 'correct' | 'refused' | 'broken' | 'wrong'

type ReceivedResponse = {
  status: number
  retry_after?: string | null
  // oxlint-disable-next-line typescript/no-explicit-any -- the load reads what the contract promises
  body?: any
}

export const maxResponse_ms = 15_000
/** A client gives up then. Far above what is allowed, so that a late response is seen as one. */
export const clientTimeout_ms = 60_000

export type AttemptLog = {
  all: Attempt[]
  /** When each request that has no response yet was sent. */
  pending: Set<{ sent_at: number }>
  /** Sends a request and records it. `isCorrect` judges every response but a refusal. */
  record(
    kind: RequestKind,
    send: () => Promise<ReceivedResponse>,
    isCorrect: (response: ReceivedResponse) => boolean,
  ): Promise<ReceivedResponse & { verdict: Verdict }>
}

export function createAttemptLog(): AttemptLog {
  const all: Attempt[] = []
  const pending = new Set<{ sent_at: number }>()
  return {
    all,
    pending,
    async record(kind, send, isCorrect) {
      const request = { sent_at: Date.now() }
      pending.add(request)
      const response = await send().catch((): ReceivedResponse => ({ status: 0 })) // no response is a result here
      pending.delete(request)
      const verdict = judge(response, isCorrect)
      const took_ms = Date.now() - request.sent_at
      all.push({ kind, ...request, took_ms, status: response.status, verdict })
      return { ...response, verdict }
    },
  }
}

function judge(response: ReceivedResponse, isCorrect: (response: ReceivedResponse) => boolean): Verdict {
  if (response.status === 0) return 'broken'
  if (isCorrect(response)) return 'correct'
  return response.status === 503 && Number(response.retry_after) > 0 ? 'refused' : 'wrong'
}

export type MerchantRequest = { method?: string; body?: object; idempotency_key?: string }

/** Sends requests of a merchant. */
export function openClient(address: string, key: string) {
  return async (path: string, { method = 'GET', body, idempotency_key }: MerchantRequest = {}) => {
    const response = await fetch(`${address}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(idempotency_key !== undefined && { 'idempotency-key': idempotency_key }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(clientTimeout_ms),
    })
    const text = await response.text()
    return { status: response.status, retry_after: response.headers.get('retry-after'), body: parse(text) }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Not from the service.
    return undefined
  }
}
