import { randomBytes } from 'node:crypto'
import type { Db } from '../db/open.ts'
import { type RingOptions, loadRing, ringKey_bytes, unwrapRow, wrapRow } from './ring.ts'
import { insertKey, readKeys, type KeyRow } from './store.ts'

/** Records a change of the ring in its own transaction. */
export type RecordKeys = (tx: Db, detail: Record<string, unknown>) => Promise<void>

/** How often the ring may change while its keys are being wrapped. */
const maxAttempts = 5

/**
 * Wraps every key of the ring with the first master key, in one transaction, so that the others can be removed. Processes that have the ring
 * keep using it, whichever master key they have. Returns the number of keys.
 */
export async function rewrapKeyring(options: RingOptions, record?: RecordKeys): Promise<number> {
  const rows = await replaceRing(
    options,
    async (opened) => opened,
    (tx, written) => record?.(tx, { change: 'rewrapped', keys: written.length }),
  )
  return rows.length
}

/** Does the same and adds a sealing key, whose id it returns. Only processes that can open the ring as it is now can open what it seals. */
export async function rotateKeyring(options: RingOptions, record?: RecordKeys): Promise<number> {
  const rows = await replaceRing(
    options,
    async (opened) => [
      ...opened,
      { id: nextId(opened), purpose: 'seal', cell: null, key: randomBytes(ringKey_bytes) },
    ],
    (tx, written) => record?.(tx, { change: 'rotated', sealing_key: newestId(written) }),
  )
  return newestId(rows)
}

function newestId(rows: readonly KeyRow[]): number {
  return Math.max(...rows.map(({ id }) => id))
}

/**
 * Adds the hashing keys of the cells from which a tenant moves here. A cell that already has another key is an error: two
 * installations use the same character.
 */
export async function carryHashingKeys(
  options: RingOptions,
  hashingKeys: ReadonlyMap<string, Buffer>,
): Promise<void> {
  const { carried } = await loadRing(options)
  for (const [cell, key] of hashingKeys) {
    const known = carried.get(cell)?.export()
    if (known === undefined) await addCarried(options, cell, key)
    else if (!known.equals(key))
      throw new Error(`This database already has another hashing key of cell ${cell}.`)
  }
}

async function addCarried({ db, master_keys }: RingOptions, cell: string, key: Buffer): Promise<void> {
  await whileUnchanged({ db, master_keys }, async (rows) => {
    if (rows.some((row) => row.cell === cell)) return []
    return [await wrapRow(master_keys, { id: nextId(rows), purpose: 'carried_mac', cell }, key)]
  })
}

type OnWritten = (tx: Db, rows: readonly KeyRow[]) => Promise<void> | undefined
type OpenedRow = Omit<KeyRow, 'wrapped'> & { key: Buffer }

async function replaceRing(
  options: RingOptions,
  change: (opened: readonly OpenedRow[]) => Promise<readonly OpenedRow[]>,
  onWritten: OnWritten,
): Promise<KeyRow[]> {
  // Creates the ring if there is none.
  await loadRing(options)
  const prepare = async (rows: readonly KeyRow[]) => {
    const opened: OpenedRow[] = []
    for (const { wrapped, ...place } of rows)
      opened.push({ ...place, key: (await unwrapRow(options.master_keys, { ...place, wrapped })).key })
    const wrapped: KeyRow[] = []
    for (const { key, ...place } of await change(opened))
      wrapped.push(await wrapRow(options.master_keys, place, key))
    return wrapped
  }
  return whileUnchanged(options, prepare, onWritten)
}

/** An HSM may take seconds, so keys are wrapped before the transaction, which writes them only if the ring is still the one that was read. */
async function whileUnchanged(
  { db }: RingOptions,
  prepare: (rows: readonly KeyRow[]) => Promise<KeyRow[]>,
  onWritten?: OnWritten,
): Promise<KeyRow[]> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const read = await readKeys(db, { lock: false })
    const prepared = await prepare(read)
    const written = await db.transaction(async (tx) => {
      if (!isSame(read, await readKeys(tx, { lock: true }))) return false
      await writeAll(tx, prepared)
      await onWritten?.(tx, prepared)
      return true
    })
    if (written) return prepared
  }
  throw new Error('the key ring changed while its keys were being wrapped')
}

async function writeAll(tx: Db, rows: readonly KeyRow[]): Promise<void> {
  for (const row of rows) await insertKey(tx, row)
}

function isSame(read: readonly KeyRow[], locked: readonly KeyRow[]): boolean {
  return (
    read.length === locked.length &&
    read.every(({ id, wrapped }, at) => locked[at]?.id === id && locked[at].wrapped.equals(wrapped))
  )
}

function nextId(rows: readonly { id: number }[]): number {
  return Math.max(...rows.map(({ id }) => id)) + 1
}
