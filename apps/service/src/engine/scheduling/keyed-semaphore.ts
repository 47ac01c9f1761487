export type KeyedSemaphore = {
  /** Takes a slot if one is free. */
  tryAcquire(key: string): boolean
  /** Waits for a slot, in order of arrival. Rejects with the signal's reason if it aborts first. */
  acquire(key: string, signal: AbortSignal): Promise<void>
  release(key: string): void
  /** Whether every slot of the key is taken. */
  isFull(key: string): boolean
}

type KeyState = { taken: number; waiting: Set<() => void> }

/** A counting semaphore for each key, such as a host. Unused keys take no memory. */
export function openKeyedSemaphore(max: number): KeyedSemaphore {
  const keys = new Map<string, KeyState>()

  function getState(key: string): KeyState {
    const state = keys.get(key) ?? { taken: 0, waiting: new Set() }
    keys.set(key, state)
    return state
  }

  function tryAcquire(key: string): boolean {
    const state = getState(key)
    if (state.taken === max) return false
    state.taken += 1
    return true
  }

  return {
    tryAcquire,
    async acquire(key, signal) {
      if (!tryAcquire(key)) await waitForTurn(getState(key).waiting, signal)
    },
    release(key) {
      const state = keys.get(key)
      if (state === undefined) return
      const [next] = state.waiting
      // The slot passes to the next in line without becoming free in between.
      if (next === undefined) state.taken -= 1
      else next()
      if (state.taken === 0) keys.delete(key)
    },
    isFull: (key) => keys.get(key)?.taken === max,
  }
}

function waitForTurn(waiting: Set<() => void>, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const abort = () => {
    waiting.delete(grant)
    reject(signal.reason)
  }
  const grant = () => {
    waiting.delete(grant)
    signal.removeEventListener('abort', abort)
    resolve()
  }
  waiting.add(grant)
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  return promise
}
