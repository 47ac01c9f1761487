import { createServer, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { announce, port } from './shop.ts'

type Handle = (request: Request) => Response | Promise<Response>

/** Serves a handler of `Request` and `Response` on Node, so that the examples need no further package. */
export function serveOnNode(handle: Handle): void {
  const server = createServer((incoming, outgoing) => {
    const respond = async () => {
      const response = await handle(await toRequest(incoming))
      outgoing.writeHead(response.status, Object.fromEntries(response.headers))
      outgoing.end(Buffer.from(await response.arrayBuffer()))
    }
    respond().catch((error: unknown) => {
      console.error(error)
      outgoing.writeHead(500).end()
    })
  })
  server.on('error', announce).listen(port, 'localhost', () => announce())
}

async function toRequest(incoming: IncomingMessage): Promise<Request> {
  const { method = 'GET', headers, url } = incoming
  return new Request(`http://${headers.host}${url}`, {
    method,
    headers: headers as Record<string, string>, // only Set-Cookie is a list, and requests have none
    ...(method === 'POST' && { body: new Uint8Array(await buffer(incoming)) }),
  })
}
