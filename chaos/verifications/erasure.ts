import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { advanceAudit } from '../../apps/service/src/audit/advance.ts'
import { verifyEverything } from '../../apps/service/src/audit/verify/verify.ts'
import { waitForRedis, openRedis } from '../../apps/service/src/engine/redis/open.ts'
import type { Db } from '../../apps/service/src/engine/db/open.ts'
import { migrate } from '../../apps/service/src/engine/db/schema/migrate.ts'
import { sql } from '../../apps/service/src/engine/db/sql.ts'
import { caller, type Caller } from '../../apps/service/test/caller.ts'
import { startPostgresServer } from '../../apps/service/test/processes/postgres-server.ts'
import { startReceiver } from '../../apps/service/test/network/receiver.ts'
import { startRedisServer } from '../../apps/service/test/processes/redis-server.ts'
import { startService, type Merchant, type Service } from '../../apps/service/test/service.ts'
import { waitUntil } from '../../apps/service/test/wait-until.ts'
import { openWallet } from '../../apps/service/test/wallet.ts'
import { runWorker } from '../../apps/service/src/program/worker.ts'
import type { ChaosRun, ChaosReport } from '../chaos-run.ts'

const fullSize = 1000
/** Every canary starts with this text, so that one search finds them all. */
const canaryPrefix = 'canary_'
const kinds = ['purpose', 'metadata', 'claim', 'device', 'key'] as const

/**
 * Creates verifications with canaries in every text that a merchant or a holder can provide, has a wallet respond, delivers
 * the webhooks and erases them. Afterwards the audit chains verify, and no canary remains in the database's files (once VACUUM
 * FULL has rewritten them), in Redis or in the log. `lost` counts those that do.
 */
export const erasure: ChaosRun = ({ n = fullSize }) => run('erasure', n, { erases: true })

/** The same without the erasures: the search must find every canary. */
export const erasureWithInjectedFault: ChaosRun = ({ n = fullSize }) =>
  run('erasure.injected', n, { erases: false })

async function run(name: string, n: number, { erases }: { erases: boolean }): Promise<ChaosReport> {
  await using postgres = await startPostgresServer()
  await migrate({ url: postgres.url })
  await using redis = await startRedisServer()
  await using receiver = await startReceiver((socket) =>
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'),
  )
  const log: string[] = []
  await using service = await startService({
    database: { url: postgres.url, async [Symbol.asyncDispose]() {} },
    environment: {
      REDIS_URL: redis.url,
      RATE_LIMITS: 'key=1000000/60,ip=1000000/60,session=1000000/60',
      WEBHOOK_EGRESS_ALLOW: '127.0.0.0/8',
      LOG_LEVEL: 'trace',
    },
    onLog: (line) => log.push(line),
  })
  const { ctx } = service
  const merchant = await service.tenant({ daily_quota: 10 * n })
  const till = await enrolTill(service, merchant)
  const stopWorker = new AbortController()
  const working = runWorker(ctx, stopWorker.signal)
  const ids: string[] = []
  for (let made = 0; made < n; made += 1) ids.push(await complete(service, till, receiver.url))
  await waitUntil(async () => (await ctx.db.query(sql`select 1 from webhook_events limit 1`)).length === 0)
  // As autovacuum would: statistics must not preserve erased values.
  await postgres.run('analyze')
  await postgres.run('checkpoint')
  const before = countInDataFiles(postgres.folder)
  if (erases) for (const id of ids) await erase(merchant, id)
  stopWorker.abort()
  await working
  await advanceAudit(ctx)
  const report = await verifyEverything(ctx)
  await postgres.run('checkpoint')
  const beforeVacuum = {
    files: countInDataFiles(postgres.folder),
    wal: countInFolder(join(postgres.folder, 'pg_wal')),
  }
  await postgres.run('vacuum full')
  await postgres.run('checkpoint')
  const after = countInDataFiles(postgres.folder)
  await reportTables(ctx.db, join(postgres.folder, 'base'))
  const inRedis = await countInRedis(redis.url)
  const inLog = log.filter((line) => line.includes(canaryPrefix)).length
  const details = {
    before,
    lingering_files: beforeVacuum.files,
    lingering_wal: beforeVacuum.wal,
    after,
    redis: inRedis,
    log: inLog,
  }
  process.stderr.write(`${JSON.stringify({ ...details, faults: report.faults, removed: report.removed })}\n`)
  const expected = n * kinds.length - n // keys are hashed before they are stored
  if (before < expected)
    throw new Error(`expected at least ${expected} canaries before the erasure, found ${before}`)
  return {
    name,
    faults: n,
    acknowledged: ids.length,
    lost: after + inRedis + inLog + report.faults.length,
    duplicated: 0,
  }
}

type Till = Caller & { device_id: string; rename(name: string): Promise<void> }

/**
 * A device's name is also stored with the device, where erasing a verification does not remove it. So the device has a canary
 * as its name only while it creates a verification.
 */
async function enrolTill(service: Service, merchant: Merchant): Promise<Till> {
  const { db } = service.ctx
  const allowed_templates = ['identity_basic']
  const { pairing_code } = (await merchant.post('/v1/devices', { name: 'Till', allowed_templates })).body
  const { access_token, device } = (await service.anonymous.post('/v1/devices/enroll', { pairing_code })).body
  return {
    ...caller(service.address, access_token),
    device_id: device.id,
    rename: async (name) => {
      await db.execute(sql`update devices set name = ${name} where id = ${device.id}`)
    },
  }
}

async function complete(service: Service, till: Till, webhook_url: string): Promise<string> {
  const canaries = Object.fromEntries(
    kinds.map((kind) => [kind, `${canaryPrefix}${kind}_${randomBytes(9).toString('hex')}`]),
  )
  await till.rename(canaries['device'] ?? '')
  const { status, body } = await till.post(
    '/v1/verifications',
    {
      template: 'identity_basic',
      purpose: canaries['purpose'],
      metadata: { order: canaries['metadata'] },
      webhook_url,
      redirect_url: `https://shop.example/?order=${canaries['metadata']}`,
    },
    { headers: { 'idempotency-key': canaries['key'] ?? '' } },
  )
  await till.rename('Till')
  if (status !== 201) throw new Error(`creating a verification returned ${status}: ${JSON.stringify(body)}`)
  const { wallet, respond } = await openWallet(service.ctx, service.address, { format: 'dc+sd-jwt' })
  for (const { claims } of wallet.credentials) Object.assign(claims, { given_name: canaries['claim'] })
  const responded = await respond(body.wallet_uri)
  if (!responded.sent || responded.http_status !== 200) throw new Error('the wallet response was refused')
  return body.id
}

async function erase(merchant: Merchant, id: string): Promise<void> {
  const { status } = await merchant.delete(`/v1/verifications/${id}`)
  if (status !== 200) throw new Error(`erasing a verification returned ${status}`)
}

/** Counts the canaries in the database's files, except the write-ahead log. */
function countInDataFiles(folder: string): number {
  return (
    countInFolder(join(folder, 'base')) +
    countInFolder(join(folder, 'global')) +
    countInFolder(join(folder, 'pg_stat_tmp'))
  )
}

/** Counts the canaries in the files of a folder. */
function countInFolder(folder: string): number {
  return countByFile(folder).reduce((sum, { canaries }) => sum + canaries, 0)
}

function countByFile(folder: string): { file: string; canaries: number }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ file, canaries: readFileSync(file).toString('latin1').split(canaryPrefix).length - 1 }))
}

/** Prints the tables and indexes whose files contain canaries. */
async function reportTables(db: Db, folder: string): Promise<void> {
  for (const { file, canaries } of countByFile(folder).filter((each) => each.canaries > 0)) {
    const [node = ''] = basename(file).split(/[._]/)
    const [row] = await db.query<{ name: string | null }>(
      sql`select pg_filenode_relation(0, ${node}::oid)::text as name`,
    )
    process.stderr.write(`${canaries} canaries in ${row?.name ?? file}\n`)
  }
}

async function countInRedis(url: string): Promise<number> {
  const redis = openRedis(url)
  await waitForRedis(redis)
  const keys = await redis.keys('*')
  const values = await Promise.all(keys.map((key) => redis.dumpBuffer(key)))
  redis.disconnect()
  if (keys.length === 0) throw new Error('Redis was not used')
  return [...keys, ...values.map((value) => value?.toString('latin1') ?? '')].filter((text) =>
    text.includes(canaryPrefix),
  ).length
}
