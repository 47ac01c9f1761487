export type Pause = {
  /** Waits for this time, until `end`, or until the signal, if there is one, aborts. */
  wait(time_ms: number): Promise<void>
  end(): void
}

/** A wait that can be ended early, and leaves no timer behind then. */
export function openPause(stop?: AbortSignal): Pause {
  let end = () => {}
  stop?.addEventListener('abort', () => end())
  return {
    async wait(time_ms) {
      if (stop?.aborted === true) return
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, time_ms)
      end = resolve
      await promise
      clearTimeout(timer)
    },
    end: () => end(),
  }
}
