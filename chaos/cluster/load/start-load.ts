import { setTimeout as sleep } from 'node:timers/promises'
import type { Merchant } from '../../../apps/service/test/service.ts'
import type { Cluster } from '../start-cluster.ts'
import { noAcknowledgements, startWebhookReceiver, type Acknowledgements } from './acknowledgements.ts'
import { createActions } from './actions.ts'
import { createAttemptLog, openClient, type AttemptLog } from './attempts.ts'
import { openWallets } from './open-wallets.ts'

/** Requests a second, each kind. Creations include those that a wallet answers. */
export type LoadRates = { creations: number; responses: number; reads: number; erasures: number }

export type Load = {
  merchant: Merchant
  acknowledgements: Acknowledgements
  attempts: AttemptLog
  /** Starts nothing new and waits until everything that was started is acknowledged, at most two minutes. */
  finish(): Promise<void>
} & AsyncDisposable

const defaultRates: LoadRates = { creations: 15, responses: 3, reads: 8, erasures: 2 }
const maxRunning = 2000
const maxWait_ms = 120_000

/**
 * Clients of one merchant that create with idempotency keys, answer as a wallet, read and erase, at a steady rate whatever the
 * responses, and repeat a request until it is acknowledged. Keeps what was acknowledged, for `compareAcknowledged`.
 */
export async function startLoad(
  cluster: Pick<Cluster, 'address' | 'ctx' | 'tenant'>,
  rates: Partial<LoadRates> = {},
): Promise<Load> {
  const { creations, responses, reads, erasures } = { ...defaultRates, ...rates }
  const merchant = await cluster.tenant({ daily_quota: 1_000_000_000 })
  const acknowledgements = noAcknowledgements()
  const receiver = await startWebhookReceiver(acknowledgements)
  const attempts = createAttemptLog()
  const actions = createActions({
    client: openClient(cluster.address, merchant.key),
    attempts,
    acknowledgements,
    webhook_url: receiver.url,
    respondOnce: await openWallets(cluster, attempts),
  })
  const abort = new AbortController()
  const running = new Set<Promise<void>>()
  const every = (perSecond: number, run: () => Promise<void>) => {
    const started = performance.now()
    let count = 0
    const timer = setInterval(() => {
      const due = Math.floor(((performance.now() - started) / 1000) * perSecond)
      for (; count < due; count += 1) {
        if (running.size >= maxRunning) continue
        const one = run().finally(() => running.delete(one))
        running.add(one)
      }
    }, 10)
    abort.signal.addEventListener('abort', () => clearInterval(timer))
  }
  every(creations - responses, () => actions.create({ withWallet: false }))
  every(responses, () => actions.create({ withWallet: true }))
  every(reads, () => actions.read())
  every(erasures, () => actions.erase())
  return {
    merchant,
    acknowledgements,
    attempts,
    async finish() {
      abort.abort()
      await Promise.race([Promise.all(running), sleep(maxWait_ms, undefined, { ref: false })])
    },
    async [Symbol.asyncDispose]() {
      abort.abort()
      await receiver[Symbol.asyncDispose]()
    },
  }
}
