import { maxSenders } from './allocate-senders.ts'

/** The lines to each host: so many carry a message at a time, and no more. */
export type HostSlots = {
  /** Waits for a line. False when there was none in time. */
  acquire(host: string): Promise<boolean>
  release(host: string): void
  /** Whether every line of a host waits for its receiver. */
  isSaturated(host: string): boolean
}

/** What has no line by then is better off in the queue: its lease would not outlast a receiver that hangs. */
const maxWait_ms = 1000

type HostState = { taken: number; waiting: Set<() => void> }

export function openHostSlots(): HostSlots {
  const hosts = new Map<string, HostState>()

  function wait({ waiting }: HostState): Promise<boolean> {
    return new Promise((resolve) => {
      const turn = () => {
        clearTimeout(timer)
        resolve(true)
      }
      const timer = setTimeout(() => {
        waiting.delete(turn)
        resolve(false)
      }, maxWait_ms)
      waiting.add(turn)
    })
  }

  return {
    async acquire(name) {
      const host = hosts.get(name) ?? { taken: 0, waiting: new Set() }
      hosts.set(name, host)
      if (host.taken === maxSenders.host) return wait(host)
      host.taken += 1
      return true
    },
    release(name) {
      const host = hosts.get(name)
      if (host === undefined) return
      const [next] = host.waiting
      if (next === undefined) host.taken -= 1
      else {
        host.waiting.delete(next)
        next()
      }
      if (host.taken === 0) hosts.delete(name)
    },
    isSaturated: (name) => hosts.get(name)?.taken === maxSenders.host,
  }
}
