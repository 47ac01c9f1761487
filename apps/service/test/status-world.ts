import { afterAll } from 'vitest'
import { openSandbox } from '../src/trust/sandbox/open.ts'
import { openStatusLookup, type LookupSource, type LookUpStatus } from '../src/trust/status/lookup.ts'
import { openDoor } from './door.ts'
import { startStatusIssuer } from './status-issuer.ts'
import { clockOf, openStores, type Stores } from './stores.ts'

const door = await openDoor({ 'lists.test': ['127.0.0.1'] }, '127.0.0.1/32')
afterAll(() => door[Symbol.asyncDispose]())

export function openLookUp({ db, keyring }: Stores, found: LookupSource[] = [], egress = door): LookUpStatus {
  const sandbox = openSandbox({ db, keyring })
  return openStatusLookup({
    db,
    sandbox,
    egress: { test: egress, live: egress },
    onLookUp: (where) => found.push(where),
  })
}

/** A database, an issuer with its server, and look-ups in live at the database's time, turned as far as the test turns it. */
export async function openStatusWorld() {
  const stores = await openStores()
  const issuer = await startStatusIssuer()
  const found: LookupSource[] = []
  const lookUp = openLookUp(stores, found)
  return {
    stores,
    issuer,
    found,
    lookUp: async (uri = issuer.uri) =>
      (await lookUp({ tenant_id: 'one', environment: 'live', uri, now: await clockOf(stores.db) }))?.token,
    lookUpAt: async (now: number) =>
      (await lookUp({ tenant_id: 'one', environment: 'live', uri: issuer.uri, now }))?.token,
    async [Symbol.asyncDispose]() {
      await issuer[Symbol.asyncDispose]()
      await stores[Symbol.asyncDispose]()
    },
  }
}
