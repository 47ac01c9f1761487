import { openStatusList, type TrustContext } from '@vidimus/protocol'
import { exportAnchors } from '@vidimus/sandbox'
import { afterAll, describe, expect, test } from 'vitest'
import { setClockOffset } from '../../../test/database/clock.ts'
import { openEgressFixture } from '../../../test/network/egress-fixture.ts'
import { presentAndVerify, queries } from '../../../test/trust/presentation.ts'
import { readClock, openTestStores, type TestStores } from '../../../test/database/stores.ts'
import { openSandbox, openSandboxIssuer } from '../sandbox/open-sandbox.ts'
import { openStatusLookup, type LookUpStatus } from './lookup.ts'

const day = 86_400
const egress = await openEgressFixture({}, '127.0.0.1/32')
afterAll(() => egress[Symbol.asyncDispose]())

function openLookup({ db, keyring }: TestStores): LookUpStatus {
  return openStatusLookup({
    db,
    sandbox: openSandbox({ db, keyring }),
    egress: { test: egress, live: egress },
  })
}

describe("[TRUST-2] the sandbox's own lists", () => {
  test('are served in test without a network request', async () => {
    await using stores = await openTestStores()
    const before = egress.nameServer.queries.length
    const issuer = await openSandboxIssuer(await stores.openAnother())
    const now = await readClock(stores.db)
    const lookUp = openLookup(stores)
    const trust: TrustContext = {
      anchors: exportAnchors(issuer),
      lookUpStatus: async (uri) => (await lookUp({ tenant_id: 'one', environment: 'test', uri, now }))?.token,
      status_unavailable: 'fail',
    }

    for (const query of [queries.pid, queries.mdl]) {
      expect(await presentAndVerify({ issuer, query, now }, trust)).toMatchObject({ status: 'completed' })
      expect(await presentAndVerify({ issuer, query, now, persona: 'revoked' }, trust)).toMatchObject({
        error: { code: 'credential_revoked' },
      })
    }
    const uri = `${issuer.status_uri}/persons/current.jwt`
    const [first, later] = [
      await lookUp({ tenant_id: 'one', environment: 'test', uri, now }),
      await lookUp({ tenant_id: 'one', environment: 'test', uri, now: now + 30 }),
    ]
    expect(first?.good_until).toBeGreaterThan(now + 30)
    expect(later?.token).toBe(first?.token)
    expect(
      await lookUp({
        tenant_id: 'one',
        environment: 'test',
        uri: `${issuer.status_uri}/persons/absent.jwt`,
        now,
      }),
    ).toBeUndefined()
    expect(egress.nameServer.queries).toHaveLength(before)
  })

  test('are valid at any time', async () => {
    await using stores = await openTestStores()
    const lookUp = openLookup(stores)
    const now = await readClock(stores.db)
    for (const later of [0, 30 * day, 800 * day]) {
      await setClockOffset(stores.db, `${later} seconds`)
      const uri = 'https://sandbox.invalid/status/persons/current.jwt'
      const found = await lookUp({ tenant_id: 'one', environment: 'test', uri, now: now + later })
      const opened = found && openStatusList(found.token)
      expect(opened).toMatchObject({ value: { issued_at: Math.floor(now + later) } })
    }
  })

  test('do not exist in live, and no name server gets a query for them', async () => {
    await using stores = await openTestStores()
    const before = egress.nameServer.queries.length
    const uri = 'https://sandbox.invalid/status/persons/current.jwt'
    expect(await openLookup(stores)({ tenant_id: 'one', environment: 'live', uri, now: 0 })).toBeUndefined()
    expect(egress.nameServer.queries).toHaveLength(before)
  })
})
