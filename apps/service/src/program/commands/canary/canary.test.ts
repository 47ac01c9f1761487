import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { edit, on } from '../../../../../../conformance/injected/alter.ts'
import { openProxy, type ExchangeAlteration } from '../../../../../../conformance/injected/proxy.ts'
import { runCommand } from '../../../../test/processes/run-command.ts'
import { runProgram } from '../../../../test/processes/run-program.ts'
import { startService, testEnvironment } from '../../../../test/service.ts'
import { sql } from '../../../engine/db/sql.ts'

// The proxy is the public address, so wallets use it too. Production has no sandbox pages, so they are off here.
const proxy = await openProxy()
const service = await startService({ environment: { BASE_URL: proxy.url, SANDBOX: 'off' } })
proxy.targets.service = service.address
const merchant = await service.tenant({
  scopes: ['verifications:create', 'verifications:read', 'verifications:delete'],
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await proxy[Symbol.asyncDispose]()
})
beforeEach(() => {
  proxy.inject({})
})

function settings(more: Record<string, string> = {}) {
  const variables = { VIDIMUS_URL: proxy.url, VIDIMUS_KEY: merchant.key, ...more }
  return testEnvironment(service.database_url, variables)
}

const canary = (more: Record<string, string>, ...args: string[]) =>
  runCommand(['admin', 'canary', ...args], settings(more))

type Report = { ok: boolean; steps: { probe: string; step: string; ok: boolean; error?: string }[] }

/** The failed steps, as `probe: step`, and the first error. */
async function failures(more: Record<string, string> = {}, ...args: string[]) {
  const ran = await canary(more, '--json', ...args)
  const { ok, steps }: Report = JSON.parse(ran.stdout)
  const failed = steps.filter((step) => !step.ok)
  return {
    status: ran.status,
    ok,
    failed: failed.map(({ probe, step }) => `${probe}: ${step}`),
    error: failed[0]?.error,
  }
}

const everyCreate = [
  'accepts SD-JWT VC: create',
  'accepts mdoc: create',
  'refuses replayed SD-JWT VC: create',
  'refuses replayed mdoc: create',
]

test('every step passes against a healthy service, and its verifications are erased', async () => {
  const ran = await runProgram(['admin', 'canary'], settings())

  expect(ran).toMatchObject({ status: 0, stderr: '' })
  expect(ran.stdout.trimEnd().split('\n')).toHaveLength(22)
  expect(ran.stdout).toMatch(/^ok +accepts SD-JWT VC +create +\d+ ms$/m)
  expect(ran.stdout).toMatch(/All 21 steps passed in \d+ ms\.\n$/)
  expect(ran.stdout).not.toContain(merchant.key)
  const left = await service.ctx.db.query(
    sql`select id from verification_sessions where tenant_id = ${merchant.tenant_id}`,
  )
  expect(left).toEqual([])
})

test('--json prints one object with every step and its duration', async () => {
  const { stdout } = await canary({}, '--json')

  expect(JSON.parse(stdout)).toMatchObject({
    ok: true,
    url: proxy.url,
    started_at: expect.any(String),
    duration_ms: expect.any(Number),
    steps: expect.arrayContaining([
      { probe: 'refuses replayed mdoc', step: 'read', ok: true, duration_ms: expect.any(Number) },
    ]),
  })
})

test('reports a service that is down or never responds', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo // a TCP server has a port
  const [down, hanging] = [
    await failures({ VIDIMUS_URL: 'http://127.0.0.1:1' }),
    await failures({ VIDIMUS_URL: `http://127.0.0.1:${port}` }, '--timeout', '1'),
  ]
  silent.close()

  expect(down).toMatchObject({ status: 1, ok: false, failed: everyCreate })
  expect(down.error).toMatch(/ECONNREFUSED|bad port/)
  expect(hanging).toMatchObject({ status: 1, ok: false, failed: everyCreate })
  expect(hanging.error).toContain('timeout')
})

test('reports a wrong key and an unreachable database', async () => {
  const key = `${merchant.key.slice(0, -4)}0000`

  expect(await failures({ VIDIMUS_KEY: key })).toMatchObject({
    status: 1,
    failed: everyCreate,
    error: expect.stringContaining('HTTP 401'),
  })
  expect(await failures({ DATABASE_URL: 'postgres://postgres@127.0.0.1:1/none' })).toMatchObject({
    status: 1,
    failed: ['sandbox wallet: open'],
  })
})

const read = /^\/v1\/verifications\/vs_[^/]+$/
const accepted: ExchangeAlteration['response'] = on('GET', read, (exchange) => {
  if (exchange.status !== 200) return
  edit((body) => {
    if (body['status'] === 'failed') Object.assign(body, { status: 'completed', error: undefined })
  })(exchange)
})

test.each<{ name: string; alteration: ExchangeAlteration; failed: string[] }>([
  {
    name: 'a verifier that accepts a replayed presentation',
    alteration: { response: accepted },
    failed: ['refuses replayed SD-JWT VC: read', 'refuses replayed mdoc: read'],
  },
  {
    name: 'a verifier that refuses every response',
    alteration: {
      response: on('GET', read, (exchange) => {
        if (exchange.status === 200)
          edit((body) =>
            Object.assign(body, {
              status: 'failed',
              error: { code: 'holder_binding_invalid', message: 'x' },
            }),
          )(exchange)
      }),
    },
    failed: ['accepts SD-JWT VC: read', 'accepts mdoc: read'],
  },
  {
    name: 'a request object with a wrong signature',
    alteration: {
      response: (exchange) => {
        if (!exchange.path.startsWith('/wallet/request/')) return
        const [header, payload, signature = ''] = exchange.text.split('.')
        exchange.text = [header, payload, signature.split('').toReversed().join('')].join('.')
      },
    },
    failed: everyCreate.map((step) => step.replace('create', 'response')),
  },
  {
    name: 'an erasure that erases nothing',
    alteration: {
      request: (exchange) => {
        if (exchange.method === 'DELETE') exchange.method = 'GET'
      },
    },
    failed: everyCreate.map((step) => step.replace('create', 'erase')),
  },
])('$name is reported with exit status 1', async ({ alteration, failed }) => {
  proxy.inject(alteration)

  expect(await failures()).toMatchObject({ status: 1, ok: false, failed })
})

test.each([
  [['--key', 'vk_live_0'], 'test key'],
  [['--timeout', '0'], '--timeout'],
])('exits with 2 and an explanation for %j', async (args, hint) => {
  expect(await canary({}, ...args)).toMatchObject({ status: 2, stderr: expect.stringContaining(hint) })
})
