import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { runConcurrently } from '../../run-concurrently.ts'
import type { Cluster } from '../start-cluster.ts'
import { openClient, type AttemptLog } from './attempts.ts'
import { repeat } from './repeat.ts'

const daily_quota = 120
const between_ms = 1000
const clients = 4

export type QuotaLoad = {
  /** Uses the quota up. Returns how many creations were acknowledged beyond it, or refused within it. */
  finish(): Promise<number>
} & Disposable

/** A tenant with a small quota that creates all the time: exactly as many as its quota are acknowledged, whatever breaks. */
export async function startQuotaLoad(
  { tenant, address }: Pick<Cluster, 'tenant' | 'address'>,
  attempts: AttemptLog,
): Promise<QuotaLoad> {
  const { key } = await tenant({ daily_quota })
  const client = openClient(address, key)
  const startDay = today()
  const acknowledged = new Set<string>()
  let exhausted = false
  const create = async () => {
    if (exhausted) return
    const idempotency_key = randomUUID()
    const response = await repeat(() =>
      attempts.record(
        'create',
        () =>
          client('/v1/verifications', { method: 'POST', body: { template: 'age_over_18' }, idempotency_key }),
        ({ status, body }) => status === 201 || body?.error?.code === 'quota_exceeded',
      ),
    )
    if (response?.status === 201) acknowledged.add(response.body.id)
    else if (response !== undefined) exhausted = true
  }
  const abort = new AbortController()
  const running = (async () => {
    while (!abort.signal.aborted) {
      await create()
      await sleep(between_ms)
    }
  })()
  return {
    async finish() {
      abort.abort()
      await running
      await runConcurrently(daily_quota + clients, clients, create)
      // A new day has a new quota.
      return today() === startDay ? Math.abs(acknowledged.size - daily_quota) : 0
    },
    [Symbol.dispose]: () => abort.abort(),
  }
}

function today(): string {
  return new Date().toISOString().slice(0, 10)
}
