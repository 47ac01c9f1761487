import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Role } from '../packages/contract/src/index.ts'
import { inviteMember } from '../apps/service/src/members/invitations/invite.ts'
import { runWorker } from '../apps/service/src/worker.ts'
import { startReceiver } from '../apps/service/test/network/receiver.ts'
import { startService, type Merchant, type Service } from '../apps/service/test/service.ts'
import { openWallet, type WalletOptions } from '../apps/service/test/wallet.ts'
import { closeBrowser, openBrowser, type BrowserOptions, type BrowserUser } from './browser.ts'

export type DashboardFixture = {
  service: Service
  merchant: Merchant
  address: string
  /** A link that lets somebody in. */
  invite(who: { email: string; role?: Role }): Promise<string>
  /** A browser in which somebody has come in by a link, with a passkey. */
  signIn(
    who?: { role?: Role; name?: string; email?: string } & Omit<BrowserOptions, 'address'>,
  ): Promise<BrowserUser>
  /** Somebody made up answers. */
  respond(wallet_uri: string, holder: WalletOptions): Promise<void>
  /** A verification that a persona has answered; its id. */
  createAnsweredVerification(persona: string, more?: Record<string, unknown>): Promise<string>
  /** Takes webhooks and answers them with `status`. */
  webhookReceiver: { url: string; status: number; bodies: string[] }
} & AsyncDisposable

/** Closes the browser before what it looks at, so that nothing waits for its streams. */
export async function closeDashboard(fixture: DashboardFixture): Promise<void> {
  await closeBrowser()
  await fixture[Symbol.asyncDispose]()
}

/** The whole service with its worker, at an address that passkeys take: `localhost`, and the port that it calls its own. */
export async function startDashboard(
  environment: Record<string, string> | ((address: string) => Promise<Record<string, string>>) = {},
): Promise<DashboardFixture> {
  await using stack = new AsyncDisposableStack()
  const port = await freePort()
  const address = `http://localhost:${port}`
  const more = typeof environment === 'function' ? await environment(address) : environment
  const service = stack.use(
    await startService({
      environment: { BASE_URL: address, PORT: String(port), WEBHOOK_EGRESS_ALLOW: '127.0.0.0/8', ...more },
    }),
  )
  const webhookReceiver = { url: '', status: 200, bodies: [] as string[] }
  const receiver = await startReceiver((socket, { body }) => {
    webhookReceiver.bodies.push(body)
    socket.write(`HTTP/1.1 ${webhookReceiver.status} Said\r\ncontent-length: 0\r\n\r\n`)
  })
  stack.use(receiver)
  webhookReceiver.url = receiver.url
  const stop = new AbortController()
  const worker = runWorker(service.ctx, stop.signal)
  stack.defer(() => (stop.abort(), worker))
  const merchant = await service.tenant()
  const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
  const invite: DashboardFixture['invite'] = async ({ email, role = 'owner' }) =>
    (await inviteMember(service.ctx, { by, email, role })).link
  const respond: DashboardFixture['respond'] = async (wallet_uri, holder) => {
    const wallet = await openWallet(service.ctx, address, holder)
    for (let tries = 1; ; tries += 1) {
      const result = await wallet.respond(wallet_uri)
      if (result.answered && result.http_status < 500) return
      // A process that shares its machine with a browser may be late for a moment, and says so.
      if (tries === 20) throw new Error(`nobody answered: ${JSON.stringify(result)}`)
      await sleep(500)
    }
  }
  const resources = stack.move()
  return {
    service,
    merchant,
    address,
    invite,
    webhookReceiver,
    async signIn({ role = 'owner', name = 'Marta Keller', email, ...browserOptions } = {}) {
      const visitor = await openBrowser({ address, ...browserOptions })
      const invited = email ?? `${crypto.randomUUID()}@example.com`
      await visitor.page.goto(await invite({ email: invited, role }))
      await visitor.page.getByLabel('Your name').fill(name)
      await visitor.page.getByRole('button', { name: 'Create a passkey' }).click()
      await visitor.page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
      return visitor
    },
    respond,
    async createAnsweredVerification(persona, given = {}) {
      const { body } = await merchant.post('/v1/verifications', { template: 'age_over_18', ...given })
      await respond(body.wallet_uri, { persona })
      return body.id
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port
  server.close()
  await once(server, 'close')
  return port
}
