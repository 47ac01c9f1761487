import { createServer } from 'node:net'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { startService, type Service } from '../apps/service/test/service.ts'

/** The whole service at an address that passkeys take: `localhost`, and the port that it calls its own. */
export async function startWorld(environment: Record<string, string> = {}): Promise<Service> {
  const port = await freePort()
  const address = `http://localhost:${port}`
  const service = await startService({
    environment: { BASE_URL: address, PORT: String(port), ...environment },
  })
  return Object.assign(service, { address })
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
