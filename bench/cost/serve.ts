import { sql } from '../../apps/service/src/engine/db/sql.ts'
import { insertCompletedVerifications } from '../../apps/service/test/database/completed-verifications.ts'
import { startProcesses } from '../../apps/service/test/processes/processes.ts'
import { activateKey } from '../../apps/service/test/sealing.ts'
import type { Merchant } from '../../apps/service/test/service.ts'
import { sendLoad, type Load } from '../load.ts'
import { portOf } from '../run-load.ts'
import { create, prepareResponses } from '../wallet.ts'
import type { OwnServers } from './servers.ts'

export type Requests = Omit<Load, 'port' | 'connections' | 'seconds'>
export type Serve = Awaited<ReturnType<typeof startServe>>

const openVerifications = 200
/** Far more than a load takes. */
const timeout_seconds = 300

/** The service refused a request because the machine is too busy for it. */
export class OverloadedError extends Error {
  override name = 'OverloadedError'
}

/** A `serve` process as in production, with rate limits in Redis that no load reaches. */
export async function startServe({ redis }: OwnServers) {
  const environment = {
    REDIS_URL: redis.url,
    RATE_LIMITS: 'key=9999999/60,ip=9999999/60,session=9999999/60',
    METRICS_PORT: 'off',
  }
  const service = await startProcesses(1, { environment })
  const merchants: Merchant[] = []
  let sealing: Merchant | undefined
  const tenants = async (count: number) => {
    while (merchants.length < count) merchants.push(await service.tenant({ daily_quota: 2_000_000_000 }))
    return merchants.slice(0, count)
  }
  const firstTenant = async () => {
    const [merchant] = await tenants(1)
    if (merchant === undefined) throw new Error('there is no tenant')
    return merchant
  }
  return {
    service,
    pid: service.processes[0]?.child.pid,
    database: new URL(service.database_url).pathname.slice(1),
    keys: async (count: number) => (await tenants(count)).map(({ key }) => key),
    async openVerifications(): Promise<string[]> {
      return (await create(await firstTenant(), openVerifications)).map(({ id }) => id)
    },
    /** Completed verifications whose webhooks were delivered. */
    async completedVerifications(count: number): Promise<string[]> {
      const { tenant_id } = await firstTenant()
      return service.ctx.db.transaction(async (tx) => {
        const url = 'https://merchant.example/hooks'
        const ids = await insertCompletedVerifications(tx, { tenant_id, url, count })
        await tx.execute(sql`delete from webhook_events where verification_id = any(${ids})`)
        await tx.execute(sql`
          insert into usage_days values (${tenant_id}, service_day(), ${count}) on conflict do nothing`)
        return ids
      })
    },
    responses: async (count: number): Promise<Requests> =>
      prepareResponses(service, await firstTenant(), count),
    /** The same to a merchant who has registered one key. */
    async sealedResponses(count: number): Promise<Requests> {
      if (sealing === undefined) {
        sealing = await service.tenant({ daily_quota: 2_000_000_000 })
        await activateKey(sealing)
      }
      return prepareResponses(service, sealing, count)
    },
    /** As autovacuum does within a minute, so that the planner knows the tables. */
    analyze: () => service.ctx.db.execute(sql`analyze`),
    async send(requests: Requests, { count, connections }: { count: number; connections: number }) {
      const { other } = await sendLoad({
        ...requests,
        port: portOf(service),
        connections,
        seconds: timeout_seconds,
        requests: count,
      })
      if (other['503'] !== undefined) throw new OverloadedError('the service is overloaded')
      if (Object.keys(other).length > 0) throw new Error(`some requests failed: ${JSON.stringify(other)}`)
    },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}
