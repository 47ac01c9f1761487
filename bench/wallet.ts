import { fileURLToPath } from 'node:url'
import { startProcesses, type ServiceProcesses } from '../apps/service/test/processes/processes.ts'
import type { Merchant } from '../apps/service/test/service.ts'
import { openWallet, type WalletOptions } from '../apps/service/test/wallet.ts'
import { deriveAndSign, openResponse } from './bare-cryptography.ts'
import { compare, median, type Bench, type Figure } from './figure.ts'
import type { Load, LoadResult } from './load.ts'
import { load, portOf, summarizeTail } from './run-load.ts'
import { rate } from './verification.ts'

const rounds = 3
const seconds = 4
const responses = 1500
const environment = { LOG_LEVEL: 'error' }

/** Fetching request objects over HTTP, compared with a core that does nothing but their cryptography. */
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
    bare.push(await rate(deriveAndSign))
    const fetched = await load(fetching)
    ours.push(fetched.rate)
    tails.ours.push(await load({ ...fetching, per_second: fetched.rate / 2 }))
    tails.bare.push(await bareServer.loadAtHalfRate())
  }
  return [compare('wallet.request', '1/s', { values: ours, bare }), ...tail('wallet.request', tails)]
}

/** Posting wallet responses over HTTP (decryption, verification, transaction), compared with a core that does nothing but their cryptography. */
const response: Bench = async () => {
  await using service = await startProcesses(1, { environment })
  const merchant = await service.tenant({ daily_quota: 1_000_000 })
  await using bareServer = await startBareServer()
  const bare: number[] = []
  const ours: number[] = []
  const tails = { ours: [] as LoadResult[], bare: [] as LoadResult[] }
  for (let turn = 0; turn <= rounds; turn += 1) {
    const bareRate = await rate(openResponse)
    const { rate: responded } = await load(await prepareResponses(service, merchant))
    const half = await load({
      ...(await prepareResponses(service, merchant)),
      per_second: responded / 2,
    })
    // The first round is the warm-up.
    if (turn === 0) continue
    bare.push(bareRate)
    ours.push(responded)
    tails.ours.push(half)
    tails.bare.push(await bareServer.loadAtHalfRate())
  }
  return [compare('wallet.response', '1/s', { values: ours, bare }), ...tail('wallet.response', tails)]
}

/** Tail latency at half the maximum rate, compared with a bare route at half of its own, so that the machine's part is in both. */
function tail(name: string, { ours, bare }: { ours: LoadResult[]; bare: LoadResult[] }): Figure[] {
  const ratios = (all: LoadResult[]) => all.map(({ p50_ms, p99_ms }) => p99_ms / p50_ms)
  const unit = `p99 / median at half rate; median ${median(ours.map(({ p50_ms }) => p50_ms))} ms`
  return [
    summarizeTail(name, ours),
    compare(`${name}.tail`, unit, { values: ratios(ours), bare: ratios(bare) }),
  ]
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
  const highest = await load(probing)
  return {
    loadAtHalfRate: () => load({ ...probing, per_second: highest.rate / 2 }),
    [Symbol.asyncDispose]: () => bareServer[Symbol.asyncDispose](),
  }
}

export const benches: Record<string, Bench> = { 'wallet.request': request, 'wallet.response': response }

export async function create(
  merchant: Merchant,
  count: number,
): Promise<{ id: string; wallet_uri: string }[]> {
  const made = await Promise.all(
    Array.from({ length: count }, () =>
      merchant.post('/v1/verifications', { template: 'age_over_18', ttl_seconds: 3600 }),
    ),
  )
  return made.map(({ body }) => body)
}

/** Valid wallet responses to new verifications, built in advance: the forms that the sandbox wallet would post. */
export async function prepareResponses(
  service: ServiceProcesses,
  merchant: Merchant,
  count = responses,
  alterations?: WalletOptions['alterations'],
): Promise<Load> {
  const created = await create(merchant, count)
  const forms: string[] = []
  const { address } = service.processes[0] ?? { address: '' }
  const wallet = await openWallet(service.ctx, address, {
    format: 'dc+sd-jwt',
    alterations,
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
