import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/engine/db/sql.ts'
import { createDatabaseOnSmallDisk } from '../database/small-disk.ts'
import { startPrometheus, type PrometheusServer } from '../processes/prometheus.ts'
import { startProcesses, type ServiceProcesses } from '../processes/processes.ts'
import { waitUntil } from '../wait-until.ts'
import { openWallet } from '../wallet.ts'

/** Real faults in a real service, seen by a real Prometheus with the shipped rules. Only their waiting times are shorter. */
const rules = readFileSync(new URL('../../../../deploy/alerts.yaml', import.meta.url), 'utf8')
const firing_ms = 60_000
const opened = new AsyncDisposableStack()
let disk: Awaited<ReturnType<typeof createDatabaseOnSmallDisk>>
let service: ServiceProcesses
let prometheus: PrometheusServer

beforeAll(async () => {
  disk = opened.use(await createDatabaseOnSmallDisk())
  service = opened.use(await startProcesses(1, { database: disk.database }))
  await waitUntil(() => metricsAddress() !== undefined)
  const folder = mkdtempSync(join(tmpdir(), 'vidimus-drills-'))
  opened.defer(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'alerts.yaml')
  writeFileSync(file, rules.replaceAll(/^( +for:) \d+m$/gm, '$1 2s'))
  prometheus = opened.use(await startPrometheus([new URL(metricsAddress() ?? '').host], [file]))
  await waitUntil(async () => (await prometheus.query('up == 1')).length === 1, { within_ms: firing_ms })
}, 300_000)
afterAll(() => opened.disposeAsync())

function metricsAddress(): string | undefined {
  return /"metrics_address":"([^"]+)"/.exec(service.processes[0]?.log() ?? '')?.[1]
}

async function firing(): Promise<string[]> {
  const alerts = await prometheus.query('ALERTS{alertstate="firing"}')
  return alerts.map(({ metric }) => metric['alertname'] ?? '')
}
const fires = (name: string) =>
  waitUntil(async () => (await firing()).includes(name), { within_ms: firing_ms })
const ends = (name: string) =>
  waitUntil(async () => !(await firing()).includes(name), { within_ms: firing_ms })

test('without a worker, of which none ever ran, NoWorker fires, and the metrics port says so', async () => {
  await fires('NoWorker')
  const told = await fetch(`${metricsAddress()}/readyz`)
  expect([told.status, await told.json()]).toEqual([
    200,
    { status: 'ready', version: expect.stringMatching(/^\d/), worker: 'never ran' },
  ])
})

test('VerificationsFailing fires when every live response fails, and not before ten', async () => {
  const merchant = await service.tenant({ environment: 'live' })
  // The live environment does not trust the issuer of the sandbox.
  const wallet = await openWallet(service.ctx, service.processes[0]?.address ?? '')
  const fail = async () => {
    const { body } = await merchant.post('/v1/verifications', { template: 'age_over_18' })
    await wallet.respond(body.wallet_uri)
  }
  for (let count = 0; count < 5; count += 1) await fail()
  const counted = 'sum(vidimus_verifications_total{environment="live",outcome="failed"}) == 5'
  await waitUntil(async () => (await prometheus.query(counted)).length > 0, { within_ms: firing_ms })
  expect(await firing()).not.toContain('VerificationsFailing')

  for (let count = 0; count < 8; count += 1) await fail()
  await fires('VerificationsFailing')
})

test('ConnectionsExhausted fires while a forgotten transaction keeps every connection busy', async () => {
  const merchant = await service.tenant()
  const forgotten = await service.ctx.db.connection()
  await forgotten.query(sql`set idle_in_transaction_session_timeout = 0`)
  await forgotten.query(sql`begin`)
  await forgotten.query(sql`lock table verification_sessions in access exclusive mode`)
  let isHeld = true
  const readers = Array.from({ length: 40 }, async (_, place) => {
    while (isHeld) await merchant.get(`/v1/verifications?limit=${place + 1}`)
  })
  try {
    await fires('ConnectionsExhausted')
  } finally {
    isHeld = false
    forgotten.close()
    await Promise.all(readers)
  }
  await ends('ConnectionsExhausted')
  expect(await prometheus.query('db_client_connection_pending_requests == 0')).toHaveLength(1)
})

test('DatabaseDiskFull fires with a full disk, of which the log has one line', async () => {
  const merchant = await service.tenant()
  const create = async () =>
    (await merchant.post('/v1/verifications', { template: 'age_over_18', purpose: 'x'.repeat(200) })).status
  const before = service.processes[0]?.log().length ?? 0
  disk.fill()
  await waitUntil(async () => (await create()) === 503, { within_ms: firing_ms })
  for (let count = 0; count < 50; count += 1) await create()
  await fires('DatabaseDiskFull')
  const lines = (text: string) =>
    (service.processes[0]?.log().slice(before) ?? '').split('\n').filter((line) => line.includes(text))
  // What the last requests log may be on its way.
  await waitUntil(async () => lines('"status":503').length > 50)
  expect(lines('"failure":"disk_full"')).toHaveLength(1)
  expect(lines('a request failed')).toEqual([])

  disk.free()
  await waitUntil(async () => (await create()) === 201, { within_ms: firing_ms })
})
