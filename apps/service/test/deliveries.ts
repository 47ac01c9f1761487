import type { Verification } from '@vidimus/contract'
import type { Db } from '../src/engine/db/open.ts'
import { sql } from '../src/engine/db/sql.ts'
import { dayOfVerificationId } from '../src/engine/basics/ids.ts'
import { expect } from 'vitest'
import { announceEvents, queueEvent } from '../src/deliveries/webhooks/announce.ts'
import { listDeliveries, type Delivery } from '../src/deliveries/webhooks/log/list-deliveries.ts'
import { runWorker } from '../src/program/worker.ts'
import { startService, type Merchant } from './service.ts'

export type VerificationResult = {
  status?: 'completed' | 'failed'
  claims?: Record<string, unknown>
  forget_on_delivery?: boolean
}

/** A complete service that may deliver to loopback, with a worker that can be started and stopped. */
export async function startDeliveryService(environment: Record<string, string> = {}) {
  const log: string[] = []
  const service = await startService({
    environment: { WEBHOOK_EGRESS_ALLOW: '127.0.0.0/8', ...environment },
    onLog: (line) => void log.push(line),
  })
  const { db } = service.ctx
  return {
    ...service,
    log,

    startWorker() {
      const stop = new AbortController()
      const working = runWorker(service.ctx, stop.signal)
      return {
        async stop() {
          stop.abort()
          await working
        },
        async [Symbol.asyncDispose]() {
          stop.abort()
          await working
        },
      }
    },

    /** Creates a verification, with `url` as its webhook if there is one, and completes it. */
    async complete(
      merchant: Merchant,
      url: string | undefined,
      result: VerificationResult = {},
    ): Promise<string> {
      const { body } = await merchant.post('/v1/verifications', {
        template: 'age_over_18',
        ...(url !== undefined && { webhook_url: url }),
        metadata: { order: '7' },
      })
      const created: Verification = body
      await db.transaction((tx) => writeResult(tx, merchant.tenant_id, created.id, { url, ...result }))
      announceEvents(db)
      return created.id
    },

    /** A merchant's delivery attempts, oldest first, once there are this many. */
    async waitForAttempts(merchant: Merchant, count: number): Promise<Delivery[]> {
      const { tenant_id } = merchant
      const listAttempts = () => listDeliveries(service.ctx, { tenant_id, environment: 'test', limit: 100 })
      await expect
        .poll(async () => (await listAttempts()).length, { timeout: 20_000 })
        .toBeGreaterThanOrEqual(count)
      return (await listAttempts()).toReversed()
    },

    async countQueued(): Promise<number> {
      const [row] = await db.query<{ count: number }>(sql`select count(*) as count from webhook_events`)
      return row?.count ?? 0
    },

    /** Makes every event that waits for its next attempt due now. */
    makeDue: () =>
      db.execute(sql`update webhook_events set due_at = service_now() where not ready and lease is null`),

    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}

/** Writes what a wallet's response writes, as far as deliveries are concerned. */
export async function writeResult(
  tx: Db,
  tenant_id: string,
  id: string,
  {
    url,
    status = 'completed',
    claims = { age_over_18: true },
    forget_on_delivery = false,
  }: VerificationResult & { url?: string | undefined },
): Promise<void> {
  const day = dayOfVerificationId(id) ?? ''
  await tx.query(sql`select make_partitions('verification_results', service_day() + 30, service_day() + 30)`)
  await tx.execute(sql`
    update verification_sessions
    set status = ${status}, responded_at = service_now(), purge_day = service_day() + 30,
      error = ${status === 'failed' ? { code: 'holder_declined', message: 'The holder declined.' } : null}
    where day = ${day} and id = ${id}`)
  await tx.execute(sql`
    insert into verification_results (purge_day, verification_id, tenant_id, claims, credentials, forget_on_delivery)
    values (service_day() + 30, ${id}, ${tenant_id}, ${status === 'completed' ? claims : null}, '[]', ${forget_on_delivery})`)
  const outcome = {
    verification_id: id,
    verification_day: day,
    tenant_id,
    environment: 'test',
    forget_on_delivery,
    event_type: `verification.${status}`,
  } as const
  await queueEvent(tx, outcome, url ?? null)
}
