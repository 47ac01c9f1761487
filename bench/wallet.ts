import { startProcesses, type ServiceProcesses } from '../apps/service/test/processes/processes.ts'
import type { Merchant } from '../apps/service/test/service.ts'
import { openWallet, type WalletOptions } from '../apps/service/test/wallet.ts'
import { deriveAndSign, openResponse } from './bare-cryptography.ts'
import { startBareServer } from './bare-server.ts'
import { compare, type Bench } from './figure.ts'
import type { Load } from './load.ts'
import { compareTails, load, portOf } from './run-load.ts'
import { rate } from './verification.ts'

const rounds = 3
const seconds = 4
const connections = 32
const responses = 1500
const environment = { LOG_LEVEL: 'error' }

/** Fetching request objects over HTTP, compared with a core that does nothing but their cryptography. */
const request: Bench = async () => {
  await using service = await startProcesses(1, { environment })
  const merchant = await service.tenant({ daily_quota: 1_000_000 })
  const created = await create(merchant, 200)
  const fetching: Load = {
    port: portOf(service),
    connections,
    seconds,
    method: 'GET',
    paths: created.map(({ id }) => `/wallet/request/${id}`),
    keys: [],
    expect: 200,
  }
  await using bareServer = await startBareServer(fetching)
  await load({ ...fetching, seconds: 2 })
  const rates = { values: [] as number[], bare: [] as number[] }
  for (let turn = 0; turn < rounds; turn += 1) {
    rates.bare.push(await rate(deriveAndSign))
    rates.values.push((await load(fetching)).rate)
  }
  return [
    compare('wallet.request', '1/s', rates),
    await compareTails('wallet.request', {
      prepare: async () => fetching,
      rates: rates.values,
      bare_ms: bareServer.p99_ms,
    }),
  ]
}

/** Posting wallet responses over HTTP (decryption, verification, transaction), compared with a core that does nothing but their cryptography. */
const response: Bench = async () => {
  await using service = await startProcesses(1, { environment })
  const merchant = await service.tenant({ daily_quota: 1_000_000 })
  await using bareServer = await startBareServer({ connections, seconds, keys: [] })
  const rates = { values: [] as number[], bare: [] as number[] }
  for (let turn = 0; turn <= rounds; turn += 1) {
    const bare = await rate(openResponse)
    const { rate: ours } = await load(await prepareResponses(service, merchant))
    // The first round is the warm-up.
    if (turn === 0) continue
    rates.bare.push(bare)
    rates.values.push(ours)
  }
  return [
    compare('wallet.response', '1/s', rates),
    await compareTails('wallet.response', {
      prepare: () => prepareResponses(service, merchant),
      rates: rates.values,
      bare_ms: bareServer.p99_ms,
    }),
  ]
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
    connections,
    seconds: 60,
    method: 'POST',
    paths: created.map(({ id }) => `/wallet/response/${id}`),
    keys: [],
    forms,
    expect: 200,
  }
}
