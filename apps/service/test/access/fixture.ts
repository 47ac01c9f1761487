import type { Role } from '@vidimus/contract'
import { setPlan } from '../../src/accounts/plans/plans.ts'
import { setPolicies } from '../../src/accounts/tenants/tenant-settings.ts'
import { caller, type Caller } from '../caller.ts'
import { startDeliveryService } from '../deliveries.ts'
import { startReceiver } from '../network/receiver.ts'
import { signIn, type SignedInBrowser } from '../sign-in/browser.ts'
import { waitUntil } from '../wait-until.ts'
import { openWallet, type WalletOptions } from '../wallet.ts'

export const here = { environment: 'test' }
/** Shows name, address and more; the other one says yes or nothing. */
export const disclosing = 'pid_full'
export const yesNo = 'age_over_18'

/** A tenant with an owner and a completed verification with claims, a worker, and a receiver that answers with what it was sent. */
export async function startAccessFixture() {
  const service = await startDeliveryService()
  await setPlan(service.ctx, {
    name: 'starter',
    members: 10_000,
    invitations: 10_000,
    keys: 10_000,
    templates: 10_000,
  })
  const worker = service.startWorker()
  const receiver = await startReceiver((socket, { body }) => {
    socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  })
  const merchant = await service.tenant()
  // Nobody serves the status lists of an issuer of one's own.
  await setPolicies(service.ctx, { tenant_id: merchant.tenant_id, status_unavailable: 'warning' })
  const owner = await signIn(service, merchant)

  /** Creates a verification as this caller, responds as a wallet, and returns what the caller reads. */
  async function verifyAs(by: Caller, body: object, options: WalletOptions = {}) {
    const created = await by.post('/v1/verifications', body)
    if (created.status !== 201) return { created, claims: undefined, status: undefined }
    const wallet = await openWallet(service.ctx, service.address, options)
    await wallet.respond(created.body.wallet_uri)
    const read = await by.get(`/v1/verifications/${created.body.id}`)
    return { created, claims: read.body.claims, status: read.body.status as string }
  }

  const completed = await verifyAs(merchant, { template: disclosing, webhook_url: receiver.url })
  const id: string = completed.created.body.id
  await waitUntil(async () => receiver.received.length > 0 && (await service.countQueued()) === 0)
  return {
    ...service,
    receiver,
    merchant,
    owner,
    verifyAs,
    /** A verification that is completed and was delivered. */
    id,
    /** A text that only claims contain. */
    canary: String(completed.claims?.family_name),
    caller: (token: string) => caller(service.address, token),
    join: (role: Role) => signIn(service, { ...merchant, role, email: `${crypto.randomUUID()}@example.com` }),
    async [Symbol.asyncDispose]() {
      await worker.stop()
      await receiver[Symbol.asyncDispose]()
      await service[Symbol.asyncDispose]()
    },
  }
}

export type AccessFixture = Awaited<ReturnType<typeof startAccessFixture>>

export async function idOf(member: SignedInBrowser): Promise<string> {
  return (await member.call('getMe')).body.member.id
}

export type { SignedInBrowser }
