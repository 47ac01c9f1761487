import type { Context } from '../context.ts'
import type { KeyPrincipal } from '../platform/principal.ts'
import { markUsed } from './store.ts'

const every_ms = 30_000
const mostAtOnce = 10_000

export type UseRecorder = { note(principal: KeyPrincipal): void; flush(): Promise<void> } & Disposable

/** Keeps `last_used_at` to within a minute or so, with one statement for all keys. Best effort: it may lose the last half minute. */
export function recordKeyUse({ db, log }: Pick<Context, 'db' | 'log'>): UseRecorder {
  const used = new Map<string, { tenant_id: string; id: string }>()

  async function flush(): Promise<void> {
    if (used.size === 0) return
    const batch = [...used.values()]
    used.clear()
    await markUsed(db, batch)
  }

  const timer = setInterval(() => {
    flush().catch((error: unknown) => log.warn({ err: error }, 'the use of keys was not recorded'))
  }, every_ms)
  timer.unref()
  return {
    note({ tenant_id, key_id }) {
      if (used.size < mostAtOnce) used.set(key_id, { tenant_id, id: key_id })
    },
    flush,
    [Symbol.dispose]: () => clearInterval(timer),
  }
}
