import { caps } from './share-out.ts'

/** The lines to each host: so many carry a message at a time, and no more. */
export type Lines = {
  /** Waits for a line. False when there was none in time. */
  take(host: string): Promise<boolean>
  giveBack(host: string): void
  /** Whether every line of a host waits for its receiver. */
  allBusy(host: string): boolean
}

/** What has no line by then is better off in the queue: its lease would not outlast a receiver that hangs. */
const patience_ms = 1000

type Host = { taken: number; waiting: Set<() => void> }

export function openLines(): Lines {
  const hosts = new Map<string, Host>()

  function wait({ waiting }: Host): Promise<boolean> {
    return new Promise((resolve) => {
      const turn = () => {
        clearTimeout(timer)
        resolve(true)
      }
      const timer = setTimeout(() => {
        waiting.delete(turn)
        resolve(false)
      }, patience_ms)
      waiting.add(turn)
    })
  }

  return {
    async take(name) {
      const host = hosts.get(name) ?? { taken: 0, waiting: new Set() }
      hosts.set(name, host)
      if (host.taken === caps.host) return wait(host)
      host.taken += 1
      return true
    },
    giveBack(name) {
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
    allBusy: (name) => hosts.get(name)?.taken === caps.host,
  }
}
