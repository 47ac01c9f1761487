import { maxSenders } from './allocate-senders.ts'

/** Bounds how many messages are being sent to a host at once. */
export type HostSlots = {
  /** Waits for a slot. False if none became free in time. */
  acquire(host: string): Promise<boolean>
  release(host: string): void
  /** Whether every slot of a host is taken. */
  isSaturated(host: string): boolean
}

/** After this time an event goes back to the queue: its lease would not outlast a receiver that hangs. */
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
