import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type ReceivedRequest = { method: string; url: string; headers: IncomingMessage['headers']; body: unknown }
export type ScriptedReply = (response: ServerResponse, requests: ReceivedRequest) => void

/** A server with scripted replies: each request gets the next one, and the last one repeats. */
export async function startScriptedService(...replies: ScriptedReply[]) {
  const requests: ReceivedRequest[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const { method = '', url = '', headers } = request
      const received = { method, url, headers, body: text === '' ? undefined : JSON.parse(text) }
      requests.push(received)
      replies[Math.min(requests.length, replies.length) - 1]?.(response, received)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // A TCP server's address is never a string.
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): ScriptedReply {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  }
}

export function refuse(status: number, code: string, headers: Record<string, string> = {}): ScriptedReply {
  return json(status, { error: { code, message: `A refusal: ${code}.` } }, headers)
}

/** Reads the request and closes the connection. */
export const closeConnection: ScriptedReply = (response) => void response.destroy()

/** Reads the request and never replies. */
export const neverReply: ScriptedReply = () => {}
