import { maxSenders } from './allocate-senders.ts'

/** Bounds how many messages are being sent to a host at once. */
export type HostSlots = {
  /** Takes a slot, or waits for one in order of arrival. False if none became free in time. */
  acquire(host: string): boolean | Promise<boolean>
  release(host: string): void
  /** Whether every slot of a host is taken. */
  isSaturated(host: string): boolean
}

/** After this time an event goes back to the queue: its lease would not outlast a receiver that hangs. */
const maxWait_ms = 1000

type HostState = { taken: number; waiting: Set<() => void> }

/** Most events of a busy host wait here, so waiting costs a plain timer and not a signal, which also builds an error when it fires. */
export function openHostSlots(): HostSlots {
  const hosts = new Map<string, HostState>()

  return {
    acquire(host) {
      const state = hosts.get(host) ?? { taken: 0, waiting: new Set() }
      hosts.set(host, state)
      if (state.taken === maxSenders.host) return waitForSlot(state)
      state.taken += 1
      return true
    },
    release(host) {
      const state = hosts.get(host)
      if (state === undefined) return
      const [next] = state.waiting
      // The slot passes to the next in line without becoming free in between.
      if (next !== undefined) return next()
      state.taken -= 1
      if (state.taken === 0) hosts.delete(host)
    },
    isSaturated: (host) => hosts.get(host)?.taken === maxSenders.host,
  }
}

function waitForSlot({ waiting }: HostState): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isGranted: boolean) => {
      clearTimeout(timer)
      waiting.delete(grant)
      resolve(isGranted)
    }
    const grant = () => end(true)
    const timer = setTimeout(() => end(false), maxWait_ms)
    waiting.add(grant)
  })
}
