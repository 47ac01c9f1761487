import { VidimusError } from '../errors.ts'
import type { StoredTokens, TokenStore } from './token-store.ts'

/** The part of IndexedDB that is used here, so that the package's types do not require the DOM library. */
type EventTargetLike = { addEventListener(event: string, listener: () => void): void }
type DatabaseRequest<Result> = EventTargetLike & { result: Result; error: unknown }
type ObjectStore = {
  get(key: string): DatabaseRequest<StoredTokens | undefined>
  put(value: StoredTokens, key: string): unknown
  delete(key: string): unknown
}
type DatabaseTransaction = EventTargetLike & { objectStore(name: string): ObjectStore; error: unknown }
type Database = {
  createObjectStore(name: string): unknown
  transaction(name: string, mode: 'readwrite', options: { durability: 'strict' }): DatabaseTransaction
}
type DatabaseFactory = { open(name: string, version: number): DatabaseRequest<Database> }

const objectStoreName = 'tokens'
const key = 'device'

/**
 * Stores the tokens in the browser, for all tabs of the page's origin. A `readwrite` transaction excludes all others in every tab, and
 * with strict durability it completes only once the data is on disk. `localStorage` guarantees neither.
 */
export function indexedDbStore(name = 'vidimus'): TokenStore {
  let opening: Promise<Database> | undefined
  return {
    async update(change) {
      opening ??= openDatabase(name)
      return updateInTransaction(await opening, change)
    },
  }
}

function openDatabase(name: string): Promise<Database> {
  const { indexedDB } = globalThis as { indexedDB?: DatabaseFactory } // Browsers have it.
  if (indexedDB === undefined) {
    return Promise.reject(
      new VidimusError('IndexedDB is not available here. Pass another store to the device client.'),
    )
  }
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1)
    request.addEventListener('upgradeneeded', () => void request.result.createObjectStore(objectStoreName))
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(createStorageError(request.error)))
  })
}

function updateInTransaction(
  database: Database,
  change: (stored: StoredTokens | undefined) => StoredTokens | undefined,
): Promise<StoredTokens | undefined> {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(objectStoreName, 'readwrite', { durability: 'strict' })
    const store = transaction.objectStore(objectStoreName)
    const found = store.get(key)
    let next: StoredTokens | undefined
    found.addEventListener('success', () => {
      next = change(found.result)
      if (next === found.result) return
      if (next === undefined) store.delete(key)
      else store.put(next, key)
    })
    transaction.addEventListener('complete', () => resolve(next))
    // A failed write aborts the transaction, and so does an exception in `change`.
    transaction.addEventListener('abort', () => reject(createStorageError(transaction.error)))
  })
}

function createStorageError(cause: unknown): VidimusError {
  return new VidimusError('The browser could not store the tokens. Is its storage full or disabled?', {
    cause,
  })
}
