import type { Database } from '../db/open.ts'
import type { Log } from '../log.ts'
import type { Keyring } from './open.ts'
import { listRingKeys, readOldValues, replaceSealed, type SealedValue } from './sealed-values-store.ts'

/** Values that are sealed again in one run. */
export const maxResealed = 100

export type Reseal = {
  db: Database
  keyring: Keyring
  log: Log
  /** What the values of each column are sealed for. */
  uses: Readonly<Record<string, string>>
}

/**
 * Seals some values of older keys again under the newest one, and returns how many. A value that changes meanwhile is left alone: whoever changed it
 * has sealed it.
 */
export async function resealOldValues(
  { db, keyring, log, uses }: Reseal,
  signal: AbortSignal,
): Promise<number> {
  await keyring.reload()
  const keys = (await listRingKeys(db)).filter(
    ({ purpose, retired_at }) => purpose === 'seal' && retired_at === null,
  )
  const older = keys.slice(0, -1).map(({ id }) => id)
  const values = older.length === 0 ? [] : await readOldValues(db, { keys: older, limit: maxResealed })
  let resealed = 0
  for (const value of values) {
    if (signal.aborted) break
    try {
      if (await resealValue({ db, keyring, uses }, value)) resealed += 1
    } catch (error) {
      // Altered by hand, or of a tenant that is just moving to another cell. The others go on.
      log.error({ err: error, place: value.place }, 'could not seal a value again')
    }
  }
  return resealed
}

async function resealValue(
  { db, keyring, uses }: Omit<Reseal, 'log'>,
  { place, sealed }: SealedValue,
): Promise<boolean> {
  const use = uses[place]
  if (use === undefined) throw new Error(`nothing says what ${place} is sealed for`)
  const resealed = keyring.seal(use, await keyring.unseal(use, sealed))
  return replaceSealed(db, { place, sealed, resealed })
}
