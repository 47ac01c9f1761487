import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Role } from '../packages/contract/src/index.ts'
import { inviteMember } from '../apps/service/src/members/invitations/invite.ts'
import { runWorker } from '../apps/service/src/worker.ts'
import { startReceiver } from '../apps/service/test/network/receiver.ts'
import { startService, type Merchant, type Service } from '../apps/service/test/service.ts'
import { openWallet, type WalletOptions } from '../apps/service/test/wallet.ts'
import { closeBrowser, visit, type Visit, type Visitor } from './browser.ts'

export type World = {
  service: Service
  merchant: Merchant
  address: string
  /** A link that lets somebody in. */
  invite(who: { email: string; role?: Role }): Promise<string>
  /** A browser in which somebody has come in by a link, with a passkey. */
  enter(who?: { role?: Role; name?: string; email?: string } & Omit<Visit, 'address'>): Promise<Visitor>
  /** Somebody made up answers. */
  respond(wallet_uri: string, holder: WalletOptions): Promise<void>
  /** A verification that a persona has answered; its id. */
  answered(persona: string, more?: Record<string, unknown>): Promise<string>
  /** Takes webhooks and answers them with `status`. */
  hook: { url: string; status: number; bodies: string[] }
} & AsyncDisposable

/** Closes the browser before what it looks at, so that nothing waits for its streams. */
export async function leave(world: World): Promise<void> {
  await closeBrowser()
  await world[Symbol.asyncDispose]()
}

/** The whole service with its worker, at an address that passkeys take: `localhost`, and the port that it calls its own. */
export async function startWorld(
  environment: Record<string, string> | ((address: string) => Promise<Record<string, string>>) = {},
): Promise<World> {
  await using opened = new AsyncDisposableStack()
  const port = await freePort()
  const address = `http://localhost:${port}`
  const more = typeof environment === 'function' ? await environment(address) : environment
  const service = opened.use(
    await startService({
      environment: { BASE_URL: address, PORT: String(port), WEBHOOK_EGRESS_ALLOW: '127.0.0.0/8', ...more },
    }),
  )
  const hook = { url: '', status: 200, bodies: [] as string[] }
  const receiver = await startReceiver((socket, { body }) => {
    hook.bodies.push(body)
    socket.write(`HTTP/1.1 ${hook.status} Said\r\ncontent-length: 0\r\n\r\n`)
  })
  opened.use(receiver)
  hook.url = receiver.url
  const stop = new AbortController()
  const working = runWorker(service.ctx, stop.signal)
  opened.defer(() => (stop.abort(), working))
  const merchant = await service.tenant()
  const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
  const invite: World['invite'] = async ({ email, role = 'owner' }) =>
    (await inviteMember(service.ctx, { by, email, role })).link
  const respond: World['respond'] = async (wallet_uri, holder) => {
    const wallet = await openWallet(service.ctx, address, holder)
    for (let tries = 1; ; tries += 1) {
      const told = await wallet.respond(wallet_uri)
      if (told.answered && told.http_status < 500) return
      // A process that shares its machine with a browser may be late for a moment, and says so.
      if (tries === 20) throw new Error(`nobody answered: ${JSON.stringify(told)}`)
      await sleep(500)
    }
  }
  const all = opened.move()
  return {
    service,
    merchant,
    address,
    invite,
    hook,
    async enter({ role = 'owner', name = 'Marta Keller', email, ...how } = {}) {
      const visitor = await visit({ address, ...how })
      const invited = email ?? `${crypto.randomUUID()}@example.com`
      await visitor.page.goto(await invite({ email: invited, role }))
      await visitor.page.getByLabel('Your name').fill(name)
      await visitor.page.getByRole('button', { name: 'Create a passkey' }).click()
      await visitor.page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
      return visitor
    },
    respond,
    async answered(persona, given = {}) {
      const { body } = await merchant.post('/v1/verifications', { template: 'age_over_18', ...given })
      await respond(body.wallet_uri, { persona })
      return body.id
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
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
