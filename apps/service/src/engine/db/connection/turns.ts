import { openFairQueue } from '../../scheduling/fair-queue.ts'
import { PoolExhaustedError } from '../failures.ts'
import { currentWork } from '../../scheduling/work.ts'
import { connectTimeout_ms } from './session-settings.ts'

export type Turns = {
  /** Reserves a connection. Returns a promise if it has to wait, which rejects if none becomes free in time. */
  take(): Promise<void> | undefined
  /** Ends the reservation of a connection, and lets the next caller have it. */
  passOn(): void
  used(): number
  waiting(): number
}

/** A caller that waits for a connection. Its timer is undefined once it gave up. */
type Waiter = { start: () => void; timer: NodeJS.Timeout | undefined }

/** The driver's pool serves callers in the order of their arrival. Before it, the owners of requests take turns. */
export function openTurns(places: number): Turns {
  let free = places
  const waiting = openFairQueue<Waiter>()
  return {
    take() {
      if (free > 0) {
        free -= 1
        return undefined
      }
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const waiter: Waiter = { start: resolve, timer: undefined }
      waiter.timer = setTimeout(() => {
        waiter.timer = undefined
        reject(new PoolExhaustedError(`all connections were in use for ${connectTimeout_ms} ms`))
      }, connectTimeout_ms)
      waiting.push(currentWork()?.owner() ?? '', waiter)
      return promise
    },
    passOn() {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        if (next.timer === undefined) continue
        clearTimeout(next.timer)
        next.start()
        return
      }
      free += 1
    },
    used: () => places - free,
    waiting: () => waiting.size(),
  }
}
