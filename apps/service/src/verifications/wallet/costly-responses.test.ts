import { createServer, type AddressInfo, type Socket } from 'node:net'
import { once } from 'node:events'
import { readFileSync, readdirSync } from 'node:fs'
import { constants, getPriority } from 'node:os'
import { exportAnchors, createIssuer, toPem, type Issuer } from '@vidimus/sandbox'
import { expect, test } from 'vitest'
import { startReceiver } from '../../../test/network/receiver.ts'
import { startService, type Merchant, type Service } from '../../../test/service.ts'
import { respondUntilAccepted } from '../../../test/respond-until-accepted.ts'
import { openWallet, type WalletOptions } from '../../../test/wallet.ts'
import { sql } from '../../engine/db/sql.ts'
import { addTenantAnchors } from '../../trust/tenant/change-anchors.ts'
import { acceptResponse } from './accept-response.ts'
import { findOpenVerification } from './find-open-verification.ts'
import { openVerifier, verifierBounds } from './open-verifier.ts'

const template = 'age_over_18'

test.runIf(process.platform === 'linux')(
  'the threads that verify have a lower priority than the event loop',
  async () => {
    await using service = await startService()
    const merchant = await service.tenant()
    const { body } = await merchant.post('/v1/verifications', { template })
    await respondUntilAccepted(service, body.wallet_uri)
    const threads = readdirSync('/proc/self/task').map((thread) => {
      const [name = '', stat = ''] = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(') ')
      // The nice value is the 19th field, of which two precede this part.
      return { name: name.slice(name.indexOf('(') + 1), nice: Number(stat.split(' ')[16]) }
    })
    const low = Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL)
    expect(threads.filter(({ name, nice }) => name === 'WorkerThread' && nice === low)).not.toEqual([])
  },
)

test('[WRES-20] a response that takes too much CPU time fails the verification for good and sends one webhook', async () => {
  await using receiver = await startReceiver((socket) => void socket.write('HTTP/1.1 200 OK\r\n\r\n'))
  await using service = await startService({ environment: { WEBHOOK_EGRESS_ALLOW: '127.0.0.1/32' } })
  const merchant = await service.tenant()
  const { body: created } = await merchant.post('/v1/verifications', {
    query: { credentials: [largeQuery(10)] },
    webhook_url: receiver.url,
  })
  const body = await captureForm(service, created.wallet_uri, {
    format: 'dc+sd-jwt',
    alterations: {
      query: (query) => ({
        credentials: query.credentials.map((one) => ({ ...one, claims: [familyNameClaim] })),
      }),
      credential: (credential) =>
        credential.format === 'dc+sd-jwt'
          ? { ...credential, claims: { ...credential.claims, family_name: largeValue } }
          : credential,
    },
  })
  // Imitates a verification that was created before queries were bounded.
  const query = JSON.stringify({ credentials: [largeQuery(40_000)] })
  await service.ctx.db.execute(
    sql`update verification_sessions set query = ${query} where id = ${created.id}`,
  )
  const verifier = openVerifier(service.ctx, { ...verifierBounds, cpu_ms: 100 })
  const ctx = { ...service.ctx, verifier }
  const respond = async () =>
    acceptResponse(ctx, await findOpenVerification(ctx, created.id), { channel: { kind: 'redirect' }, body })

  expect(await respond()).toEqual({})
  expect((await merchant.get(`/v1/verifications/${created.id}`)).body).toMatchObject({
    status: 'failed',
    error: { code: 'credential_malformed', message: expect.stringContaining('too long to check') },
  })
  await expect(respond()).rejects.toMatchObject({ code: 'session_already_responded' })
  const jobs = await service.ctx.db.query(
    sql`select from webhook_events where verification_id = ${created.id}`,
  )
  expect(jobs).toHaveLength(1)
  await verifier.close()
})

const familyNameClaim = { path: ['family_name'] }
const largeValue = Array.from({ length: 200 }, () => ({ a: 1 }))

function largeQuery(claims: number) {
  return {
    id: 'pid',
    format: 'dc+sd-jwt',
    meta: { vct_values: ['urn:eudi:pid:1'] },
    claims: Array.from({ length: claims }, (_, index) => ({
      path: ['family_name', null, index === 0 ? 'a' : `b${index}`],
    })),
  }
}

test('a tenant whose status lists are unavailable delays only its own responses', async () => {
  await using silentHost = await startSilentHost()
  await using service = await startService({ environment: { WEBHOOK_EGRESS_ALLOW: '127.0.0.1/32' } })
  const attacker = await service.tenant()
  const issuer = createIssuer({
    now: new Date(),
    organization: 'An issuer of its own',
    publishes_crls: false,
  })
  await trust(service, attacker, issuer)
  const victim = await service.tenant()

  const delayed = await Promise.all(
    Array.from({ length: 24 }, (_, index) =>
      prepare(service, attacker, { issuer: { ...issuer, status_uri: `${silentHost.address}/${index}` } }),
    ),
  )
  const right = await Promise.all(Array.from({ length: 4 }, () => prepare(service, victim, {})))
  const theirs = delayed.map(({ post }) => post())
  await expect.poll(() => silentHost.connections()).toBeGreaterThan(2)

  const began = performance.now()
  const ours = await Promise.all(right.map(({ post }) => post()))
  // If each of the delayed responses occupied a thread until the request timed out, two threads would be free only after 36 s.
  expect(performance.now() - began).toBeLessThan(12_000)
  expect(ours.map(({ status }) => status)).toEqual(right.map(() => 200))

  const statuses = (await Promise.all(theirs)).map(({ status }) => status)
  expect(statuses.filter((status) => status !== 503 && status !== 200)).toEqual([])
  const decided = delayed[statuses.indexOf(200)]
  expect((await attacker.get(`/v1/verifications/${decided?.id}`)).body).toMatchObject({
    status: 'failed',
    error: { code: 'status_unavailable' },
  })
})

/** Creates a verification and its wallet response, which `post` sends. */
async function prepare(service: Service, merchant: Merchant, holder: WalletOptions) {
  const { body: created } = await merchant.post('/v1/verifications', { template })
  const form = await captureForm(service, created.wallet_uri, { format: 'dc+sd-jwt', ...holder })
  const post = () =>
    service.anonymous.request('POST', `/wallet/response/${created.id}`, {
      raw: form,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  return { id: created.id, post }
}

async function captureForm(service: Service, wallet_uri: string, holder: WalletOptions): Promise<string> {
  let form = ''
  const wallet = await openWallet(service.ctx, service.address, {
    ...holder,
    onPost: (posted) => (form = posted),
  })
  const responded = await wallet.respond(wallet_uri)
  if (form === '') throw new Error(`The wallet did not respond: ${JSON.stringify(responded)}`)
  return form
}

async function trust({ ctx }: Service, { tenant_id }: Merchant, issuer: Issuer): Promise<void> {
  const pem = exportAnchors(issuer).map(({ certificate }) => toPem(certificate))
  const by = { kind: 'operator', tenant_id } as const
  await addTenantAnchors(ctx, { by, environment: 'test', pem: pem.join('\n') })
}

/** Accepts connections and never replies. */
async function startSilentHost() {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    socket.on('error', () => {})
    sockets.push(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a TCP server's
  return {
    address: `https://127.0.0.1:${port}`,
    connections: () => sockets.length,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
