import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../log.ts'
import type { StopReason } from './messages.ts'
import { openRestartPolicy } from './restart-policy.ts'
import type { Child, ChildEnd } from './start-child.ts'

/** A new process that is not ready after this time does not replace an old one. */
export const readyTimeout_ms = 60_000

export type SupervisorOptions = {
  count: number
  start: () => Child
  log: Log
  /** Called when a process ended, for whatever reason. */
  onEnded: (child: Child) => void
  /** Called when a process ended by itself. */
  onCrashed: () => void
}

export type Supervisor = {
  children: () => readonly Child[]
  /** Starts all processes. Returns the address once every one is ready, or undefined if the first could not start. */
  startAll(): Promise<string | undefined>
  /** Replaces one process after the other, each only once its successor is ready. */
  replaceAll(): Promise<void>
  /** Resolves when processes keep ending and none serves. */
  gaveUp: Promise<'failed'>
  /** Stops all processes. True if each of them exited with 0. */
  stop(reason: StopReason): Promise<boolean>
  killAll(): void
}

/** Keeps a number of processes running. It neither opens a database nor handles requests, so that there is little that could end it. */
export function openSupervisor({ count, start, log, onEnded, onCrashed }: SupervisorOptions): Supervisor {
  const children = new Set<Child>()
  const policy = openRestartPolicy()
  const gaveUp = Promise.withResolvers<'failed'>()
  let stopping = false
  let replacing = false
  let replaceAgain = false
  /** A process whose failure to start is reported by whoever started it. */
  let candidate: Child | undefined

  return {
    children: () => [...children],
    async startAll() {
      // The first one alone: what is wrong with the configuration is then said once.
      candidate = launch()
      const address = await candidate.ready
      if (address === undefined) {
        await candidate.ended
        return undefined
      }
      candidate = undefined
      fill()
      await Promise.all([...children].map(({ ready }) => ready))
      return address
    },
    async replaceAll() {
      replaceAgain = true
      if (replacing || stopping) return
      replacing = true
      while (replaceAgain && !stopping) {
        replaceAgain = false
        await replaceEach(active())
      }
      replacing = false
    },
    gaveUp: gaveUp.promise,
    async stop(reason) {
      stopping = true
      const ends = [...children].map(({ ended }) => ended)
      for (const child of children) child.stop(reason)
      return (await Promise.all(ends)).every(({ status }) => status === 0)
    },
    killAll() {
      for (const child of children) child.kill()
    },
  }

  function active(): Child[] {
    return [...children].filter((child) => ['starting', 'ready'].includes(child.state()))
  }

  function launch(): Child {
    const child = start()
    children.add(child)
    child.ended.then(
      (end) => onChildEnded(child, end),
      () => {}, // it never rejects
    )
    return child
  }

  function fill(): void {
    while (!stopping && active().length < count) launch()
  }

  function onChildEnded(child: Child, { status, served_ms }: ChildEnd): void {
    children.delete(child)
    onEnded(child)
    if (stopping || child === candidate || child.wasStopped()) return
    onCrashed()
    const othersServe = active().some((other) => other.state() === 'ready')
    const next = policy.next({ served_ms, othersServe })
    const about = { process: child.number, status }
    if (next === 'give up') {
      log.fatal(about, 'processes keep ending shortly after their start: the supervisor gives up')
      gaveUp.resolve('failed')
      return
    }
    log.error({ ...about, restart_in_ms: next }, 'a process ended unexpectedly')
    setTimeout(fill, next).unref()
  }

  async function replaceEach(old: readonly Child[]): Promise<void> {
    log.info({ processes: old.length }, 'replacing all processes')
    for (const child of old) {
      if (stopping) return
      if (child.state() === 'ended') continue
      candidate = launch()
      const isReady = await waitUntilReady(candidate)
      if (stopping) return
      if (!isReady) {
        candidate.kill()
        log.error(
          { process: candidate.number },
          'a new process did not become ready, so the remaining ones were not replaced and keep running',
        )
        await candidate.ended
        candidate = undefined
        return fill()
      }
      candidate = undefined
      child.stop('replaced')
      await child.ended
    }
    if (!stopping) log.info({ processes: old.length }, 'all processes were replaced')
  }

  async function waitUntilReady({ ready }: Child): Promise<boolean> {
    const timeout = new AbortController()
    const expired = sleep(readyTimeout_ms, undefined, { signal: timeout.signal }).catch(() => undefined)
    const address = await Promise.race([ready, expired])
    timeout.abort()
    return address !== undefined
  }
}
