import type { Context } from '../../engine/context.ts'
import { type LastUseRecorder, recordLastUse } from '../../engine/scheduling/index.ts'
import { markUsed } from './store.ts'

/** Keeps `last_used_at` accurate to about a minute. */
export function recordKeyUse({
  db,
  log,
}: Pick<Context, 'db' | 'log'>): LastUseRecorder<{ tenant_id: string; id: string }> {
  return recordLastUse({ log, what: 'API keys', write: (keys) => markUsed(db, keys) })
}
