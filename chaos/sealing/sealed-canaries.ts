import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFileSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { readConfig } from '../../apps/service/src/engine/config/config.ts'
import { migrate } from '../../apps/service/src/engine/db/schema/migrate.ts'
import { sql } from '../../apps/service/src/engine/db/sql.ts'
import { openLog } from '../../apps/service/src/engine/observability/log.ts'
import { openRedis, waitForRedis } from '../../apps/service/src/engine/redis/open.ts'
import { openContext, type ServiceContext } from '../../apps/service/src/program/context.ts'
import { putTemplate } from '../../apps/service/src/templates/put-template.ts'
import { renameHolder } from '../../apps/service/test/fault-verifications.ts'
import { startPostgresServer } from '../../apps/service/test/processes/postgres-server.ts'
import { startRedisServer } from '../../apps/service/test/processes/redis-server.ts'
import { startProgram } from '../../apps/service/test/processes/start-program.ts'
import { type MerchantKey, activateKey, openWithKey } from '../../apps/service/test/sealing.ts'
import { newMerchant, testEnvironment, type Merchant } from '../../apps/service/test/service.ts'
import { openWallet } from '../../apps/service/test/wallet.ts'
import { waitUntil } from '../../apps/service/test/wait-until.ts'
import type { ChaosReport, ChaosRun } from '../chaos-run.ts'
import { type CanarySearch, searchFor } from './find-canaries.ts'

/** For the slow lane. `--n 100000` is the full size. */
const defaultSize = 500
const concurrency = 8
/** One verification of so many has a webhook, one is failed by a requirement, one is read. */
const every = { webhook: 10, failure: 20, read: 10 }

const pid = {
  id: 'pid',
  format: 'dc+sd-jwt',
  meta: { vct_values: ['urn:eudi:pid:1'] },
  claims: [{ path: ['family_name'] }, { path: ['given_name'] }, { path: ['birthdate'] }],
}
const names = { query: { credentials: [pid] } }
const somebodyElse = {
  name: 'Somebody else',
  description: 'Fails for every holder.',
  query: names.query,
  claims: { family_name: [{ credential: 'pid', path: ['family_name'] }] },
  must: { family_name: { equals: 'Nobody' } },
}

/**
 * `n` holders whose names are a canary present to a merchant with a sealing key, against the packed program with its worker, PostgreSQL and
 * Redis. Afterwards no canary is in a dump, the data files, the write-ahead log, a base backup, Redis, the log, the traces, the webhooks or any
 * file that the programs wrote. `lost` counts those that are.
 */
export const sealedCanaries: ChaosRun = ({ n = defaultSize }) => run('verifications.sealed', n, false)

/** The same with one verification of a merchant without a key, and a canary put where none can come from: `lost` counts every place. */
export const sealedCanariesWithInjectedFault: ChaosRun = ({ n = 20 }) =>
  run('verifications.sealed.injected', n, true)

type Running = Awaited<ReturnType<typeof start>>

async function run(name: string, n: number, plants: boolean): Promise<ChaosReport> {
  const canary = `Canary${randomBytes(12).toString('hex')}`
  const search = searchFor(canary)
  await using running = await start(n, search)
  const { ctx, merchant, key, address } = running
  const began = performance.now()
  const acknowledged = await presentAll(running, { by: merchant, canary, n })
  const seconds = (performance.now() - began) / 1000
  process.stderr.write(
    `${acknowledged} responses in ${seconds.toFixed(0)} s, ${(n / seconds).toFixed(0)}/s\n`,
  )
  if (plants) {
    const unsealed = await newMerchant(ctx, address)
    await presentAll(running, { by: unsealed, canary, n: every.webhook })
  }
  await waitUntil(async () => (await ctx.db.query(sql`select 1 from webhook_events limit 1`)).length === 0, {
    within_ms: 1_200_000,
  })
  await expectSealed(running, key, canary)
  if (plants) await plant(running, canary)
  const places = await searchEverywhere(running, search)
  process.stderr.write(`${JSON.stringify(places)}\n`)
  const blind = Object.entries(places).filter(([, found]) => found === 0)
  if (plants && blind.length > 0)
    throw new Error(`nothing was found in ${blind.map(([place]) => place).join()}`)
  const lost = Object.values(places).reduce((sum, found) => sum + found, 0)
  return { name, faults: n, acknowledged, lost, duplicated: 0, contradictions: places }
}

/** Everything with a server or a folder of its own, so that nothing else writes there. */
async function start(n: number, search: CanarySearch) {
  await using stack = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'vidimus-sealed-'))
  stack.defer(() => rmSync(folder, { recursive: true, force: true }))
  const files = join(folder, 'files')
  for (const name of ['temporary', 'checkpoints']) mkdirSync(join(files, name), { recursive: true })
  const postgres = stack.use(
    await startPostgresServer({
      // No segment is recycled before it was searched.
      wal_keep_size: '64GB',
      max_wal_size: '8GB',
      logging_collector: 'on',
      max_connections: '200',
    }),
  )
  await migrate({ url: postgres.url })
  const redis = stack.use(await startRedisServer())
  const received = { traces: { bodies: 0, canaries: 0 }, webhooks: { bodies: 0, canaries: 0 } }
  const count = async (request: IncomingMessage) => {
    const counted = request.url === '/v1/traces' ? received.traces : received.webhooks
    counted.canaries += search.inBytes(await buffer(request))
    counted.bodies += 1
  }
  const receiver = createServer((request, response) => {
    const respond = () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    count(request).then(respond, () => response.destroy())
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  stack.defer(() => {
    receiver.closeAllConnections()
    receiver.close()
  })
  const receiver_url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}` // it listens on a port
  const environment = testEnvironment(postgres.url, {
    REDIS_URL: redis.url,
    RATE_LIMITS: 'key=9999999/60,ip=9999999/60,session=9999999/60',
    WEBHOOK_EGRESS_ALLOW: '127.0.0.0/8',
    LOG_LEVEL: 'trace',
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver_url,
    AUDIT_CHECKPOINT_DIR: join(files, 'checkpoints'),
    METRICS_PORT: 'off',
  })
  const log = join(folder, 'log')
  const programs = ['serve', 'work'].map((command) =>
    stack.use(
      startProgram({
        args: [command],
        environment: { ...environment, TMPDIR: join(files, 'temporary') },
        stderr: openSync(log, 'a'),
      }),
    ),
  )
  const [serve, work] = programs
  const findAddress = () => /http:\/\/\S+/.exec(serve?.output() ?? '')?.[0]
  await waitUntil(() => findAddress() !== undefined && work?.output() !== '', {
    within_ms: 60_000,
  })
  const address = findAddress() ?? ''
  const ctx = stack.use(
    await openContext({ ...readConfig(environment), log: openLog({ LOG_LEVEL: 'silent' }) }),
  )
  const merchant = await newMerchant(ctx, address, { daily_quota: 2 * n + 1000 })
  const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
  await putTemplate(ctx, { by, key: 'somebody_else', template: somebodyElse })
  const key = await activateKey(merchant)
  const started = stack.move()
  return {
    ctx,
    merchant,
    key,
    address,
    postgres,
    redis,
    received,
    receiver_url,
    folder,
    files,
    log,
    /** Waits until log and traces are written. */
    async stop() {
      for (const { child } of programs) child.kill('SIGTERM')
      await Promise.all(programs.map(({ ended }) => ended))
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

type Present = { by: Merchant; canary: string; n: number }

/** Presents `n` times, several at once. One wallet each: what it presents is signed for every request. */
async function presentAll(
  { ctx, address, receiver_url }: Pick<Running, 'ctx' | 'address' | 'receiver_url'>,
  { by, canary, n }: Present,
): Promise<number> {
  let [begun, accepted] = [0, 0]
  await Promise.all(
    Array.from({ length: Math.min(concurrency, n) }, async () => {
      const wallet = await openWallet(ctx, address, { format: 'dc+sd-jwt', documents: ['pid'] })
      renameHolder(wallet.wallet.credentials, canary)
      while (begun < n) {
        const turn = (begun += 1)
        const asked = turn % every.failure === 1 ? await failing(ctx, by) : names
        const hook = turn % every.webhook === 0 ? { webhook_url: `${receiver_url}/hook` } : {}
        const created = await by.post('/v1/verifications', { ...asked, ...hook })
        if (created.status !== 201) throw new Error(`${created.status} ${created.text}`)
        const responded = await wallet.respond(created.body.wallet_uri)
        if (responded.sent && responded.http_status === 200) accepted += 1
        if (turn % every.read === 0) await by.get(`/v1/verifications/${created.body.id}`)
      }
    }),
  )
  return accepted
}

/** Only the merchant with a key has the template; without it a response to the same query completes. */
async function failing({ db }: ServiceContext, { tenant_id }: Merchant): Promise<object> {
  const own = await db.query(sql`select key from templates where tenant_id = ${tenant_id} limit 1`)
  return own.length > 0 ? { template: 'somebody_else' } : names
}

/** The canary did reach the service: it is inside a sealed result, and nothing of the merchant is stored otherwise. */
async function expectSealed({ ctx, merchant }: Running, key: MerchantKey, canary: string): Promise<void> {
  const [last] = await ctx.db.query<{ id: string }>(sql`
    select id from verification_sessions
    where tenant_id = ${merchant.tenant_id} and status = 'completed' order by created_at desc limit 1`)
  const { body } = await merchant.get(`/v1/verifications/${last?.id}`)
  if (!(await openWithKey(body.claims['_sealed'], key)).includes(canary))
    throw new Error('a sealed result does not have the canary')
  // The service's own connections avoid sequential scans, with which this takes a second.
  const rows = await ctx.db.transaction(async (tx) => {
    await tx.execute(sql`set local enable_seqscan = on`)
    return tx.query<{ status: string; sealed: boolean; results: number }>(sql`
      select s.status, r.claims ? '_sealed' as sealed, count(*) as results
      from verification_results r join verification_sessions s on s.id = r.verification_id
      where r.tenant_id = ${merchant.tenant_id} group by 1, 2`)
  })
  process.stderr.write(`${JSON.stringify(rows)}\n`)
  if (!rows.every(({ status, sealed }) => status === 'failed' || sealed))
    throw new Error('a completed result is not sealed')
}

/** In places that nothing of the service writes claims to, so that the search there is known to work. */
async function plant({ redis: { url }, receiver_url, files, log }: Running, canary: string): Promise<void> {
  const redis = openRedis(url)
  await waitForRedis(redis)
  await redis.set('planted', canary)
  redis.disconnect()
  await fetch(`${receiver_url}/v1/traces`, { method: 'POST', body: Buffer.from(canary).toString('hex') })
  appendFileSync(log, `{"planted":"${Buffer.from(`a ${canary} b`).toString('base64url')}"}\n`)
  writeFileSync(join(files, 'temporary', 'planted'), canary)
}

async function searchEverywhere(running: Running, search: CanarySearch): Promise<Record<string, number>> {
  const { postgres, redis, received, folder, files, log } = running
  await postgres.run('checkpoint')
  const backup = join(folder, 'backup')
  execFileSync('pg_basebackup', [
    '-d',
    postgres.url,
    '-D',
    backup,
    '-X',
    'stream',
    '--checkpoint=fast',
    '--no-sync',
  ])
  const inRedis = await search.inRedis(redis.url)
  const dump = await search.inOutput('pg_dump', ['--data-only', postgres.url])
  await running.stop()
  const isWal = (path: string) => path.includes('/pg_wal/')
  if (inRedis.keys === 0 || received.traces.bodies === 0 || received.webhooks.bodies === 0)
    throw new Error('Redis, traces or webhooks were not used')
  return {
    dump,
    data_files: await search.inFolder(postgres.folder, isWal),
    wal: await search.inFolder(join(postgres.folder, 'pg_wal')),
    base_backup: await search.inFolder(backup),
    redis: inRedis.found,
    log: await search.inFile(log),
    traces: received.traces.canaries,
    webhooks: received.webhooks.canaries,
    files: await search.inFolder(files),
  }
}
