import { Agent, request, type IncomingHttpHeaders } from 'node:http'

export type HttpCall = {
  method?: string
  path: string
  headers?: Record<string, string>
  body?: string
}

/** `status` is 0 after a timeout or a broken connection. */
export type HttpResult = {
  status: number
  headers: IncomingHttpHeaders
  text: string
  took_ms: number
}

export type HttpClient = { call(call: HttpCall): Promise<HttpResult>; close(): void }

/** A client with its own connections, from a loopback address of its own like a separate machine. */
export function openHttpClient({
  host = '127.0.0.1',
  port,
  localAddress,
  timeout_ms = 15_000,
  maxSockets = 256,
}: {
  host?: string
  port: number
  localAddress?: string
  timeout_ms?: number
  maxSockets?: number
}): HttpClient {
  const agent = new Agent({ keepAlive: true, maxSockets })
  return {
    call: ({ method = 'GET', path, headers = {}, body }) =>
      new Promise((resolve) => {
        const began = performance.now()
        const finish = (status: number, received: IncomingHttpHeaders, text: string) =>
          resolve({ status, headers: received, text, took_ms: performance.now() - began })
        const fail = () => finish(0, {}, '')
        const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
        const sent = request(
          {
            host,
            port,
            ...(localAddress !== undefined && { localAddress }),
            agent,
            method,
            path,
            headers: { ...headers, ...length },
            signal: AbortSignal.timeout(timeout_ms),
          },
          (response) => {
            const chunks: Buffer[] = []
            response.on('data', (chunk: Buffer) => chunks.push(chunk))
            response.on('end', () =>
              finish(response.statusCode ?? 0, response.headers, Buffer.concat(chunks).toString()),
            )
            response.on('error', fail)
          },
        )
        sent.on('error', fail)
        sent.end(body)
      }),
    close: () => agent.destroy(),
  }
}

export function bearer(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
}
