import { setTimeout as sleep } from 'node:timers/promises'
import cluster, { type Worker } from 'node:cluster'
import type { Registry } from 'prom-client'
import type { MetricSnapshot } from './merge-metrics.ts'
import type { StopReason, ToChild, ToSupervisor } from './messages.ts'

const readinessInterval_ms = 200
/** The supervisor has little to do. */
const closedTimeout_ms = 2000

/** A child's end of the connection to its supervisor. */
export type SupervisorLink = {
  /** Counts up from 1 with every child that is started. */
  number: number
  /** From now on the supervisor gets these metrics when it asks. */
  answerScrapes(registry: Registry): void
  /** Reports that this process serves, as soon as it is ready. */
  reportReady(serving: { address: string; isReady: () => Promise<boolean> }): Promise<void>
  /** Called once, when the supervisor says that this process has to stop, or is gone. */
  onStop(stop: (reason: StopReason | 'orphaned') => void): void
  /** Returns once the supervisor sends no more connections to this process, which has stopped accepting. */
  awaitClosed(): Promise<void>
  /** Sends the last metrics and closes the channel, without which the process would not end. */
  close(): Promise<void>
}

/** Undefined in a process that no supervisor started. */
export function connectToSupervisor(): SupervisorLink | undefined {
  const { worker } = cluster
  return cluster.isWorker && worker !== undefined ? openLink(worker) : undefined
}

function openLink(worker: Worker): SupervisorLink {
  let registry: Registry | undefined
  let isReady = async () => false
  // Until it serves there is nothing to drain.
  let stop = (_reason: StopReason | 'orphaned'): void => process.exit(0)
  let stopping = false
  const closed = Promise.withResolvers<void>()
  const stopOnce = (reason: StopReason | 'orphaned') => {
    if (stopping) return
    stopping = true
    stop(reason)
  }

  // The supervisor gets them too, and says what to do.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})
  worker.on('disconnect', () => {
    // Otherwise Node ends the process at once, with its requests.
    worker.exitedAfterDisconnect = true
    closed.resolve()
    stopOnce('orphaned')
  })
  // Node's own messages to a supervisor that has just died. The channel's end follows.
  worker.on('error', () => {})
  process.on('message', (message: ToChild) => {
    if (message.type === 'stop') stopOnce(message.reason)
    else if (message.type === 'closed') closed.resolve()
    else if (message.type === 'ask')
      answer(message).catch(() => {
        // Without an answer the supervisor uses the one before.
      })
  })

  async function answer({ id, about }: ToChild & { type: 'ask' }): Promise<void> {
    if (about === 'readiness') await send({ type: 'answer', id, ready: await isReady() })
    else await send({ type: 'answer', id, metrics: await readMetrics() })
  }

  async function readMetrics(): Promise<MetricSnapshot> {
    return (await registry?.getMetricsAsJSON()) ?? []
  }

  return {
    number: worker.id,
    answerScrapes: (given) => void (registry = given),
    async reportReady({ address, isReady: given }) {
      isReady = given
      while (!stopping && !(await isReady())) await sleep(readinessInterval_ms)
      if (!stopping) await send({ type: 'ready', address })
    },
    onStop: (given) => void (stop = given),
    async awaitClosed() {
      if (!process.connected) return
      setTimeout(closed.resolve, closedTimeout_ms).unref()
      await send({ type: 'closed' })
      await closed.promise
    },
    async close() {
      stopping = true
      await send({ type: 'last metrics', metrics: await readMetrics() })
      worker.exitedAfterDisconnect = true
      if (process.connected) process.disconnect()
    },
  }
}

/** Does nothing once the supervisor is gone. */
function send(message: ToSupervisor): Promise<void> {
  return new Promise((resolve) => {
    if (process.connected) process.send?.(message, undefined, undefined, () => resolve())
    else resolve()
  })
}
