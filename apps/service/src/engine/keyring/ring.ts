import { type KeyObject, createSecretKey, randomBytes } from 'node:crypto'
import type { Database } from '../db/open.ts'
import { type MasterKey, MasterKeyError, wrapperIds } from './master-key.ts'
import { UnsealError, readKeyId } from './seal.ts'
import { type KeyRow, insertKey, readKeys } from './store.ts'

export const ringKey_bytes = 32

/** The keys of the ring, unwrapped. */
export type Ring = {
  sealing: { id: number; key: Buffer }
  hashing: Buffer
  /** The same as a KeyObject: importing the bytes takes eight times as long as a hash. */
  macKey: KeyObject
  keys: Map<number, Buffer>
  /** The hashing keys of the cells from which tenants moved here. */
  carried: Map<string, KeyObject>
  /** The keys as they are stored. What has not changed needs no master key when the ring is read again. */
  wrapped: Map<number, Buffer>
  /** Why some keys could not be unwrapped when the ring was read again. */
  unopened: Map<number, MasterKeyError | UnsealError>
}

export type RingOptions = { db: Database; master_keys: readonly MasterKey[] }

type OpenedRow = KeyRow & { key: Buffer }

/**
 * Reads the ring, and creates it if there is none. The first time every key must open. A process that has the ring keeps every key it has, also
 * while its HSM is unavailable or after the ring was rewrapped by a master key that this process does not have.
 */
export async function loadRing({ db, master_keys }: RingOptions, held?: Ring): Promise<Ring> {
  let rows = await readKeys(db, { lock: false })
  if (rows.length === 0) {
    await createRing({ db, master_keys })
    rows = await readKeys(db, { lock: false })
  }
  const unopened: Ring['unopened'] = new Map()
  const opened: OpenedRow[] = []
  for (const row of rows) {
    const found = await openRow(row, { master_keys, held, unopened })
    if (found !== undefined) opened.push(found)
  }
  return { ...describeRing(opened), unopened }
}

type OpenRow = { master_keys: readonly MasterKey[]; held: Ring | undefined; unopened: Ring['unopened'] }

async function openRow(
  row: KeyRow,
  { master_keys, held, unopened }: OpenRow,
): Promise<OpenedRow | undefined> {
  const [key, wrapped] = [held?.keys.get(row.id), held?.wrapped.get(row.id)]
  const known = key !== undefined && wrapped !== undefined ? { ...row, key, wrapped } : undefined
  if (known?.wrapped.equals(row.wrapped) === true) return known
  try {
    return { ...row, key: (await unwrapRow(master_keys, row)).key }
  } catch (error) {
    const isExpected = error instanceof MasterKeyError || error instanceof UnsealError
    if (held === undefined || !isExpected) throw error
    unopened.set(row.id, error)
    // With what it was unwrapped from, so that it is tried again when the ring is next read.
    return known
  }
}

function describeRing(opened: readonly OpenedRow[]): Omit<Ring, 'unopened'> {
  const sealing = opened.filter(({ purpose }) => purpose === 'seal').toSorted((a, b) => b.id - a.id)[0]
  const hashing = opened.find(({ purpose }) => purpose === 'mac')
  if (sealing === undefined || hashing === undefined) throw new Error('the key ring is incomplete')
  return {
    sealing,
    hashing: hashing.key,
    macKey: createSecretKey(hashing.key),
    keys: new Map(opened.map(({ id, key }) => [id, key])),
    carried: new Map(
      opened.flatMap(({ cell, key }) =>
        typeof cell === 'string' ? [[cell, createSecretKey(key)] as const] : [],
      ),
    ),
    wrapped: new Map(opened.map(({ id, wrapped }) => [id, wrapped])),
  }
}

/** Two processes may start at once: the first one to lock stores its ring, and both read it afterwards. */
async function createRing({ db, master_keys }: RingOptions): Promise<void> {
  const rows = [
    await wrapRow(master_keys, { id: 1, purpose: 'mac' }, randomBytes(ringKey_bytes)),
    await wrapRow(master_keys, { id: 2, purpose: 'seal' }, randomBytes(ringKey_bytes)),
  ]
  await db.transaction(async (tx) => {
    if ((await readKeys(tx, { lock: true })).length > 0) return
    for (const row of rows) await insertKey(tx, row)
  })
}

/** Wraps a key with the first master key. */
export async function wrapRow(
  [master]: readonly MasterKey[],
  place: Omit<KeyRow, 'wrapped'>,
  key: Buffer,
): Promise<KeyRow> {
  if (master === undefined) throw new Error('no master key is configured')
  return { ...place, wrapped: await master.wrap(place, key) }
}

type UnwrappedRow = { key: Buffer; by: MasterKey }

/** None of the configured master keys opens the ring. The message says what to set. */
export class ClosedRingError extends UnsealError {
  override name = 'ClosedRingError'
}

/** Tries each master key. One that cannot be used now is the reason only if no other opens the row. */
export async function unwrapRow(masterKeys: readonly MasterKey[], row: KeyRow): Promise<UnwrappedRow> {
  let reason: unknown
  for (const by of masterKeys) {
    try {
      const key = await by.unwrap(row)
      if (key !== undefined) return { key, by }
    } catch (error) {
      if (!(error instanceof UnsealError)) reason ??= error
    }
  }
  throw reason ?? new ClosedRingError(explainClosed(masterKeys, row))
}

/** A wrapped key shows whether a key in an HSM wraps it, so that the missing setting can be named. */
function explainClosed(masterKeys: readonly MasterKey[], { wrapped }: KeyRow): string {
  const settings = masterKeys.map(({ setting }) => setting)
  const has = (kind: 'hsm' | 'memory') =>
    settings.some((setting) => setting.endsWith('_URI') === (kind === 'hsm'))
  if (wrapped.length > 4 && readKeyId(wrapped) === wrapperIds.hsm)
    return has('hsm')
      ? `Another key than that of ${settings.filter((setting) => setting.endsWith('_URI')).join(' or ')} wraps the key ring of this database. Name the key that wraps it; while changing it, as MASTER_KEY_PREVIOUS_URI.`
      : 'A key in a token wraps the key ring of this database. Name it as MASTER_KEY_URI instead of MASTER_KEY; while changing it, as MASTER_KEY_PREVIOUS_URI.'
  return has('memory')
    ? 'MASTER_KEY does not match this database. Set the key that the database was created with; if it was replaced, set the earlier one as MASTER_KEY_PREVIOUS.'
    : 'MASTER_KEY wraps the key ring of this database, not the key of MASTER_KEY_URI. Set it as MASTER_KEY_PREVIOUS, and run `vidimus admin keyring rewrap`.'
}
