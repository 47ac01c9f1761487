import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { maxSenders } from '../apps/service/src/deliveries/webhooks/deliver/allocate-senders.ts'
import { maxConnectionsPerHost } from '../apps/service/src/engine/egress/connection-pool.ts'
import { announceEvents } from '../apps/service/src/deliveries/webhooks/announce.ts'
import { runWorker } from '../apps/service/src/program/worker.ts'
import { insertCompletedVerifications } from '../apps/service/test/database/completed-verifications.ts'
import { startProcesses, type ServiceProcesses } from '../apps/service/test/processes/processes.ts'
import { waitUntil } from '../apps/service/test/wait-until.ts'
import { compare, type Bench, type Figure } from './figure.ts'
import type { ReceiverReport } from './receiver.ts'
import { startReceiver } from './start-receiver.ts'
import { startWork, type Work } from './cost/work.ts'

const rounds = 3
const posts = 5000
const events = 20_000
/** How long a backlog must last until a host gets all its connections. */
const rampUp_ms = 3000
const samples = 200
const deadEvents = 20_000

/** Deliveries of one `work` with a backlog, from the queue to the log, compared with posting the same bodies with undici alone. */
const deliver: Bench = async () => {
  await using work = await startWork()
  await ourRate(work)
  const { last } = await work.receiver.report()
  const rates = { ours: [] as number[], bare: [] as number[] }
  for (let round = 0; round < rounds; round += 1) {
    rates.bare.push(await bareRate(work.receiver.url, last))
    rates.ours.push(await ourRate(work))
  }
  return [compare('webhook.deliver', 'deliveries/s', { values: rates.ours, bare: rates.bare })]
}

/** Time from the commit of a result to the first byte at its receiver, on an idle service. */
const latency: Bench = async () => {
  await using service = await startService()
  await using receiver = await startReceiver()
  await using worker = startWorker(service)
  const figures = quantiles('webhook.latency', await firstBytes(service, receiver))
  await worker.stop()
  return figures
}

/** The same while another tenant has 20,000 events for a host that accepts them and never responds. */
const besideSilentHost: Bench = async () => {
  await using service = await startService()
  await using silentReceiver = await startReceiver('silent')
  await using receiver = await startReceiver()
  const { tenant_id } = await service.tenant()
  await service.ctx.db.transaction((tx) =>
    insertCompletedVerifications(tx, { tenant_id, url: silentReceiver.url, count: deadEvents }),
  )
  await using worker = startWorker(service)
  await waitUntil(async () => (await silentReceiver.report()).count >= maxSenders.slow_host)
  const figures = quantiles('webhook.beside_dead', await firstBytes(service, receiver))
  silentReceiver.kill()
  await worker.stop()
  return figures
}

export const benches: Record<string, Bench> = {
  'webhook.deliver': deliver,
  'webhook.latency': latency,
  'webhook.beside_dead': besideSilentHost,
}

type Receiver = Awaited<ReturnType<typeof startReceiver>>

const startService = () =>
  startProcesses(0, { environment: { WEBHOOK_EGRESS_ALLOW: '127.0.0.0/8', DB_POOL_SIZE: '10' } })

function startWorker({ ctx }: ServiceProcesses) {
  const stop = new AbortController()
  const working = runWorker(ctx, stop.signal)
  const end = () => {
    stop.abort()
    return working
  }
  return { stop: end, [Symbol.asyncDispose]: end }
}

/** From the receiver's times of arrival, so that nothing reads the queue meanwhile. */
async function ourRate(work: Work): Promise<number> {
  const deliverAll = await work.prepareDeliveries(events)
  const began_ns = Number(process.hrtime.bigint())
  await deliverAll()
  const { arrivals } = await work.receiver.report()
  const times_ns = Object.values(arrivals)
    .map(Number)
    .filter((time_ns) => time_ns > began_ns)
    .toSorted((a, b) => a - b)
  const rampedUp_ns = began_ns + rampUp_ms * 1e6
  const counted_ns = times_ns.filter((time_ns) => time_ns > rampedUp_ns)
  return (counted_ns.length * 1e9) / ((counted_ns.at(-1) ?? Number.NaN) - rampedUp_ns)
}

async function bareRate(url: string, { headers, body }: ReceiverReport['last']): Promise<number> {
  const { origin, pathname } = new URL(url)
  const pool = new Pool(origin, { connections: maxConnectionsPerHost })
  const started = performance.now()
  let left = posts
  const post = async () => {
    while (left > 0) {
      left -= 1
      const response = await pool.request({ method: 'POST', path: pathname, headers, body })
      await response.body.dump()
    }
  }
  await Promise.all(Array.from({ length: maxConnectionsPerHost }, post))
  const took_ms = performance.now() - started
  await pool.close()
  return (posts / took_ms) * 1000
}

/** Milliseconds from each commit to the first byte at the receiver. */
async function firstBytes(service: ServiceProcesses, receiver: Receiver): Promise<number[]> {
  const { tenant_id } = await service.tenant()
  const committed = new Map<string, bigint>()
  for (let sample = 0; sample < samples; sample += 1) {
    const [id = ''] = await service.ctx.db.transaction((tx) =>
      insertCompletedVerifications(tx, { tenant_id, url: receiver.url, count: 1 }),
    )
    committed.set(id, process.hrtime.bigint())
    announceEvents(service.ctx.db)
    await sleep(50 + Math.random() * 100)
  }
  await waitUntil(async () => (await receiver.report()).count === samples)
  const { arrivals } = await receiver.report()
  return Array.from(committed, ([id, at]) => Number(BigInt(arrivals[id] ?? 0) - at) / 1e6)
}

function quantiles(name: string, values: number[]): Figure[] {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) =>
    Number((sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN).toFixed(1))
  return [
    { name: `${name}.p50`, value: at(0.5), unit: 'ms' },
    { name: `${name}.p99`, value: at(0.99), unit: 'ms' },
  ]
}
