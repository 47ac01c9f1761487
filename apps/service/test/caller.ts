import { setTimeout as sleep } from 'node:timers/promises'

/** A response as tests look at it. */
export type Answer = {
  status: number
  headers: Headers
  text: string
  /** The body as JSON; undefined when it is none. Tests state what they expect of it. */
  // oxlint-disable-next-line typescript/no-explicit-any -- a test says what it expects and fails otherwise
  body: any
}

type CallOptions = {
  headers?: Record<string, string>
  body?: unknown
  raw?: string | Buffer<ArrayBuffer>
  /** Takes a 503 of a busy process for an answer. */
  impatient?: true
}

const mostTries = 100

/** Someone who calls the service, with a key or without. */
export type Caller = {
  request(method: string, path: string, options?: CallOptions): Promise<Answer>
  get(path: string, options?: CallOptions): Promise<Answer>
  post(path: string, body?: unknown, options?: CallOptions): Promise<Answer>
  delete(path: string, options?: CallOptions): Promise<Answer>
}

export function caller(address: string | (() => string), key?: string): Caller {
  /** A process that shares the machine with its tests may be late for a moment and say so: then the call is made again. */
  async function request(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    for (let tries = 1; ; tries += 1) {
      const answer = await requestOnce(method, path, options)
      const busy =
        answer.status === 503 && answer.body?.error?.message?.startsWith('The service has too much to do')
      if (!busy || options.impatient === true || tries === mostTries) return answer
      await sleep(100)
    }
  }

  async function requestOnce(
    method: string,
    path: string,
    { headers, body, raw }: CallOptions,
  ): Promise<Answer> {
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
    return { status: response.status, headers: response.headers, text, body: jsonOf(text) }
  }
  return {
    request,
    get: (path, options) => request('GET', path, options),
    post: (path, body, options) => request('POST', path, { ...options, body }),
    delete: (path, options) => request('DELETE', path, options),
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
