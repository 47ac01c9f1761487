import { once } from 'node:events'
import { createServer, request as send, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A request and its response. A deviation may alter both. */
export type Exchange = {
  method: string
  path: string
  sent: { headers: Record<string, string | string[] | undefined>; body: string }
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}

export type ExchangeAlteration = {
  /** Alters the request before it is forwarded. */
  request?: (exchange: Exchange) => void
  /** Alters the response before it is returned. */
  response?: (exchange: Exchange) => void
}

/** A proxy between the suite and the service, and between the service and the webhook receiver (`/hook`), that alters requests and responses. */
export async function openProxy() {
  const targets = { service: '', hook: '' }
  let alteration: ExchangeAlteration = {}
  const server = createServer((incoming, outgoing) => {
    handle(incoming).then(
      ({ status, headers, text }) => outgoing.writeHead(status, headers).end(text),
      () => outgoing.destroy(),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // A TCP server's address is never a string.
  return {
    url: `http://127.0.0.1:${port}`,
    targets,
    inject: (next: ExchangeAlteration) => (alteration = next),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }

  async function handle(incoming: IncomingMessage): Promise<Exchange> {
    const { method = '', url: path = '', headers } = incoming
    const body = (await buffer(incoming)).toString()
    const exchange: Exchange = { method, path, sent: { headers, body }, status: 0, headers: {}, text: '' }
    alteration.request?.(exchange)
    const response = await forward(path === '/hook' ? targets.hook : targets.service, exchange)
    Object.assign(exchange, response)
    alteration.response?.(exchange)
    delete exchange.headers['content-length']
    delete exchange.headers['transfer-encoding']
    return exchange
  }
}

async function forward(target: string, { method, path, sent }: Exchange) {
  const headers: Exchange['headers'] = {
    ...sent.headers,
    'content-length': String(Buffer.byteLength(sent.body)),
  }
  delete headers['transfer-encoding']
  // The proxy edits text, so responses must not be compressed.
  delete headers['accept-encoding']
  const request = send(`${target}${path}`, { method, headers })
  request.end(sent.body)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return {
    status: response.statusCode ?? 0,
    headers: { ...response.headers },
    text: (await buffer(response)).toString(),
  }
}
