import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import {
  connect,
  type ClientHttp2Session,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from 'node:http2'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { caller, type ApiResponse } from '../caller.ts'
import { connectAsAdmin } from '../database/postgres.ts'
import { startHaproxy, writeHaproxyConfig } from '../processes/haproxy.ts'
import { sourceFaults } from '../injected-faults.ts'
import { startProcesses } from '../processes/processes.ts'
import { startService } from '../service.ts'
import { waitUntil } from '../wait-until.ts'

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vidimus-haproxy-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

test('HAProxy accepts its reference configuration without a warning', () => {
  const file = join(temporaryFolder(), 'haproxy.cfg')
  const nodes = [{ address: '127.0.0.1:1', check_port: 2 }]
  const listening = { database: '127.0.0.1:3', service: '127.0.0.1:4', internal: '127.0.0.1:6' }
  const config = writeHaproxyConfig({ ...listening, nodes, processes: ['127.0.0.1:5', '127.0.0.1:7'] })
  expect(config.match(/^ {2}server .*/gm)).toEqual([
    '  server pg1 127.0.0.1:1 check port 2',
    '  server serve1 127.0.0.1:5 check',
    '  server serve2 127.0.0.1:7 check',
    '  server self 127.0.0.1:6',
    '  server serve1 127.0.0.1:5 track processes/serve1',
    '  server serve2 127.0.0.1:7 track processes/serve2',
    '  server serve1 127.0.0.1:5 check',
    '  server serve2 127.0.0.1:7 check',
  ])
  writeFileSync(file, config)
  execFileSync('haproxy', ['-c', '-q', '-dW', '-f', file])
})

test('behind HAProxy a read and a keyed creation survive their process; an erasure and a creation without a key are sent once', async () => {
  await using service = await startProcesses(2, { injectedFaults: sourceFaults.responseLost })
  const processes = service.processes.map(({ address }) => new URL(address).host)
  await using haproxy = await startHaproxy({ nodes: [], processes })
  const merchant = await service.tenant()
  const client = caller(haproxy.address, merchant.key)
  const folder = temporaryFolder()
  const lose = (what: 'process' | 'connection', name: string) => ({ [`x-lose-${what}`]: join(folder, name) })
  const creation = { template: 'age_over_18', ttl_seconds: 600 }
  await waitUntil(async () => (await client.get('/readyz')).status === 200)

  const created = await client.post('/v1/verifications', creation, {
    headers: { 'idempotency-key': 'order-1', ...lose('process', 'creation') },
  })
  expect(created.status).toBe(201)
  expect(created.headers.get('idempotent-replayed')).toBe('true')
  expect(service.processes.filter(({ child }) => child.signalCode !== null)).toHaveLength(1)

  const path = `/v1/verifications/${created.body.id}`
  const read = await client.get(path, { headers: lose('connection', 'read') })
  expect(read).toMatchObject({ status: 200, body: { status: 'pending' } })

  // A key does not make an erasure repeatable. Sent twice, it would get 404.
  const erased = await client.delete(path, {
    headers: { 'idempotency-key': 'order-1', ...lose('connection', 'erasure') },
  })
  expectUnavailable(erased)
  expect((await client.get(path)).status).toBe(404)

  const unkeyed = await client.post('/v1/verifications', creation, { headers: lose('connection', 'unkeyed') })
  expectUnavailable(unkeyed)
  // Over HTTP/2, a stream that was refused without a response would be repeated by browsers.
  const overHttp2 = await postOverHttp2(haproxy.address, '/v1/verifications', creation, {
    authorization: `Bearer ${merchant.key}`,
    ...lose('connection', 'http2'),
  })
  expect(overHttp2).toEqual({ status: 503, retry_after: '1' })
  expect((await client.get('/v1/usage')).body).toMatchObject({ verifications_created: 3 })
})

test('without a process that is ready, HAProxy responds with 503 and Retry-After: an envelope to programs, a page to browsers', async () => {
  await using service = await startService()
  const { host } = new URL(service.address)
  await using haproxy = await startHaproxy({ nodes: [], processes: [host] })
  const client = caller(haproxy.address)
  const database = new URL(service.database_url).pathname.slice(1)
  await waitUntil(async () => (await client.get('/readyz')).status === 200)

  await using admin = await connectAsAdmin()
  await admin.query(`alter database ${database} set default_transaction_read_only = on`)
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [database])
  await waitUntil(async () => (await client.get('/v1/usage')).status === 503)
  expectUnavailable(await client.post('/v1/verifications', {}))
  // The service is not ready but runs, and has its own pages.
  expect((await client.get('/docs')).status).toBe(200)

  await admin.query(`alter database ${database} reset default_transaction_read_only`)
  await waitUntil(async () => (await client.get('/readyz')).status === 200)
})

test('without any process, HAProxy itself has a page for browsers', async () => {
  await using haproxy = await startHaproxy({ nodes: [], processes: ['127.0.0.1:1'] })
  const client = caller(haproxy.address)
  await waitUntil(async () => (await client.get('/verify/x')).text.startsWith('<!doctype html>'))
  const page = await client.get('/verify/x')
  expect(page.status).toBe(503)
  expect(page.headers.get('retry-after')).toBe('1')
  expectUnavailable(await client.delete('/v1/verifications/x'))
})

/** The second request of a connection: HAProxy treats the first one differently. */
async function postOverHttp2(address: string, path: string, body: unknown, headers: Record<string, string>) {
  const verification = connect(address)
  try {
    await sendOverHttp2(verification, { ':method': 'GET', ':path': '/readyz' })
    const head = { ':method': 'POST', ':path': path, 'content-type': 'application/json', ...headers }
    const received = await sendOverHttp2(verification, head, JSON.stringify(body))
    return { status: received[':status'], retry_after: received['retry-after'] }
  } finally {
    verification.destroy()
  }
}

async function sendOverHttp2(verification: ClientHttp2Session, head: OutgoingHttpHeaders, body?: string) {
  const stream = verification.request(head)
  stream.end(body)
  const [received] = (await once(stream, 'response')) as [IncomingHttpHeaders] // the event's only argument used here
  stream.resume()
  await once(stream, 'end')
  return received
}

function expectUnavailable(response: ApiResponse): void {
  expect(response).toMatchObject({ status: 503, body: { error: { code: 'overloaded' } } })
  expect(response.headers.get('retry-after')).toBe('1')
}
