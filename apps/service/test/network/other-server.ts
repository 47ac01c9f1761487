import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import type { Service } from '../service.ts'
import { makeCertificate } from './certificate.ts'

/** A server that is not the service. */
export async function otherServer(
  { service }: { service: Service },
  status: number,
): Promise<Record<string, string>> {
  const server = createServer((_request, response) =>
    response.writeHead(status, { location: service.address, connection: 'close' }).end('elsewhere'),
  )
  return { BASE_URL: `http://127.0.0.1:${await listen(server)}` }
}

/** The same with a certificate that nobody trusts. */
export async function selfSignedTls(): Promise<Record<string, string>> {
  const server = createTlsServer(await makeCertificate('127.0.0.1'), (_request, response) => response.end())
  return { BASE_URL: `https://127.0.0.1:${await listen(server)}`, TRUSTED_PROXIES: '10.0.0.0/8' }
}

async function listen(server: Server): Promise<number> {
  server.unref()
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return (server.address() as AddressInfo).port // a TCP server has a port
}
