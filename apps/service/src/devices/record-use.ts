import type { Context } from '../engine/context.ts'
import { type LastUseRecorder, recordLastUse } from '../engine/scheduling/index.ts'
import { markSeen } from './store.ts'

/** Keeps `last_seen_at` accurate to a minute (TOKEN-7). */
export function recordDeviceUse({ db, log }: Pick<Context, 'db' | 'log'>): LastUseRecorder<{ id: string }> {
  return recordLastUse({
    log,
    what: 'devices',
    write: (devices) =>
      markSeen(
        db,
        devices.map(({ id }) => id),
      ),
  })
}
