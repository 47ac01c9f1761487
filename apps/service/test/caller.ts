import { setTimeout as sleep } from 'node:timers/promises'

/** A response as tests see it. */
export type ApiResponse = {
  status: number
  headers: Headers
  text: string
  /** The body as JSON; undefined if it is not JSON. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests assert what they expect
  body: any
}

type CallOptions = {
  headers?: Record<string, string>
  body?: unknown
  raw?: string | Buffer<ArrayBuffer>
  /** Returns the 503 of an overloaded process instead of retrying. */
  noRetry?: true
}

const maxTries = 100

/** A client of the service, with or without a key. */
export type Caller = {
  request(method: string, path: string, options?: CallOptions): Promise<ApiResponse>
  get(path: string, options?: CallOptions): Promise<ApiResponse>
  post(path: string, body?: unknown, options?: CallOptions): Promise<ApiResponse>
  patch(path: string, body?: unknown, options?: CallOptions): Promise<ApiResponse>
  delete(path: string, options?: CallOptions): Promise<ApiResponse>
}

export function caller(address: string | (() => string), key?: string): Caller {
  /** Retries while the service is overloaded, because it shares the machine with its tests. */
  async function request(method: string, path: string, options: CallOptions = {}): Promise<ApiResponse> {
    for (let tries = 1; ; tries += 1) {
      const response = await requestOnce(method, path, options)
      const busy =
        response.status === 503 && response.body?.error?.message?.startsWith('The service is overloaded')
      if (!busy || options.noRetry === true || tries === maxTries) return response
      await sleep(100)
    }
  }

  async function requestOnce(
    method: string,
    path: string,
    { headers, body, raw }: CallOptions,
  ): Promise<ApiResponse> {
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const response = await fetch(`${typeof address === 'string' ? address : address()}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...(sent !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(sent !== undefined && { body: sent }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: parseJson(text) }
  }
  return {
    request,
    get: (path, options) => request('GET', path, options),
    post: (path, body, options) => request('POST', path, { ...options, body }),
    patch: (path, body, options) => request('PATCH', path, { ...options, body }),
    delete: (path, options) => request('DELETE', path, options),
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
