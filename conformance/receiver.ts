import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'

export type ReceivedWebhook = { headers: Record<string, string | undefined>; body: Buffer }
export type WebhookReceiver = {
  url: string
  secret: string
  received: ReceivedWebhook[]
  /** Waits for the webhook of a verification. */
  waitForWebhook(id: string): Promise<ReceivedWebhook>
} & AsyncDisposable

const maxWait_ms = 20_000

/** Receives webhooks and acknowledges all of them. */
export async function openReceiver({
  host,
  port,
  secret,
}: {
  host: string
  port: number
  secret: string
}): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = []
  const server = createServer((request, response) => {
    const receive = async () => {
      const body = await buffer(request)
      received.push({ headers: request.headers as ReceivedWebhook['headers'], body })
      response.writeHead(204).end()
    }
    receive().catch(() => response.destroy())
  })
  server.listen(port, host)
  await once(server, 'listening')
  const address = server.address() as AddressInfo // A TCP server's address is never a string.
  return {
    url: `http://${host}:${address.port}/hook`,
    secret,
    received,
    async waitForWebhook(id) {
      for (let waited_ms = 0; waited_ms < maxWait_ms; waited_ms += 50) {
        const found = received.find(({ body }) => body.includes(id))
        if (found !== undefined) return found
        await sleep(50)
      }
      throw new Error(`no webhook was received within ${maxWait_ms / 1000} s`)
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
