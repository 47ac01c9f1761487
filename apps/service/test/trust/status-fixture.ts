import { openSandbox } from '../../src/trust/sandbox/open-sandbox.ts'
import { openStatusLookup, type LookupSource, type LookUpStatus } from '../../src/trust/status/lookup.ts'
import { openEgressFixture } from '../network/egress-fixture.ts'
import { startStatusIssuer } from './status-issuer.ts'
import { readClock, openTestStores, type TestStores } from '../database/stores.ts'

/** Shared by all test files of one worker process; it ends with the process. */
const egressFixture = await openEgressFixture({ 'lists.test': ['127.0.0.1'] }, '127.0.0.1/32')

export function openTestLookup(
  { db, keyring }: TestStores,
  found: LookupSource[] = [],
  egress = egressFixture,
): LookUpStatus {
  const sandbox = openSandbox({ db, keyring })
  return openStatusLookup({
    db,
    sandbox,
    egress: { test: egress, live: egress },
    onLookup: (where) => found.push(where),
  })
}

/** A database, an issuer with its server, and live lookups at the time of the database's clock, which a test can shift. */
export async function openStatusFixture() {
  const stores = await openTestStores()
  const issuer = await startStatusIssuer()
  const found: LookupSource[] = []
  const lookUp = openTestLookup(stores, found)
  return {
    stores,
    issuer,
    found,
    lookUp: async (uri = issuer.uri) =>
      (await lookUp({ tenant_id: 'one', environment: 'live', uri, now: await readClock(stores.db) }))?.token,
    lookUpAt: async (now: number) =>
      (await lookUp({ tenant_id: 'one', environment: 'live', uri: issuer.uri, now }))?.token,
    async [Symbol.asyncDispose]() {
      await issuer[Symbol.asyncDispose]()
      await stores[Symbol.asyncDispose]()
    },
  }
}
