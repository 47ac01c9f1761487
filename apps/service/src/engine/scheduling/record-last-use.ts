import type { Log } from '../observability/log.ts'

const flushInterval_ms = 30_000
/** Ids collected between two flushes. More are ignored until the next. */
const maxPending = 10_000

export type LastUseRecorder<Used> = { note(used: Used): void; flush(): Promise<void> } & Disposable

/**
 * Collects what was used and writes it every half minute, with one statement for all and none within a request. Best effort:
 * a process that is killed loses the last half minute.
 */
export function recordLastUse<Used extends { id: string }>({
  log,
  what,
  write,
}: {
  log: Log
  /** For the log: `API keys`. */
  what: string
  write: (used: Used[]) => Promise<void>
}): LastUseRecorder<Used> {
  const pending = new Map<string, Used>()

  async function flush(): Promise<void> {
    if (pending.size === 0) return
    const batch = [...pending.values()]
    pending.clear()
    await write(batch)
  }

  const timer = setInterval(() => {
    flush().catch((error: unknown) => log.warn({ err: error }, `could not record the last use of ${what}`))
  }, flushInterval_ms)
  timer.unref()
  return {
    note(used) {
      if (pending.size < maxPending) pending.set(used.id, used)
    },
    flush,
    [Symbol.dispose]: () => clearInterval(timer),
  }
}
