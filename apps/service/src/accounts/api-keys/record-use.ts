import type { Context } from '../../context.ts'
import { recordLastUse, type LastUseRecorder } from '../../engine/loops/record-last-use.ts'
import { markUsed } from './store.ts'

/** Keeps `last_used_at` accurate to about a minute. */
export function recordKeyUse({
  db,
  log,
}: Pick<Context, 'db' | 'log'>): LastUseRecorder<{ tenant_id: string; id: string }> {
  return recordLastUse({ log, what: 'API keys', write: (keys) => markUsed(db, keys) })
}
