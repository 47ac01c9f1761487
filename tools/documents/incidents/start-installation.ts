import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { createKey } from '../../../apps/service/src/accounts/api-keys/create-key.ts'
import { readConfig } from '../../../apps/service/src/engine/config/config.ts'
import { openContext } from '../../../apps/service/src/program/context.ts'
import { openLog } from '../../../apps/service/src/engine/observability/log.ts'
import { createTenant } from '../../../apps/service/src/accounts/tenants/create.ts'
import { mountSmallDisk, prepareTablespace } from '../../../apps/service/test/database/small-disk.ts'
import { inheritedVariables } from '../../../apps/service/test/processes/inherited-variables.ts'
import { startPostgresServer } from '../../../apps/service/test/processes/postgres-server.ts'
import { freePort, startRedisServer } from '../../../apps/service/test/processes/redis-server.ts'
import { runProgram } from '../../../apps/service/test/processes/run-program.ts'
import { startProgram, type RunningProgram } from '../../../apps/service/test/processes/start-program.ts'
import { newAccessCertificate } from '../../../apps/service/test/trust/access-certificate.ts'
import { waitUntil } from '../../../apps/service/test/wait-until.ts'
import { installProgram } from '../shells.ts'

export type Installation = Awaited<ReturnType<typeof startInstallation>>

const keyScopes = ['verifications:create', 'verifications:read', 'verifications:delete'] as const
const role = { serve: 'VIDIMUS_URL', work: 'WORK_METRICS' } as const

/** `serve` and `work` on a PostgreSQL and a Redis of their own, as an operator has them, with a tenant and a key. */
export async function startInstallation() {
  await using resources = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'vidimus-incidents-'))
  resources.defer(() => rmSync(folder, { recursive: true }))
  const [databaseDisk, ledgerDisk] = [resources.use(mountSmallDisk(160)), resources.use(mountSmallDisk(1))]
  const server = resources.use(await startPostgresServer())
  await server.run(`create tablespace small location '${prepareTablespace(databaseDisk, server.folder)}'`)
  await server.run('create database vidimus tablespace small')
  const database_url = server.url.replace(/postgres$/, 'vidimus')
  const postgres = { ...server, url: database_url, run: (text: string) => runSql(database_url, text) }
  const redis = resources.use(await startRedisServer())
  const { key, chain } = newAccessCertificate({ days: 10 })
  writeFileSync(join(folder, 'access.key'), key)
  writeFileSync(join(folder, 'access.pem'), chain)
  writeFileSync(join(folder, 'lists.json'), '[]')
  const [port, serveMetrics, workMetrics] = [await freePort(), await freePort(), await freePort()]
  const url = `http://127.0.0.1:${port}`
  const settings: Record<string, string> = {
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    HOST: '127.0.0.1',
    BASE_URL: url,
    SIGNING_KEY_FILE: join(folder, 'access.key'),
    SIGNING_CERT_FILE: join(folder, 'access.pem'),
    TRUST_LISTS_FILE: join(folder, 'lists.json'),
    WEBHOOK_EGRESS_ALLOW: '127.0.0.1/32',
    ERASURE_LEDGER: ledgerDisk.folder,
    RATE_LIMITS: 'key=1000/60,ip=60000/60,session=600/60',
  }
  const environment: Record<string, string | undefined> = {
    ...settings,
    ...inheritedVariables(),
    PATH: `${folder}/bin:${process.env['PATH']}`,
    VIDIMUS_URL: url,
    SERVE_METRICS: `http://127.0.0.1:${serveMetrics}`,
    WORK_METRICS: `http://127.0.0.1:${workMetrics}`,
    SERVE_LOG: join(folder, 'serve.log'),
  }
  installProgram(folder)

  const run = async (...args: string[]) => {
    const { status, stdout, stderr } = await runProgram(args, settings)
    if (status !== 0) throw new Error(`vidimus ${args.join(' ')}: ${stderr}`)
    return stdout
  }
  await run('migrate')
  const programs: Partial<Record<keyof typeof role, RunningProgram>> = {}
  const start = async (name: keyof typeof role) => {
    const ports = { PORT: String(port), METRICS_PORT: String(name === 'serve' ? serveMetrics : workMetrics) }
    const stderr = openSync(join(folder, `${name}.log`), 'a')
    programs[name] = startProgram({ args: [name], environment: { ...settings, ...ports }, stderr })
    closeSync(stderr)
    await waitUntil(() => isReady(`${environment[role[name]]}/readyz`), { within_ms: 60_000 })
  }
  const stop = async (name: keyof typeof role) => {
    await programs[name]?.[Symbol.asyncDispose]()
    delete programs[name]
  }
  resources.defer(async () => {
    await stop('serve')
    await stop('work')
  })
  await start('serve')
  await start('work')
  const owned = resources.move()
  return {
    folder,
    environment,
    settings,
    postgres,
    databaseDisk,
    ledgerDisk,
    redis,
    run,
    start,
    stop,
    /** A tenant with a key of its own, as `TENANT`, `VIDIMUS_KEY` and `KEY_ID`. */
    async createTenant(): Promise<{ TENANT: string; VIDIMUS_KEY: string; KEY_ID: string }> {
      const log = openLog({ LOG_LEVEL: 'silent' })
      await using ctx = await openContext({ ...readConfig(settings), log })
      const { tenant_id } = await createTenant(ctx, { name: 'Corner shop' })
      const by = { kind: 'operator', tenant_id } as const
      const { key: secret, key_id } = await createKey(ctx, { by, environment: 'test', scopes: keyScopes })
      return { TENANT: tenant_id, VIDIMUS_KEY: secret, KEY_ID: key_id }
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

async function runSql(url: string, text: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

async function isReady(url: string): Promise<boolean> {
  const response = await fetch(url).catch(() => undefined)
  return response?.status === 200
}
