import cluster from 'node:cluster'
import type { MetricSnapshot } from './merge-metrics.ts'
import type { StopReason, ToChild, ToSupervisor } from './messages.ts'

/** A process that was told to stop exits within 14.5 s by itself, unless its event loop is blocked. */
export const stopTimeout_ms = 16_000
/** How long the supervisor waits for an answer of a child whose event loop may be blocked. */
export const answerTimeout_ms = 2000

/** The exit status, or the signal that ended the process. */
export type ChildEnd = { status: number | string; served_ms: number }

export type Child = {
  number: number
  pid: number | undefined
  state: () => 'starting' | 'ready' | 'stopping' | 'ended'
  /** Its address once it is ready, or undefined if it ended before. */
  ready: Promise<string | undefined>
  ended: Promise<ChildEnd>
  stop(reason: StopReason): void
  /** Whether it ended because it was told to. */
  wasStopped: () => boolean
  kill(): void
  /** False without an answer in time. */
  askReadiness(): Promise<boolean>
  /** The current metrics, or the last known ones without an answer in time. */
  askMetrics(): Promise<MetricSnapshot>
  lastMetrics(): MetricSnapshot
}

/** Starts another process of the running command. */
export function startChild(): Child {
  const worker = cluster.fork()
  const ready = Promise.withResolvers<string | undefined>()
  const ended = Promise.withResolvers<ChildEnd>()
  const waiting = new Map<number, (answer: ToSupervisor & { type: 'answer' }) => void>()
  let state: ReturnType<Child['state']> = 'starting'
  let readyAt_ms: number | undefined
  let metrics: MetricSnapshot = []
  let lastId = 0
  let stopped = false

  worker.on('message', (message: ToSupervisor) => {
    if (message.type === 'ready') {
      if (state === 'starting') state = 'ready'
      readyAt_ms = performance.now()
      ready.resolve(message.address)
    } else if (message.type === 'last metrics') metrics = message.metrics
    else if (message.type === 'closed') send({ type: 'closed' })
    else if (message.type === 'answer') waiting.get(message.id)?.(message)
  })
  // A message to a process that has just ended: its exit says more.
  worker.on('error', () => {})
  worker.once('exit', (code, signal) => {
    state = 'ended'
    const end = {
      status: signal ?? code,
      served_ms: readyAt_ms === undefined ? 0 : performance.now() - readyAt_ms,
    }
    const finish = () => {
      ready.resolve(undefined)
      ended.resolve(end)
    }
    // Its last message may still be unread.
    if (!worker.isConnected()) return finish()
    worker.once('disconnect', finish)
    setTimeout(finish, answerTimeout_ms).unref()
  })

  function send(message: ToChild): void {
    if (worker.isConnected()) worker.send(message)
  }

  function ask(about: 'metrics' | 'readiness'): Promise<(ToSupervisor & { type: 'answer' }) | undefined> {
    if (state === 'ended' || !worker.isConnected()) return Promise.resolve(undefined)
    const id = (lastId += 1)
    return new Promise((resolve) => {
      const finish = (answer?: ToSupervisor & { type: 'answer' }) => {
        clearTimeout(timer)
        waiting.delete(id)
        resolve(answer)
      }
      const timer = setTimeout(finish, answerTimeout_ms)
      waiting.set(id, finish)
      send({ type: 'ask', id, about })
    })
  }

  return {
    number: worker.id,
    pid: worker.process.pid,
    state: () => state,
    ready: ready.promise,
    ended: ended.promise,
    stop(reason) {
      if (state !== 'ended') state = 'stopping'
      stopped = true
      send({ type: 'stop', reason })
      setTimeout(() => worker.process.kill('SIGKILL'), stopTimeout_ms).unref()
    },
    wasStopped: () => stopped,
    kill: () => void worker.process.kill('SIGKILL'),
    async askReadiness() {
      const answer = await ask('readiness')
      return answer !== undefined && 'ready' in answer && answer.ready
    },
    async askMetrics() {
      const answer = await ask('metrics')
      // The last metrics of a process that ends meanwhile are later ones.
      if (answer !== undefined && 'metrics' in answer) metrics = answer.metrics
      return metrics
    },
    lastMetrics: () => metrics,
  }
}
