import { sealing, type SealingPrivateJwk, type UsableKey } from '@vidimus/sdk'

/** A private key as a file has it. */
export function readPrivateJwk(text: string): SealingPrivateJwk | undefined {
  try {
    const { kty, crv, x, y, d } = JSON.parse(text) as Partial<SealingPrivateJwk> // each member is checked below
    const isKey = kty === 'EC' && crv === 'P-256' && [x, y, d].every((each) => typeof each === 'string')
    return isKey ? { kty, crv, x: String(x), y: String(y), d: String(d) } : undefined
  } catch {
    // Not JSON.
    return undefined
  }
}

/** Keeps a key in this browser, so that nothing can read it any more, not even this page. Returns its thumbprint. */
export async function keepKey(jwk: SealingPrivateJwk): Promise<string> {
  const usable = await sealing.importPrivateKey(jwk)
  await inStore('readwrite', (store) => store.put(usable))
  return usable.kid
}

export async function listKeys(): Promise<UsableKey[]> {
  return inStore<UsableKey[]>('readonly', (store) => store.getAll())
}

export async function forgetKey(kid: string): Promise<void> {
  await inStore('readwrite', (store) => store.delete(kid))
}

const storeName = 'keys'

/** WebCrypto's keys can be stored as they are; one that is not extractable stays so. */
async function inStore<Result = unknown>(
  mode: IDBTransactionMode,
  request: (store: IDBObjectStore) => IDBRequest,
): Promise<Result> {
  const opening = indexedDB.open('vidimus-sealing', 1)
  opening.addEventListener('upgradeneeded', () =>
    opening.result.createObjectStore(storeName, { keyPath: 'kid' }),
  )
  const database = (await toPromise(opening)) as IDBDatabase // what `open` results in
  try {
    return (await toPromise(request(database.transaction(storeName, mode).objectStore(storeName)))) as Result
  } finally {
    database.close()
  }
}

function toPromise(request: IDBRequest): Promise<unknown> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    // Once it has failed, it has an error.
    request.addEventListener('error', () => reject(request.error as DOMException))
  })
}
