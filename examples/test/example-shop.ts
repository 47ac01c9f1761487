import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

type Handle = (request: Request) => Response | Promise<Response>

/** The examples, each as a listener of Node's HTTP server. They read the environment when they are loaded. */
export const examples: Record<string, () => Promise<RequestListener>> = {
  express: async () => (await import('../express/server.ts')).app,
  fastify: async () => {
    const { app } = await import('../fastify/server.ts')
    await app.ready()
    return (request, response) => app.routing(request, response)
  },
  hono: async () => {
    const { app } = await import('../hono/server.ts')
    return toListener((request) => app.fetch(request))
  },
  next: async () => {
    const checkout = await import('../next/app/route.ts')
    const checks = await import('../next/app/checks/route.ts')
    const webhook = await import('../next/app/webhooks/vidimus/route.ts')
    return toListener((request) => {
      if (request.method === 'GET') return checkout.GET()
      return request.url.endsWith('/checks') ? checks.POST() : webhook.POST(request)
    })
  },
}

/** Opens the port first, because an example needs its own address when it is loaded. */
export async function openExampleShop() {
  let serve: RequestListener | undefined
  let signature = ''
  const server = createServer((request, response) => {
    signature = String(request.headers['x-service-signature'] ?? signature)
    serve?.(request, response)
  })
  server.listen(0, 'localhost')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // A TCP server's address is never a string.
  return {
    url: `http://localhost:${port}`,
    serve: (listener: RequestListener | undefined) => (serve = listener),
    lastSignature: () => signature,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Adapts frameworks that use `Request` and `Response` to Node's HTTP server. */
function toListener(handle: Handle): RequestListener {
  const respond = async (incoming: IncomingMessage) =>
    handle(
      new Request(`http://${incoming.headers.host}${incoming.url}`, {
        method: incoming.method ?? 'GET',
        headers: incoming.headers as Record<string, string>,
        ...(incoming.method === 'POST' && { body: new Uint8Array(await buffer(incoming)) }),
      }),
    )
  return (incoming, outgoing) => {
    const send = async () => {
      const response = await respond(incoming)
      outgoing.writeHead(response.status, Object.fromEntries(response.headers))
      outgoing.end(Buffer.from(await response.arrayBuffer()))
    }
    send().catch((error: unknown) => outgoing.destroy(error as Error))
  }
}
