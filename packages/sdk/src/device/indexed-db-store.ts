import { VidimusError } from '../errors.ts'
import type { StoredTokens, TokenStore } from './token-store.ts'

/** As much of IndexedDB as is used here, so that the package's types ask for no browser. */
type Target = { addEventListener(event: string, heard: () => void): void }
type Request<Result> = Target & { result: Result; error: unknown }
type Objects = {
  get(key: string): Request<StoredTokens | undefined>
  put(value: StoredTokens, key: string): unknown
  delete(key: string): unknown
}
type Transaction = Target & { objectStore(name: string): Objects; error: unknown }
type Database = {
  createObjectStore(name: string): unknown
  transaction(name: string, mode: 'readwrite', options: { durability: 'strict' }): Transaction
}
type Factory = { open(name: string, version: number): Request<Database> }

const objects = 'tokens'
const key = 'device'

/**
 * Keeps the tokens in the browser, for all tabs of the page's origin. A transaction that writes shuts every other one out, in whichever tab,
 * and with strict durability it completes only when the disk has it. `localStorage` promises neither.
 */
export function indexedDbStore(name = 'vidimus'): TokenStore {
  let opening: Promise<Database> | undefined
  return {
    async update(change) {
      opening ??= open(name)
      return apply(await opening, change)
    },
  }
}

function open(name: string): Promise<Database> {
  const { indexedDB } = globalThis as { indexedDB?: Factory } // a browser has it
  if (indexedDB === undefined) {
    return Promise.reject(
      new VidimusError('There is no IndexedDB here: give the device client another store.'),
    )
  }
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1)
    request.addEventListener('upgradeneeded', () => void request.result.createObjectStore(objects))
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(unusable(request.error)))
  })
}

function apply(
  database: Database,
  change: (stored: StoredTokens | undefined) => StoredTokens | undefined,
): Promise<StoredTokens | undefined> {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(objects, 'readwrite', { durability: 'strict' })
    const store = transaction.objectStore(objects)
    const found = store.get(key)
    let next: StoredTokens | undefined
    found.addEventListener('success', () => {
      next = change(found.result)
      if (next === found.result) return
      if (next === undefined) store.delete(key)
      else store.put(next, key)
    })
    transaction.addEventListener('complete', () => resolve(next))
    // A failed write aborts the transaction, and so does a change that throws.
    transaction.addEventListener('abort', () => reject(unusable(transaction.error)))
  })
}

function unusable(cause: unknown): VidimusError {
  return new VidimusError('The browser did not keep the tokens: is its storage full, or switched off?', {
    cause,
  })
}
