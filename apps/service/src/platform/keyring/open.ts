import { createHmac, createSecretKey, randomBytes, type KeyObject } from 'node:crypto'
import type { Database } from '../db/open.ts'
import { deriveBytes } from './derive-bytes.ts'
import { readKeyId, seal, unseal, UnsealError } from './seal.ts'
import { insertKey, readKeys, type KeyRow } from './store.ts'

const key_bytes = 32
const wrappingUse = 'keyring'
/** The key id in wrapped keys: they are sealed under the master key, which is not in the ring. */
const masterKeyId = 0

export type Keyring = {
  /** Encrypts a secret that must be used again. `use` names its purpose and must be the same when it is decrypted. */
  seal(use: string, plain: Uint8Array): Buffer
  /** Reads the ring again, so that a key that another process has added seals from now on. */
  reload(): Promise<void>
  /** Decrypts a value sealed by any key of the ring. Reloads the ring if another process has just added the key. */
  unseal(use: string, sealed: Uint8Array): Promise<Buffer>
  /** A keyed hash that is stable for the life of the ring, for values that are looked up and never decrypted. */
  mac(use: string, ...parts: (string | Uint8Array)[]): Buffer
  /** Derives key material from the hashing key and a seed stored elsewhere. Both are needed. */
  derive(use: string, seed: Uint8Array, bytes: number): Buffer
  /** The key of `derive`, for threads of this process. It must not leave the process. */
  derivationKey(): Uint8Array
  /**
   * The hashes of the cell that issued an id or a token: of this one, or of one from which a tenant moved here. A cell that is
   * neither hashes as this one does. Waits only where another process may just have added the key.
   */
  hashingOf(cell: string | undefined): Hashing | Promise<Hashing>
  /** The hashing keys, of this cell and of those from which tenants moved here, for a move to another cell. */
  hashingKeys(): Map<string, Buffer>
}

export type Hashing = Pick<Keyring, 'mac'>

/** `cell` is the character that this cell writes into ids and tokens. Without it, every id counts as its own. */
export type KeyringOptions = { db: Database; master_keys: readonly Buffer[]; cell?: string }

/**
 * The ring is stored in the database, wrapped by the master key, and held unwrapped in memory. The newest sealing key seals;
 * all of them unseal. Hashing and derivation have a separate key that never changes, because values are looked up by their hash.
 */
export async function openKeyring({ db, master_keys, cell: own }: KeyringOptions): Promise<Keyring> {
  let ring = await loadRing(db, master_keys)
  let loading: Promise<void> | undefined
  const reload = async () => {
    ring = await loadRing(db, master_keys)
  }
  const keyring: Keyring = {
    seal: (use, plain) => seal(ring.sealing, use, plain),
    reload,
    async unseal(use, sealed) {
      const id = readKeyId(sealed)
      if (!ring.keys.has(id)) ring = await loadRing(db, master_keys)
      const key = ring.keys.get(id)
      if (key === undefined) throw new UnsealError(`the key ring has no key ${id}`)
      return unseal(key, use, sealed)
    },
    mac: (use, ...parts) => hashParts(ring.macKey, [use, ...parts]),
    derive: (use, seed, bytes) => deriveBytes(ring.hashing, { use, seed, bytes }),
    derivationKey: () => ring.hashing,
    hashingOf(cell) {
      if (own === undefined || cell === undefined || cell === own) return keyring
      const carried = ring.carried.get(cell)
      if (carried !== undefined) return hashingWith(carried)
      loading ??= reload().finally(() => (loading = undefined))
      return loading.then(() => {
        const found = ring.carried.get(cell)
        return found === undefined ? keyring : hashingWith(found)
      })
    },
    hashingKeys: () =>
      new Map([
        ...Array.from(ring.carried, ([cell, key]) => [cell, key.export()] as const),
        ...(own === undefined ? [] : [[own, ring.hashing] as const]),
      ]),
  }
  return keyring
}

/**
 * Adds the hashing keys of the cells from which a tenant moves here. A cell that already has another key is an error: two
 * installations use the same character.
 */
export async function carryHashingKeys(
  { db, master_keys }: KeyringOptions,
  hashingKeys: ReadonlyMap<string, Buffer>,
): Promise<void> {
  const { carried } = await loadRing(db, master_keys)
  await db.transaction(async (tx) => {
    const rows = await readKeys(tx, { lock: true })
    let id = Math.max(...rows.map((row) => row.id))
    for (const [cell, key] of hashingKeys) {
      const known = carried.get(cell)?.export()
      if (known !== undefined && !known.equals(key))
        throw new Error(`This database already has another hashing key of cell ${cell}.`)
      if (known !== undefined || rows.some((row) => row.cell === cell)) continue
      id += 1
      await insertKey(tx, { id, purpose: 'carried_mac', wrapped: wrap(master_keys, key), cell })
    }
  })
}

function hashingWith(key: KeyObject): Hashing {
  return { mac: (use, ...parts) => hashParts(key, [use, ...parts]) }
}

function hashParts(key: KeyObject, parts: readonly (string | Uint8Array)[]): Buffer {
  return createHmac('sha256', key).update(frameParts(parts)).digest()
}

/** Adds a sealing key and rewraps every key under the first master key, so that the others can be removed. */
export async function rotateKeyring({ db, master_keys }: KeyringOptions): Promise<number> {
  await loadRing(db, master_keys)
  return db.transaction(async (tx) => {
    const rows = await readKeys(tx, { lock: true })
    for (const row of rows) {
      const wrapped = wrap(master_keys, unwrap(master_keys, row))
      await insertKey(tx, { ...row, wrapped })
    }
    const id = Math.max(...rows.map((row) => row.id)) + 1
    await insertKey(tx, { id, purpose: 'seal', wrapped: wrap(master_keys, randomBytes(key_bytes)) })
    return id
  })
}

/** Whether these master keys open the ring in the database. Creates no ring. */
export async function inspectKeyring(
  db: Database,
  masterKeys: readonly Buffer[],
): Promise<'opens' | 'closed' | 'empty'> {
  const rows = await readKeys(db, { lock: false })
  if (rows.length === 0) return 'empty'
  try {
    for (const row of rows) unwrap(masterKeys, row)
    return 'opens'
  } catch (error) {
    if (error instanceof UnsealError) return 'closed'
    throw error
  }
}

type Ring = {
  sealing: { id: number; key: Buffer }
  hashing: Buffer
  /** The same as a KeyObject: importing the bytes takes eight times as long as a hash. */
  macKey: KeyObject
  keys: Map<number, Buffer>
  /** The hashing keys of the cells from which tenants moved here. */
  carried: Map<string, KeyObject>
}

async function loadRing(db: Database, masterKeys: readonly Buffer[]): Promise<Ring> {
  let rows = await readKeys(db, { lock: false })
  if (rows.length === 0) {
    // Two processes may start at once; the first one to lock creates the ring, and both read it afterwards.
    await db.transaction(async (tx) => {
      if ((await readKeys(tx, { lock: true })).length > 0) return
      await insertKey(tx, { id: 1, purpose: 'mac', wrapped: wrap(masterKeys, randomBytes(key_bytes)) })
      await insertKey(tx, { id: 2, purpose: 'seal', wrapped: wrap(masterKeys, randomBytes(key_bytes)) })
    })
    rows = await readKeys(db, { lock: false })
  }
  const opened = rows.map((row) => ({ ...row, key: unwrap(masterKeys, row) }))
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
  }
}

function wrap([master]: readonly Buffer[], key: Buffer): Buffer {
  if (master === undefined) throw new Error('no master key is configured')
  return seal({ id: masterKeyId, key: master }, wrappingUse, key)
}

function unwrap(masterKeys: readonly Buffer[], { wrapped }: KeyRow): Buffer {
  for (const master of masterKeys) {
    try {
      return unseal(master, wrappingUse, wrapped)
    } catch (error) {
      // Wrapped under another master key: try the next one.
      if (!(error instanceof UnsealError)) throw error
    }
  }
  throw new UnsealError('MASTER_KEY does not open the key ring of this database')
}

/** Each part is prefixed with its length, so that no two lists of parts yield the same bytes. */
function frameParts(parts: readonly (string | Uint8Array)[]): Buffer {
  const whole = Buffer.allocUnsafe(parts.reduce((sum, part) => sum + 4 + Buffer.byteLength(part), 0))
  let end = 0
  for (const part of parts) {
    const start = end + 4
    if (typeof part !== 'string') whole.set(part, start)
    const length = typeof part === 'string' ? whole.write(part, start) : part.length
    whole.writeUInt32BE(length, end)
    end = start + length
  }
  return whole
}
