import { createHmac, type KeyObject } from 'node:crypto'
import type { Database } from '../db/open.ts'
import type { Log } from '../observability/log.ts'
import { deriveBytes } from './derive-bytes.ts'
import { MasterKeyError, type MasterKey } from './master-key.ts'
import { loadRing, type Ring } from './ring.ts'
import { readKeyId, seal, unseal, UnsealError } from './seal.ts'

export type Keyring = {
  /** Encrypts a secret that must be used again. `use` names its purpose and must be the same when it is decrypted. */
  seal(use: string, plain: Uint8Array): Buffer
  /** Reads the ring again, so that a key that another process has added seals from now on. Keys that cannot be opened now change nothing. */
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
export type KeyringOptions = {
  db: Database
  master_keys: readonly MasterKey[]
  cell?: string
  log?: Log
}

/**
 * The ring is stored in the database, wrapped by the master key, and held unwrapped in memory. The newest sealing key seals;
 * all of them unseal. Hashing and derivation have a separate key that never changes, because values are looked up by their hash.
 */
export async function openKeyring({ db, master_keys, cell: own, log }: KeyringOptions): Promise<Keyring> {
  let ring = await loadRing({ db, master_keys })
  let loading: Promise<void> | undefined
  const reload = async () => {
    const held = ring
    ring = await loadRing({ db, master_keys }, held)
    warnOnce(log, held, ring)
  }
  const keyring: Keyring = {
    seal: (use, plain) => seal(ring.sealing, use, plain),
    reload,
    async unseal(use, sealed) {
      const id = readKeyId(sealed)
      if (!ring.keys.has(id)) await reload()
      const key = ring.keys.get(id)
      if (key === undefined) throw ring.unopened.get(id) ?? new UnsealError(`the key ring has no key ${id}`)
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

/** Once for each key, and again after it could be opened in between. */
function warnOnce(log: Log | undefined, held: Ring, { unopened }: Ring): void {
  for (const [id, error] of unopened)
    if (!held.unopened.has(id))
      log?.warn(
        { ring_key: id, reason: error instanceof MasterKeyError ? error.explain() : error.message },
        'could not open a key of the ring; this process goes on with those it has',
      )
}

function hashingWith(key: KeyObject): Hashing {
  return { mac: (use, ...parts) => hashParts(key, [use, ...parts]) }
}

/** Each part is prefixed with its length, so that no two lists of parts yield the same bytes. */
function hashParts(key: KeyObject, parts: readonly (string | Uint8Array)[]): Buffer {
  const hmac = createHmac('sha256', key)
  for (const part of parts) {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(Buffer.byteLength(part))
    hmac.update(length).update(part)
  }
  return hmac.digest()
}

/** The keyed hash by which a request log knows a verification: its id is a capability and is not kept (LOG-3). */
export function hashLoggedVerification(keyring: Pick<Keyring, 'mac'>, id: string): Buffer {
  return keyring.mac('session in request log', id).subarray(0, 16)
}
