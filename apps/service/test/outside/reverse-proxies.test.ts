import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { text } from 'node:stream/consumers'
import { connect } from 'node:tls'
import { expect, test } from 'vitest'
import { startReverseProxy, type ReverseProxy } from '../processes/reverse-proxy.ts'
import { startService } from '../service.ts'
import { waitUntil } from '../wait-until.ts'

/** The client's address, which is not the proxy's. Every address of 127.0.0.0/8 is this machine. */
const clientAddress = '127.0.0.5'
/** What the examples give a client for the head of its request, and what a busy machine may add. */
const headTimeout_ms = 15_000
const slack_ms = 15_000

type Sent = {
  method?: string
  headers?: Record<string, string>
  body?: string
  /** `body` is only the beginning: the client waits with the rest. */
  unfinished?: boolean
}

async function open({ port, ca }: ReverseProxy, path: string, sent: Sent = {}): Promise<IncomingMessage> {
  const { method = 'GET', headers = {}, body, unfinished = false } = sent
  const options = {
    host: 'localhost',
    port,
    path,
    method,
    headers,
    ca,
    family: 4,
    localAddress: clientAddress,
  }
  const outgoing = request({ ...options, agent: false })
  const responded = once(outgoing, 'response') as Promise<[IncomingMessage]> // the event has this argument
  if (unfinished) outgoing.write(body)
  else outgoing.end(body)
  const [response] = await responded
  return response
}

async function send(proxy: ReverseProxy, path: string, sent?: Sent) {
  const response = await open(proxy, path, sent)
  const received = await text(response)
  response.destroy()
  return { status: response.statusCode, headers: response.headers, text: received }
}

test.concurrent.each(['nginx', 'caddy', 'haproxy'] as const)(
  'behind %s with its example: verifications, the address of the client, streams, and limits on slow and large requests',
  { timeout: 120_000 },
  async (kind) => {
    const lines: string[] = []
    const service = await startService({
      environment: { BASE_URL: 'https://localhost', TRUSTED_PROXIES: '127.0.0.1/32' },
      onLog: (line) => lines.push(line),
    })
    await using started = new AsyncDisposableStack()
    let stopping: Promise<void> | undefined
    const stop = () => (stopping ??= Promise.resolve(service[Symbol.asyncDispose]()))
    started.defer(stop)
    const proxy = started.use(await startReverseProxy(kind, service.address))
    const slow = openSlowly(proxy)
    const { key } = await service.tenant()
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }

    const creation = { method: 'POST', headers, body: '{"template":"age_over_18"}' }
    const created = await send(proxy, '/v1/verifications', creation)
    expect(created.status).toBe(201)
    const { id } = JSON.parse(created.text)
    const path = `/v1/verifications/${id}`
    expect(JSON.parse((await send(proxy, `${path}/status`)).text)).toMatchObject({ status: 'pending' })

    const forged = { ...headers, 'x-forwarded-for': '203.0.113.9', 'x-request-id': 'forged' }
    expect((await send(proxy, path, { headers: forged })).status).toBe(200)
    // Not of the proxy's own health checks.
    const addresses = lines.flatMap((line) => /"route":"\/v1\/.*"ip":"([^"]+)"/.exec(line)?.[1] ?? [])
    expect(addresses.length).toBeGreaterThanOrEqual(3)
    expect(new Set(addresses)).toEqual(new Set([clientAddress]))

    const stream = await open(proxy, `/verify/${id}/events`)
    let events = ''
    stream.setEncoding('utf8').on('data', (chunk: string) => (events += chunk))
    stream.on('error', () => undefined)
    await waitUntil(() => events.includes('"pending"'))
    await send(proxy, `/wallet/request/${id}`)
    await waitUntil(() => events.includes('"opened"'))
    stream.destroy()

    // What the service accepts passes; what is longer than anything it accepts does not.
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const long = { method: 'POST', headers: form, body: `response=${'a'.repeat(2_000_000)}` }
    expect((await send(proxy, `/wallet/response/${id}`, long)).text).not.toContain('too large or malformed')
    const tooLong = { ...headers, 'content-length': '4000000' }
    const begun = { ...creation, headers: tooLong, body: ' '.repeat(64 * 1024), unfinished: true }
    const refused = await send(proxy, '/v1/verifications', begun)
    expect([refused.status, JSON.parse(refused.text).error.code]).toEqual([400, 'invalid_request'])
    // A client that sends on gets the same; or the refusal is lost, and the proxy says so or closes the connection on which it still sends.
    const whole = { ...creation, headers: tooLong, body: ' '.repeat(4_000_000) }
    const outcome = await send(proxy, '/v1/verifications', whole).then(
      (response) => `${response.status} ${JSON.parse(response.text).error.code}`,
      describeClosed,
    )
    expect(['400 invalid_request', '503 overloaded', 'closed']).toContain(outcome)
    const creations = lines.filter((line) =>
      /"method":"POST","route":"\/v1\/verifications","status":201/.test(line),
    )
    expect(creations).toHaveLength(1)

    expect(await slow).toBeLessThan(headTimeout_ms + slack_ms)
    await stop()
    const away = await send(proxy, path, { headers })
    expect([away.status, away.headers['retry-after'], JSON.parse(away.text).error.code]).toEqual([
      503,
      '1',
      'overloaded',
    ])
  },
)

/** The connection was closed while the request was being sent. Every other error is one of the test. */
function describeClosed(error: NodeJS.ErrnoException): 'closed' {
  if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') throw error
  return 'closed'
}

/** Sends the head of a request byte by byte, and returns after how many milliseconds the proxy closes the connection. */
async function openSlowly({ port, ca }: ReverseProxy): Promise<number> {
  const socket = connect({ host: '127.0.0.1', servername: 'localhost', port, ca })
  await once(socket, 'secureConnect')
  const started = performance.now()
  socket.on('error', () => undefined)
  socket.resume().write('GET /healthz HTTP/1.1\r\nhost: localhost\r\n')
  const timer = setInterval(() => socket.write('x'), 1000)
  // The end of what the proxy sends, perhaps after a response, or a reset.
  await new Promise((resolve) => socket.once('end', resolve).once('close', resolve))
  clearInterval(timer)
  socket.destroy()
  return performance.now() - started
}
