import { readConfig } from '../../apps/service/src/engine/config/config.ts'
import { openContext } from '../../apps/service/src/program/context.ts'
import { migrate } from '../../apps/service/src/engine/db/schema/migrate.ts'
import { openLog } from '../../apps/service/src/engine/observability/log.ts'
import { startFaultProxy } from '../../apps/service/test/network/fault-proxy.ts'
import { startNameServer } from '../../apps/service/test/network/name-server.ts'
import { startPostgresServer } from '../../apps/service/test/processes/postgres-server.ts'
import { reply, startReceiver } from '../../apps/service/test/network/receiver.ts'
import { freePort, startRedisServer } from '../../apps/service/test/processes/redis-server.ts'
import { newMerchant, testEnvironment } from '../../apps/service/test/service.ts'
import { startProgram } from '../../apps/service/test/processes/start-program.ts'
import { waitUntil } from '../../apps/service/test/wait-until.ts'
import { openWallet } from '../../apps/service/test/wallet.ts'
import type { InjectedFault } from '../../apps/service/test/processes/inject-faults.ts'

/** `serve` and `work` as processes, with their own PostgreSQL, Redis, DNS and webhook receiver behind proxies that can break connections. */
export type OutageFixture = Awaited<ReturnType<typeof startBehindProxies>>

export async function startBehindProxies(injectedFaults: readonly InjectedFault[]) {
  await using stack = new AsyncDisposableStack()
  const postgres = stack.use(await startPostgresServer())
  const redis = stack.use(await startRedisServer())
  const nameServerState: { silent: boolean } = { silent: false }
  const resolve = () => (nameServerState.silent ? ('silent' as const) : ['127.0.0.1'])
  const nameServer = stack.use(await startNameServer({ 'hook.test': resolve }))
  const receiver = stack.use(await startReceiver(reply(200)))
  const proxies = {
    postgres: stack.use(await startFaultProxy({ port: Number(new URL(postgres.url).port) })),
    redis: stack.use(await startFaultProxy({ port: Number(new URL(redis.url).port) })),
    receiver: stack.use(await startFaultProxy({ port: receiver.port })),
  }
  await migrate({ url: postgres.url })
  const [port, metrics] = [await freePort(), { serve: await freePort(), work: await freePort() }]
  const address = `http://127.0.0.1:${port}`
  const common = {
    REDIS_URL: `redis://127.0.0.1:${proxies.redis.port}`,
    RATE_LIMITS: 'key=9999999/60,ip=9999999/60,session=9999999/60',
    DNS_SERVERS: nameServer.address,
    WEBHOOK_EGRESS_ALLOW: '127.0.0.0/8',
    BASE_URL: address,
    PORT: String(port),
  }
  const url = `postgres://postgres@127.0.0.1:${proxies.postgres.port}/postgres`
  const start = (command: 'serve' | 'work', line: string) => {
    const environment = testEnvironment(url, { ...common, METRICS_PORT: String(metrics[command]) })
    const program = stack.use(startProgram({ args: [command], environment, injectedFaults }))
    return waitUntil(() => program.output().includes(line), { within_ms: 60_000 }).then(() => program)
  }
  const serve = await start('serve', 'Vidimus is listening')
  const work = await start('work', 'Vidimus worker')
  const ctx = stack.use(
    await openContext({
      ...readConfig(testEnvironment(postgres.url, { BASE_URL: address })),
      log: openLog({ LOG_LEVEL: 'silent' }),
    }),
  )
  const merchant = await newMerchant(ctx, address, { daily_quota: 1_000_000 })
  const wallet = await openWallet(ctx, address)
  const disposable = stack.move()
  return {
    postgres,
    redis,
    nameServerState,
    receiver,
    proxies,
    serve,
    work,
    address,
    metrics_ports: metrics,
    key: merchant.key,
    webhook_url: `http://hook.test:${proxies.receiver.port}/hook`,
    respond: (wallet_uri: string) => wallet.respond(wallet_uri),
    [Symbol.asyncDispose]: () => disposable.disposeAsync(),
  }
}
