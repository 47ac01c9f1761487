import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'

export type Received = { headers: Record<string, string | undefined>; body: Buffer }
export type Receiver = {
  url: string
  secret: string
  received: Received[]
  /** The message about a verification, once it has come. */
  about(id: string): Promise<Received>
} & AsyncDisposable

const waitMs = 20_000

/** Listens for webhooks and acknowledges them all. */
export async function openReceiver({
  host,
  port,
  secret,
}: {
  host: string
  port: number
  secret: string
}): Promise<Receiver> {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const take = async () => {
      const body = await buffer(request)
      received.push({ headers: request.headers as Received['headers'], body })
      response.writeHead(204).end()
    }
    take().catch(() => response.destroy())
  })
  server.listen(port, host)
  await once(server, 'listening')
  const at = server.address() as AddressInfo // a TCP server's
  return {
    url: `http://${host}:${at.port}/hook`,
    secret,
    received,
    async about(id) {
      for (let waited = 0; waited < waitMs; waited += 50) {
        const found = received.find(({ body }) => body.includes(id))
        if (found !== undefined) return found
        await sleep(50)
      }
      throw new Error(`no webhook came within ${waitMs / 1000} s`)
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
