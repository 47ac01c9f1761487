import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { newLedgerFolder } from '../../../../test/ledger-folder.ts'
import { swapDatabases } from '../../../../test/database/swap-databases.ts'
import { createTestDatabase, type TestDatabase } from '../../../../test/database/test-database.ts'
import { freePort } from '../../../../test/processes/redis-server.ts'
import { startProgram } from '../../../../test/processes/start-program.ts'
import { startService, testEnvironment } from '../../../../test/service.ts'
import { waitUntil } from '../../../../test/wait-until.ts'
import { readConfig } from '../../config/config.ts'
import { openContext } from '../../../program/context.ts'
import { openLog } from '../../observability/log.ts'

/** A database with a tenant and verifications, and a copy of it from before they are erased. */
async function prepare(verifications: number) {
  const database = await createTestDatabase()
  const shared = { url: database.url, async [Symbol.asyncDispose]() {} }
  const ids: string[] = []
  let key = ''
  {
    await using service = await startService({ database: shared })
    const merchant = await service.tenant()
    key = merchant.key
    while (ids.length < verifications)
      ids.push((await merchant.post('/v1/verifications', { template: 'age_over_18' })).body.id)
  }
  const copy = await createTestDatabase({ copyOf: database.name })
  return { database, shared, copy, ids, key }
}

const ask = (address: string, key: string, path: string, method = 'GET') =>
  fetch(`${address}${path}`, { method, headers: { authorization: `Bearer ${key}` } })

/** Marks what was lost, as `vidimus admin restore apply` does after applying it. */
async function markAll(database: TestDatabase, folder: string): Promise<number> {
  const settings = readConfig(testEnvironment(database.url, { ERASURE_LEDGER: folder }))
  const log = openLog({ LOG_LEVEL: 'silent' })
  await using ctx = await openContext({ ...settings, log, database: 'unchecked' })
  const { lost } = await ctx.ledger.readPending(ctx.db)
  await ctx.db.transaction((tx) => ctx.ledger.markApplied(tx, lost))
  return lost.length
}

test('[LEDGER-2] a database that lost erasures is refused for every request but /healthz, and served again once they are applied', async () => {
  const folder = newLedgerFolder()
  const { database, shared, copy, ids, key } = await prepare(3)
  await using resources = new AsyncDisposableStack()
  resources.use(database)
  const log: string[] = []
  await using service = await startService({
    database: shared,
    environment: { ERASURE_LEDGER: folder },
    onLog: (line) => log.push(line),
  })
  for (const id of ids)
    expect((await ask(service.address, key, `/v1/verifications/${id}`, 'DELETE')).status).toBe(200)
  await swapDatabases(database.name, copy.name)

  const statuses = new Set<number>()
  const until = performance.now() + 3000
  while (performance.now() < until) {
    for (const id of ids) statuses.add((await ask(service.address, key, `/v1/verifications/${id}`)).status)
    await sleep(5)
  }
  expect(statuses).toEqual(new Set([503]))
  for (const path of ['/readyz', '/docs', '/v1/usage', '/dashboard/', '/nowhere']) {
    const response = await ask(service.address, key, path)
    expect([path, response.status, response.headers.get('retry-after')]).toEqual([path, 503, '5'])
    const text = await response.text()
    expect(text).toContain('waits for the end of a restore')
    // Callers need not know what is missing.
    expect(text).not.toMatch(/erasure|vidimus|3/)
  }
  expect((await ask(service.address, key, '/healthz')).status).toBe(200)
  const metrics = await (await fetch(`${service.metrics_address}/metrics`)).text()
  expect(metrics).toContain('vidimus_restore_pending 3')
  expect(log.join('')).toMatch(/lacks 3 erasures.*vidimus admin restore apply/)

  expect(await markAll(database, folder)).toBe(3)
  await waitUntil(async () => (await ask(service.address, key, '/readyz')).status === 200)
  expect(await (await fetch(`${service.metrics_address}/metrics`)).text()).toContain(
    'vidimus_restore_pending 0',
  )
})

test('[LEDGER-2] processes that start on such a database wait, with health and metrics, and go on by themselves', async () => {
  const folder = newLedgerFolder()
  const { database, shared, copy, ids, key } = await prepare(1)
  await using resources = new AsyncDisposableStack()
  resources.use(database)
  {
    await using service = await startService({ database: shared, environment: { ERASURE_LEDGER: folder } })
    await ask(service.address, key, `/v1/verifications/${ids[0]}`, 'DELETE')
  }
  await swapDatabases(database.name, copy.name)
  const port = await freePort()
  const metricsPorts = [await freePort(), await freePort()]
  const environment = testEnvironment(database.url, {
    ERASURE_LEDGER: folder,
    PORT: String(port),
    METRICS_PORT: String(metricsPorts[0]),
  })
  await using serving = startProgram({ args: ['serve'], environment })
  await using working = startProgram({
    args: ['work'],
    environment: { ...environment, METRICS_PORT: String(metricsPorts[1]) },
  })
  const address = `http://127.0.0.1:${port}`

  const started = { within_ms: 60_000 }
  await waitUntil(
    async () => (await fetch(`${address}/healthz`).catch(() => undefined))?.status === 200,
    started,
  )
  const refused = await ask(address, key, `/v1/verifications/${ids[0]}`)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
  expect(await refused.text()).toContain('waits for the end of a restore')
  for (const { output } of [serving, working])
    await waitUntil(() => output().includes('vidimus admin restore apply'), started)
  for (const metricsPort of metricsPorts)
    expect(await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()).toContain(
      'vidimus_restore_pending 1',
    )
  expect(working.output()).not.toContain('Vidimus worker is running.')
  // Alive, so that nothing restarts it, and not ready.
  const workerHealth = ['/healthz', '/readyz'].map((path) =>
    fetch(`http://127.0.0.1:${metricsPorts[1]}${path}`),
  )
  expect((await Promise.all(workerHealth)).map(({ status }) => status)).toEqual([200, 503])
  // The operator learns why, at a port that callers do not reach.
  const told = await fetch(`http://127.0.0.1:${metricsPorts[0]}/readyz`)
  expect([told.status, await told.json()]).toEqual([
    503,
    { status: 'not ready', version: expect.any(String), reason: expect.stringContaining('lacks 1 erasure') },
  ])

  await markAll(database, folder)
  await waitUntil(() => working.output().includes('Vidimus worker is running.'))
  await waitUntil(() => serving.output().includes('Vidimus is listening'))
  expect((await ask(address, key, '/readyz')).status).toBe(200)
})
