import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { startDeliveryService } from '../apps/service/test/deliveries.ts'
import { packedProgram } from '../apps/service/test/processes/packed-program.ts'
import { openWallet } from '../apps/service/test/wallet.ts'
import { freePort, startCommands, startExample } from './test/start-example.ts'

const deliveries = await startDeliveryService()
const worker = deliveries.startWorker()
afterAll(async () => {
  await worker.stop()
  await deliveries[Symbol.asyncDispose]()
})

const names = ['express', 'fastify', 'hono', 'next']
const program = packedProgram()

type Tenant = { key: string; webhook_secret: string }

function variables({ key, webhook_secret }: Tenant): Record<string, string> {
  return { VIDIMUS_URL: deliveries.address, VIDIMUS_KEY: key, VIDIMUS_WEBHOOK_SECRET: webhook_secret }
}

test('README.md has the start command of every example', () => {
  expect([...startCommands.keys()].toSorted()).toEqual(names)
})

test.each(names)(
  '[HOOK-1] [HOOK-11] the %s example creates a verification, receives its webhook and rejects an altered one',
  async (name) => {
    const merchant = await deliveries.tenant()
    const port = await freePort()
    const PUBLIC_URL = `http://localhost:${port}`
    await using shop = await startExample(name, { ...variables(merchant), PORT: String(port), PUBLIC_URL })

    const created = await fetch(`${shop.url}/checks`, { method: 'POST' })
    expect(created.status).toBe(201)
    const { id, wallet_uri } = (await created.json()) as { id: string; wallet_uri: string }
    const { respond } = await openWallet(deliveries.ctx, deliveries.address)
    expect(await respond(wallet_uri)).toMatchObject({ http_status: 200 })

    const [attempt] = await deliveries.waitForAttempts(merchant, 1)
    expect(attempt).toMatchObject({ outcome: 'delivered', status: 204 })
    await expect.poll(shop.output).toContain(`verification.completed ${id}`)

    const forged = await fetch(`${shop.url}/webhooks/vidimus`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-service-signature': `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}`,
      },
      body: '{"type":"verification.completed","verification":{"id":"vs_forged"}}',
    })
    expect([forged.status, await forged.text()]).toEqual([
      400,
      expect.stringContaining('The signature matches none'),
    ])
    expect(shop.output()).not.toContain('vs_forged')
  },
)

test.each(names)(
  'the page of the %s example has the component and a link for browsers without script, and a refusal is a sentence',
  async (name) => {
    const merchant = await deliveries.tenant()
    await using shop = await startExample(name, variables(merchant))
    const page = await fetch(shop.url)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.headers.get('content-security-policy')).toBe(
      `default-src 'none'; script-src ${deliveries.address}; connect-src ${deliveries.address}`,
    )
    const html = await page.text()
    expect(html).toContain(`src="${deliveries.address}/component/vidimus-verify-${version}.js"`)
    const [, id = '', link = ''] = /<vidimus-verify session="(vs_[\w-]+)"><a href="([^"]+)">/.exec(html) ?? []
    expect(link).toBe(`${deliveries.ctx.config.BASE_URL}/verify/${id}`)
    expect((await fetch(deliveries.address + new URL(link).pathname)).status).toBe(200)

    await using refused = await startExample(name, { ...variables(merchant), PUBLIC_URL: 'http://10.0.0.5' })
    for (const method of ['GET', 'POST']) {
      const response = await fetch(`${refused.url}${method === 'GET' ? '/' : '/checks'}`, { method })
      expect([response.status, response.headers.get('content-type')]).toEqual([
        502,
        expect.stringMatching(/^text\/plain; charset=utf-8$/i),
      ])
      expect(await response.text()).toMatch(
        /^The verification was refused: webhook_url must resolve to a public address\. See http\S+ \(request [\w-]+\)$/,
      )
    }
  },
)

const { version } = JSON.parse(
  readFileSync(new URL('../packages/component/package.json', import.meta.url), 'utf8'),
)

test('an example without its variables, or without a free port, says so in a line', async () => {
  const merchant = await deliveries.tenant()
  await using bare = await startExample('express', {
    VIDIMUS_URL: deliveries.address,
    VIDIMUS_KEY: '',
    VIDIMUS_WEBHOOK_SECRET: '',
  })
  await expect.poll(bare.exitCode).toBe(1)
  expect(bare.output().trim().split('\n')).toEqual([
    expect.stringMatching(/^Set VIDIMUS_KEY, VIDIMUS_WEBHOOK_SECRET, or start /),
  ])

  await using first = await startExample('hono', variables(merchant))
  await using second = await startExample('fastify', {
    ...variables(merchant),
    PORT: new URL(first.url).port,
  })
  await expect.poll(second.exitCode).toBe(1)
  expect(second.output()).toMatch(/^Can't open port \d+: .*EADDRINUSE.* Choose another one with PORT\.\n$/)
})

test('listen reaches an example with the webhook secret, and prints why a receiver rejected a message', async () => {
  const merchant = await deliveries.tenant()
  await using right = await startExample('express', variables(merchant))
  await using wrong = await startExample('express', {
    ...variables(merchant),
    VIDIMUS_WEBHOOK_SECRET: 'whsec_other',
  })
  await using toRight = listen(merchant, right.url)
  await using toWrong = listen(merchant, wrong.url)
  await expect
    .poll(() => `${toRight.output()}${toWrong.output()}`, { timeout: 30_000 })
    .toMatch(/Ready.[^]*Ready./)

  const created = await merchant.post('/v1/verifications', { template: 'age_over_18' })
  const { respond } = await openWallet(deliveries.ctx, deliveries.address)
  await respond(created.body.wallet_uri)

  await expect.poll(right.output).toContain(`verification.completed ${created.body.id}`)
  await expect.poll(toRight.output).toMatch(/verification\.completed → 204 {2}\d+ ms {2}evt_/)
  await expect.poll(toWrong.output).toMatch(/verification\.completed → 400 .*\n +The signature matches none/)
})

function listen({ key }: Tenant, shop: string) {
  const args = [program, 'listen', '--forward-to', `${shop}/webhooks/vidimus`]
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env['PATH'], VIDIMUS_URL: deliveries.address, VIDIMUS_KEY: key },
  })
  const chunks: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(String(chunk)))
  return {
    output: () => chunks.join(''),
    async [Symbol.asyncDispose]() {
      const gone = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await gone
    },
  }
}
