import type { Database } from '../db/open.ts'
import type { Log } from '../observability/log.ts'
import type { Metrics } from '../observability/metrics.ts'
import type { Keyring } from './open.ts'
import { listRingKeys, readOldValues, replaceSealed } from './sealed-values-store.ts'

/** Values that are sealed again in one run. */
export const maxResealed = 100

/**
 * Seals some values of older keys again under the newest one. A value that changes meanwhile is left alone: whoever changed it
 * has sealed it. False if nothing is left, or if nothing of a whole batch could be sealed again.
 */
export async function resealValues(
  { db, keyring, log, metrics }: { db: Database; keyring: Keyring; log: Log; metrics: Metrics },
  signal: AbortSignal,
): Promise<boolean> {
  await keyring.reload()
  const keys = (await listRingKeys(db)).filter(
    ({ purpose, retired_at }) => purpose === 'seal' && retired_at === null,
  )
  const older = keys.slice(0, -1).map(({ id }) => id)
  const values = older.length === 0 ? [] : await readOldValues(db, { keys: older, limit: maxResealed })
  let resealed = 0
  for (const value of values) {
    if (signal.aborted) break
    const { use, sealed, table, column } = value
    try {
      const again = keyring.seal(use, await keyring.unseal(use, sealed))
      if (await replaceSealed(db, { ...value, resealed: again })) resealed += 1
    } catch (error) {
      // Altered by hand, or of a tenant that is just moving to another cell. The others go on.
      log.error({ err: error, table, column }, 'could not seal a value again')
    }
  }
  metrics.resealedValues.inc(resealed)
  return resealed > 0
}
