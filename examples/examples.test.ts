import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterAll, expect, test, vi } from 'vitest'
import { startDeliveryService } from '../apps/service/test/deliveries.ts'
import { openWallet } from '../apps/service/test/wallet.ts'

type Handle = (request: Request) => Response | Promise<Response>

const frameworks: Record<string, () => Promise<RequestListener>> = {
  express: async () => (await import('./express/server.ts')).app,
  fastify: async () => {
    const { app } = await import('./fastify/server.ts')
    await app.ready()
    return (request, response) => app.routing(request, response)
  },
  hono: async () => {
    const { app } = await import('./hono/server.ts')
    return toListener((request) => app.fetch(request))
  },
  next: async () => {
    const checks = await import('./next/app/checks/route.ts')
    const webhook = await import('./next/app/webhooks/vidimus/route.ts')
    return toListener((request) => (request.url.endsWith('/checks') ? checks.POST() : webhook.POST(request)))
  },
}

const deliveries = await startDeliveryService()
const worker = deliveries.startWorker()
afterAll(async () => {
  await worker.stop()
  await deliveries[Symbol.asyncDispose]()
})

test.each(Object.keys(frameworks))(
  '[HOOK-1] [HOOK-11] the %s example creates a verification, receives its webhook and rejects an altered one',
  async (name) => {
    await using shop = await openShop()
    const merchant = await deliveries.tenant()
    vi.stubEnv('VIDIMUS_URL', deliveries.address)
    vi.stubEnv('VIDIMUS_API_KEY', merchant.key)
    vi.stubEnv('VIDIMUS_WEBHOOK_SECRET', merchant.webhook_secret)
    vi.stubEnv('PUBLIC_URL', shop.url)
    vi.resetModules()
    shop.serve(await frameworks[name]?.())
    const logged: unknown[][] = []
    vi.spyOn(console, 'log').mockImplementation((...words) => void logged.push(words))

    const created = await fetch(`${shop.url}/checks`, { method: 'POST' })
    expect(created.status).toBe(201)
    const { id, wallet_uri } = (await created.json()) as { id: string; wallet_uri: string }
    const { respond } = await openWallet(deliveries.ctx, deliveries.address)
    expect(await respond(wallet_uri)).toMatchObject({ http_status: 200 })

    const [attempt] = await deliveries.waitForAttempts(merchant, 1)
    expect(attempt).toMatchObject({ outcome: 'delivered', status: 204 })
    expect(logged).toEqual([['verification.completed', id]])

    const altered = await fetch(`${shop.url}/webhooks/vidimus`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-service-signature': shop.lastSignature() },
      body: '{"type":"verification.completed","verification":{"id":"vs_forged"}}',
    })
    expect([altered.status, await altered.text()]).toEqual([
      400,
      expect.stringContaining('The signature matches none'),
    ])
    expect(logged).toHaveLength(1)
  },
)

/** Opens the port first, because an example needs its own address when it is loaded. */
async function openShop() {
  let serve: RequestListener | undefined
  let signature = ''
  const server = createServer((request, response) => {
    signature = String(request.headers['x-service-signature'] ?? signature)
    serve?.(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // A TCP server's address is never a string.
  return {
    url: `http://127.0.0.1:${port}`,
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
        body: new Uint8Array(await buffer(incoming)),
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
