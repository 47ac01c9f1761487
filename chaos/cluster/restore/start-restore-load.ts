import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { caller, type ApiResponse } from '../../../apps/service/test/caller.ts'
import { startReceiver } from '../../../apps/service/test/network/receiver.ts'
import { openBrowser, type SignedInBrowser } from '../../../apps/service/test/sign-in/browser.ts'
import type { Merchant, Service } from '../../../apps/service/test/service.ts'
import { openWallet } from '../../../apps/service/test/wallet.ts'
import type { Probes } from './ended-access.ts'

export type RestoreLoad = {
  /** Creates, answers, erases and revokes for this long, and waits for what was begun. */
  run(duration_ms: number): Promise<void>
  /** How many tills cannot renew their tokens, of how many. */
  refreshTills(): Promise<{ refused: number; tills: number }>
  /** Webhooks of erased verifications that arrived after the erasure was acknowledged; and events that arrived more than once. */
  sent_after_erasure(): number
  webhooks(): { arrived: number; again: number }
  /** Steps of the load that did not succeed. */
  refused(): number
} & AsyncDisposable

export type LoadOptions = {
  service: Pick<Service, 'address' | 'ctx'>
  merchant: Merchant
  owner: SignedInBrowser
  probes: Probes
}

const parallel = { verifications: 6, keys: 5, devices: 5, members: 2 }
const tillCount = 4

/** A load that erases and revokes much: each of its loops makes something, uses it, and ends it a moment later. */
export async function startRestoreLoad({
  service,
  merchant,
  owner,
  probes,
}: LoadOptions): Promise<RestoreLoad> {
  const { address } = service
  const wallet = await openWallet(service.ctx, address)
  const erased = new Map<string, number>()
  const arrivals = new Map<string, number[]>()
  const receiver = await startReceiver((socket, { body }) => {
    const id: string = JSON.parse(body).verification.id
    arrivals.set(id, [...(arrivals.get(id) ?? []), Date.now()])
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
  })
  const client = caller(address, merchant.key)
  /** Long enough for the moment of a restore to lie between the beginning and the end of many. */
  const pause = () => sleep(randomInt(50, 3000))
  const works = async (key: string) =>
    (await caller(address, key).get('/v1/verifications?limit=1')).status === 200

  async function erase(): Promise<void> {
    const body = { template: 'age_over_18', webhook_url: receiver.url }
    const { id, wallet_uri } = expectStatus(201, await client.post('/v1/verifications', body))
    await wallet.respond(wallet_uri)
    await pause()
    const path = `/v1/verifications/${id}`
    expectStatus(200, await client.delete(path))
    erased.set(id, Date.now())
    probes.add({ kind: 'verification', isAccepted: async () => (await client.get(path)).status === 200 })
  }

  async function revokeKey(): Promise<void> {
    const params = { environment: 'test' }
    const body = { name: 'short-lived', scopes: ['verifications:read'] }
    const made = expectStatus(201, await owner.call('createKey', { params, body }))
    await pause()
    expectStatus(200, await owner.call('revokeKey', { params: { ...params, id: made.key.id } }))
    probes.add({ kind: 'key', isAccepted: () => works(made.secret) })
  }

  async function pair() {
    const device = { name: 'Till', allowed_templates: ['age_over_18'] }
    const { pairing_code } = expectStatus(201, await client.post('/v1/devices', device))
    return expectStatus(200, await caller(address).post('/v1/devices/enroll', { pairing_code }))
  }

  async function revokeDevice(): Promise<void> {
    const tokens = await pair()
    await pause()
    expectStatus(200, await client.delete(`/v1/devices/${tokens.device.id}`))
    probes.add({ kind: 'device', isAccepted: () => works(tokens.access_token) })
  }

  async function signOut(): Promise<void> {
    const browser = openBrowser(service)
    const { body } = await browser.call('startPasskeySignIn')
    const response = owner.passkey.get(body.options)
    expectStatus(200, await browser.call('finishPasskeySignIn', { body: { response } }))
    const cookie = browser.cookie()
    await pause()
    expectStatus(200, await browser.call('signOut'))
    const isAccepted = async () =>
      (await openBrowser(service).call('getMe', { headers: { cookie } })).status === 200
    probes.add({ kind: 'member_session', isAccepted })
  }

  let refused = 0
  /** Tills that are never revoked, each with its newest refresh token. */
  const tills: string[] = []
  for (let index = 0; index < tillCount; index += 1) tills.push((await pair()).refresh_token)
  async function refresh(index: number): Promise<boolean> {
    const body = { refresh_token: tills[index] }
    const response = await caller(address).post('/v1/devices/token', body)
    if (response.status === 200) tills[index] = response.body.refresh_token
    return response.status === 200
  }

  return {
    async run(duration_ms) {
      const end = Date.now() + duration_ms
      const repeat = async (once: () => Promise<unknown>) => {
        // What the service refuses, because the machine is busy, is left out: only what was acknowledged counts.
        while (Date.now() < end) await once().catch(() => (refused += 1))
      }
      const loops = (count: number, once: () => Promise<unknown>) =>
        Array.from({ length: count }, () => repeat(once))
      await Promise.all([
        ...loops(parallel.verifications, erase),
        ...loops(parallel.keys, revokeKey),
        ...loops(parallel.devices, revokeDevice),
        ...loops(parallel.members, signOut),
        ...tills.map((_, index) =>
          repeat(async () => {
            await refresh(index)
            await sleep(randomInt(200, 800))
          }),
        ),
      ])
    },
    async refreshTills() {
      const refreshed = await Promise.all(tills.map((_, index) => refresh(index)))
      return { refused: refreshed.filter((accepted) => !accepted).length, tills: tills.length }
    },
    sent_after_erasure: () =>
      Array.from(erased).filter(([id, at]) =>
        (arrivals.get(id) ?? []).some((arrived) => arrived > at + pause_ms),
      ).length,
    webhooks: () => ({
      arrived: arrivals.size,
      again: Array.from(arrivals.values()).filter((times) => times.length > 1).length,
    }),
    refused: () => refused,
    async [Symbol.asyncDispose]() {
      await receiver[Symbol.asyncDispose]()
    },
  }
}

/** A webhook that arrived before the acknowledgement is read within a few turns of the event loop. */
const pause_ms = 20

function expectStatus(expected: number, { status, text, body }: ApiResponse): ApiResponse['body'] {
  if (status !== expected) throw new Error(`expected ${expected}: ${status} ${text}`)
  return body
}
