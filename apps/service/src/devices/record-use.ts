import type { Context } from '../context.ts'
import { markSeen } from './store.ts'

const every_ms = 30_000
const mostAtOnce = 10_000

export type SeenRecorder = { note(deviceId: string): void; flush(): Promise<void> } & Disposable

/** Keeps `last_seen_at` to within a minute (TOKEN-7) with one statement for all devices and none in a request's way. */
export function recordDeviceUse({ db, log }: Pick<Context, 'db' | 'log'>): SeenRecorder {
  const seen = new Set<string>()

  async function flush(): Promise<void> {
    if (seen.size === 0) return
    const batch = [...seen]
    seen.clear()
    await markSeen(db, batch)
  }

  const timer = setInterval(() => {
    flush().catch((error: unknown) => log.warn({ err: error }, 'the use of devices was not recorded'))
  }, every_ms)
  timer.unref()
  return {
    note(deviceId) {
      if (seen.size < mostAtOnce) seen.add(deviceId)
    },
    flush,
    [Symbol.dispose]: () => clearInterval(timer),
  }
}
