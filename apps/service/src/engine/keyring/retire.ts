import { Refusal } from '../basics/refusal.ts'
import type { Database, Db } from '../db/open.ts'
import type { Log } from '../observability/log.ts'
import type { Metrics } from '../observability/metrics.ts'
import { type MasterKey, MasterKeyError } from './master-key.ts'
import type { Keyring } from './open.ts'
import type { RecordKeys } from './rewrap.ts'
import { unwrapRow } from './ring.ts'
import { UnsealError } from './seal.ts'
import {
  countSealed,
  listRingKeys,
  markRetired,
  readOldValues,
  replaceSealed,
} from './sealed-values-store.ts'
import { readKeys } from './store.ts'

/** Every process reloads the ring more often than this, so that none seals with an older key any longer. */
export const keySettles_seconds = 300

/** A key of the ring and how many values it seals. */
type DescribedKey = {
  id: number
  purpose: 'sealing' | 'hashing' | "another cell's hashing"
  created_at: string
  retired_at?: string
  state: 'seals' | 'unseals' | 'hashes' | 'retired'
  sealed_values: number
}

/** The keys of the ring, oldest first. */
export async function listKeys(db: Db): Promise<DescribedKey[]> {
  const [keys, counts] = [await listRingKeys(db), await countSealed(db)]
  const newest = Math.max(...keys.filter(({ purpose }) => purpose === 'seal').map(({ id }) => id))
  return keys.map(({ id, purpose, created_at, retired_at }) => ({
    id,
    purpose: ({ mac: 'hashing', seal: 'sealing', carried_mac: "another cell's hashing" } as const)[purpose],
    created_at,
    ...(retired_at !== null && { retired_at }),
    state:
      retired_at !== null ? 'retired' : purpose !== 'seal' ? 'hashes' : id === newest ? 'seals' : 'unseals',
    sealed_values: counts.get(id) ?? 0,
  }))
}

/**
 * Removes the bytes of a sealing key for good. Nothing may be sealed under it: the count and the retirement are one transaction, and values that
 * are being sealed meanwhile are either counted or refused.
 */
export async function retireKey(db: Database, id: number, record?: RecordKeys): Promise<void> {
  await db.transaction(async (tx) => {
    const keys = await listRingKeys(tx)
    const key = keys.find((each) => each.id === id)
    if (key === undefined) throw refuse(`The key ring has no key ${id}.`)
    if (key.retired_at !== null) throw refuse(`Key ${id} is already retired.`)
    if (key.purpose !== 'seal')
      throw refuse(`Key ${id} hashes: it cannot be replaced, because values are looked up by their hash.`)
    const successor = keys.find((each) => each.purpose === 'seal' && each.id > id)
    if (successor === undefined) throw refuse(`Key ${id} seals. Run \`vidimus admin keyring rotate\` first.`)
    if (successor.age_seconds < keySettles_seconds)
      throw refuse(
        `Key ${successor.id} is ${Math.floor(successor.age_seconds)} s old: processes may still seal with key ${id}. Try again ${keySettles_seconds} s after the rotation.`,
      )
    await markRetired(tx, id)
    const sealed = (await countSealed(tx)).get(id) ?? 0
    if (sealed > 0)
      throw refuse(
        `Key ${id} still seals ${sealed} values. A running \`vidimus work\` seals them again under the newest key.`,
      )
    await record?.(tx, { change: 'retired', key: id })
  })
}

function refuse(message: string): Refusal {
  return new Refusal('invalid_request', message)
}

type RingInspection =
  | { state: 'empty' }
  /** `by`: the settings of the master keys that unwrapped it. */
  | { state: 'opens'; by: Set<string> }
  | { state: 'closed'; reason: string }

/** Whether these master keys open the ring in the database. Creates no ring. */
export async function inspectKeyring(
  db: Database,
  masterKeys: readonly MasterKey[],
): Promise<RingInspection> {
  const rows = await readKeys(db, { lock: false })
  if (rows.length === 0) return { state: 'empty' }
  const by = new Set<string>()
  try {
    for (const row of rows) by.add((await unwrapRow(masterKeys, row)).by.setting)
    return { state: 'opens', by }
  } catch (error) {
    if (error instanceof MasterKeyError) return { state: 'closed', reason: `${error.explain()}.` }
    if (error instanceof UnsealError) return { state: 'closed', reason: error.message }
    throw error
  }
}

/** Values that are sealed again in one run. */
export const maxResealed = 100

/**
 * Seals some values of older keys again under the newest one. A value that changes meanwhile is left alone: it was sealed
 * again by the change. False if nothing is left, or if nothing of a whole batch could be sealed again.
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
