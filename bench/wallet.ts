import {
  createECDH,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  randomBytes,
  sign,
  verify,
} from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { startProcesses, type ServiceProcesses } from '../apps/service/test/processes/processes.ts'
import type { Merchant } from '../apps/service/test/service.ts'
import { openWallet } from '../apps/service/test/wallet.ts'
import { load, portOf } from './create.ts'
import { compare, median, type Bench, type Figure } from './figure.ts'
import type { Load, LoadResult } from './load.ts'

const rounds = 3
const seconds = 4
const responses = 1500
const environment = { LOG_LEVEL: 'error' }

/** Fetching request objects over HTTP, compared with only deriving the session's key and signing in a loop. */
const request: Bench = async () => {
  await using service = await startProcesses(1, { environment })
  const merchant = await service.tenant({ daily_quota: 1_000_000 })
  const created = await create(merchant, 200)
  const fetching: Load = {
    port: portOf(service),
    connections: 32,
    seconds,
    method: 'GET',
    paths: created.map(({ id }) => `/wallet/request/${id}`),
    keys: [],
    expect: 200,
  }
  await using bareServer = await startBareServer()
  await load({ ...fetching, seconds: 2 })
  const bare: number[] = []
  const ours: number[] = []
  const tails = { ours: [] as LoadResult[], bare: [] as LoadResult[] }
  for (let turn = 0; turn < rounds; turn += 1) {
    bare.push(rateOf(deriveAndSign))
    const { rate } = await load(fetching)
    ours.push(rate)
    tails.ours.push(await load({ ...fetching, per_second: rate / 2 }))
    tails.bare.push(await bareServer.loadAtHalfRate())
  }
  return [
    compare('wallet.request', '1/s', { value: median(ours), bare: median(bare) }),
    tail('wallet.request', tails),
  ]
}

/** Posting wallet responses over HTTP (decryption, verification, transaction), compared with only the signature checks and the key agreement. */
const response: Bench = async () => {
  await using service = await startProcesses(1, { environment })
  const merchant = await service.tenant({ daily_quota: 1_000_000 })
  await using bareServer = await startBareServer()
  const bare: number[] = []
  const ours: number[] = []
  const tails = { ours: [] as LoadResult[], bare: [] as LoadResult[] }
  for (let turn = 0; turn <= rounds; turn += 1) {
    const rate = rateOf(verifyAndAgreeKey)
    const { rate: answered } = await loadResponses(await prepareResponses(service, merchant))
    const half = await loadResponses({
      ...(await prepareResponses(service, merchant)),
      per_second: answered / 2,
    })
    // The first round is the warm-up.
    if (turn === 0) continue
    bare.push(rate)
    ours.push(answered)
    tails.ours.push(half)
    tails.bare.push(await bareServer.loadAtHalfRate())
  }
  return [
    compare('wallet.response', '1/s', { value: median(ours), bare: median(bare) }),
    tail('wallet.response', tails),
  ]
}

/** Tail latency at half the maximum rate, compared with a bare route at half of its own, so that the machine's part is in both. */
function tail(name: string, { ours, bare }: { ours: LoadResult[]; bare: LoadResult[] }): Figure {
  const ratio = (all: LoadResult[]) => median(all.map(({ p50_ms, p99_ms }) => p99_ms / p50_ms))
  const unit = `p99 / median at half rate; median ${median(ours.map(({ p50_ms }) => p50_ms))} ms`
  return compare(`${name}.tail`, unit, { value: ratio(ours), bare: ratio(bare) })
}

/** A Fastify route that returns a constant. */
async function startBareServer() {
  const run = fileURLToPath(new URL('../apps/service/test/serve-bare.ts', import.meta.url))
  const bareServer = await startProcesses(1, { run })
  const probing: Load = {
    port: portOf(bareServer),
    connections: 32,
    seconds,
    method: 'GET',
    paths: ['/v1/probe'],
    keys: [],
    expect: 200,
  }
  const { rate } = await load(probing)
  return {
    loadAtHalfRate: () => load({ ...probing, per_second: rate / 2 }),
    [Symbol.asyncDispose]: () => bareServer[Symbol.asyncDispose](),
  }
}

async function loadResponses(answering: Load): Promise<LoadResult> {
  const loaded = await load(answering)
  if (Object.keys(loaded.other).length > 0)
    throw new Error(`some responses were refused: ${JSON.stringify(loaded.other)}`)
  return loaded
}

export const benches: Record<string, Bench> = { 'wallet.request': request, 'wallet.response': response }

async function create(merchant: Merchant, count: number): Promise<{ id: string; wallet_uri: string }[]> {
  const made = await Promise.all(
    Array.from({ length: count }, () =>
      merchant.post('/v1/verifications', { template: 'age_over_18', ttl_seconds: 3600 }),
    ),
  )
  return made.map(({ body }) => body)
}

/** Valid wallet responses to new sessions, built in advance: the forms that the sandbox wallet would post. */
async function prepareResponses(service: ServiceProcesses, merchant: Merchant): Promise<Load> {
  const created = await create(merchant, responses)
  const forms: string[] = []
  const { address } = service.processes[0] ?? { address: '' }
  const wallet = await openWallet(service.ctx, address, {
    format: 'dc+sd-jwt',
    onPost: (form) => void forms.push(form),
  })
  for (const { wallet_uri } of created) await wallet.respond(wallet_uri)
  return {
    port: portOf(service),
    connections: 32,
    seconds: 60,
    method: 'POST',
    paths: created.map(({ id }) => `/wallet/response/${id}`),
    keys: [],
    forms,
    expect: 200,
  }
}

const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const other = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const message = randomBytes(2000)
const signature = sign('sha256', message, keys.privateKey)

function deriveAndSign(): void {
  const ecdh = createECDH('prime256v1')
  ecdh.setPrivateKey(Buffer.from(hkdfSync('sha256', message.subarray(0, 32), 'salt', 'key', 32)))
  ecdh.getPublicKey()
  sign('sha256', message, keys.privateKey)
}

/** The issuer's signature, the holder's signature and the key agreement of the encrypted response. */
function verifyAndAgreeKey(): void {
  for (let count = 0; count < 2; count += 1) {
    verify('sha256', message, keys.publicKey, signature)
  }
  diffieHellman({ privateKey: keys.privateKey, publicKey: other.publicKey })
}

function rateOf(once: () => void): number {
  const end = performance.now() + 1000
  let count = 0
  for (; performance.now() < end; count += 1) once()
  return count
}
