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
    return listenerOf((request) => app.fetch(request))
  },
  next: async () => {
    const checks = await import('./next/app/checks/route.ts')
    const hook = await import('./next/app/webhooks/vidimus/route.ts')
    return listenerOf((request) => (request.url.endsWith('/checks') ? checks.POST() : hook.POST(request)))
  },
}

const at = await startDeliveryService()
const worker = at.startWorker()
afterAll(async () => {
  await worker.stop()
  await at[Symbol.asyncDispose]()
})

test.each(Object.keys(frameworks))(
  '[HOOK-1, HOOK-11] the example for %s asks, is told the answer, and turns an altered message away',
  async (name) => {
    await using shop = await openShop()
    const merchant = await at.tenant()
    vi.stubEnv('VIDIMUS_URL', at.address)
    vi.stubEnv('VIDIMUS_API_KEY', merchant.key)
    vi.stubEnv('VIDIMUS_WEBHOOK_SECRET', merchant.webhook_secret)
    vi.stubEnv('PUBLIC_URL', shop.url)
    vi.resetModules()
    shop.serve(await frameworks[name]?.())
    const said: unknown[][] = []
    vi.spyOn(console, 'log').mockImplementation((...words) => void said.push(words))

    const created = await fetch(`${shop.url}/checks`, { method: 'POST' })
    expect(created.status).toBe(201)
    const { id, wallet_uri } = (await created.json()) as { id: string; wallet_uri: string }
    const { respond } = await openWallet(at.ctx, at.address)
    expect(await respond(wallet_uri)).toMatchObject({ http_status: 200 })

    const [attempt] = await at.waitForAttempts(merchant, 1)
    expect(attempt).toMatchObject({ outcome: 'delivered', status: 204 })
    expect(said).toEqual([['verification.completed', id]])

    const altered = await fetch(`${shop.url}/webhooks/vidimus`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-service-signature': shop.lastSignature() },
      body: '{"type":"verification.completed","verification":{"id":"vs_forged"}}',
    })
    expect([altered.status, await altered.text()]).toEqual([
      400,
      expect.stringContaining('The signature fits none'),
    ])
    expect(said).toHaveLength(1)
  },
)

/** A port first, so that the example can be told its own address before it is loaded. */
async function openShop() {
  let serve: RequestListener | undefined
  let signature = ''
  const server = createServer((request, response) => {
    signature = String(request.headers['x-service-signature'] ?? signature)
    serve?.(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a TCP server's
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

/** Frameworks that speak `Request` and `Response`, on Node's server. */
function listenerOf(handle: Handle): RequestListener {
  const answer = async (incoming: IncomingMessage) =>
    handle(
      new Request(`http://${incoming.headers.host}${incoming.url}`, {
        method: incoming.method ?? 'GET',
        headers: incoming.headers as Record<string, string>,
        body: new Uint8Array(await buffer(incoming)),
      }),
    )
  return (incoming, outgoing) => {
    const send = async () => {
      const response = await answer(incoming)
      outgoing.writeHead(response.status, Object.fromEntries(response.headers))
      outgoing.end(Buffer.from(await response.arrayBuffer()))
    }
    send().catch((error: unknown) => outgoing.destroy(error as Error))
  }
}
