import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Seen = { method: string; url: string; headers: IncomingMessage['headers']; body: unknown }
export type Answer = (response: ServerResponse, seen: Seen) => void

/** A server that misbehaves as it is told: each request gets the next answer, and the last one for good. */
export async function startScripted(...answers: Answer[]) {
  const seen: Seen[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const { method = '', url = '', headers } = request
      const each = { method, url, headers, body: text === '' ? undefined : JSON.parse(text) }
      seen.push(each)
      answers[Math.min(seen.length, answers.length) - 1]?.(response, each)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a TCP server's
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  }
}

export function refuse(status: number, code: string, headers: Record<string, string> = {}): Answer {
  return json(status, { error: { code, message: `A refusal: ${code}.` } }, headers)
}

/** Takes the request and hangs up. */
export const hangUp: Answer = (response) => void response.destroy()

/** Takes the request and never answers. */
export const silence: Answer = () => {}
