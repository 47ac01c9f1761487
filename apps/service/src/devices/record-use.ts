import type { Context } from '../context.ts'
import { recordLastUse, type LastUseRecorder } from '../engine/loops/record-last-use.ts'
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
