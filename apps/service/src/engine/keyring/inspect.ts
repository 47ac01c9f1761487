import type { Database } from '../db/open.ts'
import { MasterKeyError, type MasterKey } from './master-key.ts'
import { UnsealError } from './seal.ts'
import { readKeys } from './store.ts'
import { unwrapRow } from './unwrap-row.ts'

export type RingInspection =
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
