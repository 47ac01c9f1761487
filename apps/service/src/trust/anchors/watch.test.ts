import { setTimeout as pass } from 'node:timers/promises'
import type { TrustContext } from '@vidimus/protocol'
import { exportAnchors, createIssuer, type Issuer } from '@vidimus/sandbox'
import { expect, test } from 'vitest'
import { newAuthority, joinPem } from '../../../test/trust/authorities.ts'
import { presentAndVerify, queries } from '../../../test/trust/presentation.ts'
import { readClock, openTestStores, type TestStores } from '../../../test/database/stores.ts'
import type { Db } from '../../engine/db/open.ts'
import { sql, type Sql } from '../../engine/db/sql.ts'
import { openSandbox, openSandboxIssuer } from '../sandbox/open-sandbox.ts'
import { addAnchors } from './add-anchor.ts'
import { computeFingerprint, describeCertificate, listAnchors } from './list-anchors.ts'
import { removeAnchor } from './remove.ts'
import { watchAnchors, type TrustSnapshot } from './watch.ts'

const timeout_ms = 3000

function watch({ db, keyring }: TestStores) {
  return watchAnchors({ db, sandbox: openSandbox({ db, keyring }) })
}

/** An issuer such as a Member State's: it issues the sandbox's documents, but under other authorities. */
function createUnknownIssuer(): { issuer: Issuer; pem: string; roots: Uint8Array[] } {
  const issuer = createIssuer({ now: new Date(), organization: 'Ministry' })
  const roots = exportAnchors(issuer).map(({ certificate }) => certificate)
  return { issuer, roots, pem: joinPem(...roots) }
}

function trustAnchorsOf({ anchors }: TrustSnapshot): TrustContext {
  return { anchors, lookUpStatus: async () => undefined, status_unavailable: 'warning' }
}

test('[TRUST-1] a credential is trusted only in the environment to which its authority was added', async () => {
  await using stores = await openTestStores()
  const snapshotOf = watch(stores)
  const now = await readClock(stores.db)
  const { issuer, pem } = createUnknownIssuer()
  await addAnchors(stores, { environment: 'live', pem })

  for (const query of [queries.pid, queries.mdl]) {
    expect(
      await presentAndVerify({ issuer, query, now }, trustAnchorsOf(await snapshotOf('live'))),
    ).toMatchObject({
      status: 'completed',
      credentials: [{ trusted: true }],
    })
    expect(
      await presentAndVerify({ issuer, query, now }, trustAnchorsOf(await snapshotOf('test'))),
    ).toMatchObject({
      status: 'failed',
      error: { code: 'issuer_untrusted' },
      claims: {},
    })
  }
})

test('[TRUST-1] an anchor is trusted only for the document types it was added for', async () => {
  await using stores = await openTestStores()
  const snapshotOf = watch(stores)
  const now = await readClock(stores.db)
  const { issuer, pem } = createUnknownIssuer()
  await addAnchors(stores, { environment: 'live', pem, document_types: ['urn:eudi:pid:1'] })

  const trust = trustAnchorsOf(await snapshotOf('live'))
  expect(await presentAndVerify({ issuer, query: queries.pid, now }, trust)).toMatchObject({
    status: 'completed',
  })
  expect(await presentAndVerify({ issuer, query: queries.mdl, now }, trust)).toMatchObject({
    status: 'failed',
  })
})

test('[TRUST-2] the test environment trusts the sandbox issuer; the live environment does not', async () => {
  await using stores = await openTestStores()
  const snapshotOf = watch(stores)
  const now = await readClock(stores.db)
  const issuer = await openSandboxIssuer(await stores.openAnother())

  for (const query of [queries.pid, queries.mdl]) {
    expect(
      await presentAndVerify({ issuer, query, now }, trustAnchorsOf(await snapshotOf('test'))),
    ).toMatchObject({
      status: 'completed',
      credentials: [{ trusted: true }],
    })
    expect(
      await presentAndVerify({ issuer, query, now }, trustAnchorsOf(await snapshotOf('live'))),
    ).toMatchObject({
      error: { code: 'issuer_untrusted' },
      claims: {},
    })
  }
})

test('[TRUST-2] live trusts no sandbox, however its certificates were added', async () => {
  await using stores = await openTestStores()
  const own = await openSandboxIssuer(stores)
  const foreign = createIssuer({ now: new Date() })
  const certificates = [own, foreign].flatMap(({ hierarchies, signers }) => [
    hierarchies.persons.root.certificate,
    hierarchies.persons.issuing.certificate,
    hierarchies.mobile.root.certificate,
    ...signers.pid.chain,
  ])

  const honest = newAuthority('Honest Root').certificate
  for (const certificate of certificates) {
    const pem = joinPem(honest, certificate)
    await expect(addAnchors(stores, { environment: 'live', pem })).rejects.toThrow('sandbox')
    await stores.db.execute(sql`
      insert into trust_anchors (environment, fingerprint, certificate)
      values ('live', ${computeFingerprint(certificate)}, ${certificate}) on conflict do nothing`)
  }
  expect((await watch(stores)('live')).anchors).toEqual([])
  await addAnchors(stores, { environment: 'test', pem: joinPem(...certificates) })
})

test('the other processes see a change within seconds, under a new version', async () => {
  await using stores = await openTestStores()
  const here = watch(stores)
  const there = watch(await stores.openAnother())
  const empty = await there('live')
  expect(empty.anchors).toEqual([])

  const authority = newAuthority('Root A')
  await addAnchors(stores, { environment: 'live', pem: joinPem(authority.certificate) })
  await expect.poll(async () => (await there('live')).anchors.length, { timeout: timeout_ms }).toBe(1)
  const added = await there('live')
  expect(added.version).not.toBe(empty.version)
  expect(Buffer.from(added.anchors[0]?.certificate ?? [])).toEqual(Buffer.from(authority.certificate))

  const { fingerprint } = describeCertificate(authority.certificate)
  await removeAnchor(stores, { environment: 'live', fingerprint })
  await expect.poll(async () => (await there('live')).anchors.length, { timeout: timeout_ms }).toBe(0)
  const removed = await there('live')
  expect(new Set([empty.version, added.version, removed.version]).size).toBe(3)
  expect((await here('live')).version).toBe(removed.version)
})

test('while nothing changes, the snapshot is the same object and is checked at most twice a second', async () => {
  await using stores = await openTestStores()
  let statements = 0
  const counted: Db = {
    execute: (statement) => stores.db.execute(statement),
    query<Row extends object>(statement: Sql) {
      statements += 1
      return stores.db.query<Row>(statement)
    },
  }
  const snapshotOf = watchAnchors({ db: counted, sandbox: openSandbox(stores) })
  const first = await snapshotOf('live')
  statements = 0

  const started = performance.now()
  let calls = 0
  while (performance.now() - started < 2500) {
    const snapshots = await Promise.all(Array.from({ length: 50 }, () => snapshotOf('live')))
    calls += snapshots.length
    expect(snapshots.every((snapshot) => snapshot === first)).toBe(true)
    await pass(1)
  }
  expect(calls).toBeGreaterThan(1000)
  expect(statements).toBeLessThanOrEqual(6)
})

test('nobody waits for the check of a snapshot that is not a second old', async () => {
  await using stores = await openTestStores()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  let held = false
  const slow: Db = {
    execute: (statement) => stores.db.execute(statement),
    async query<Row extends object>(statement: Sql) {
      if (held) await released
      return stores.db.query<Row>(statement)
    },
  }
  const snapshotOf = watchAnchors({ db: slow, sandbox: openSandbox(stores) })
  const first = await snapshotOf('live')
  held = true
  await pass(600)
  expect(await snapshotOf('live')).toBe(first)

  await pass(500)
  const waiting = snapshotOf('live')
  expect(await Promise.race([waiting, pass(200, 'waits')])).toBe('waits')
  release()
  expect(await waiting).toBe(first)
})

test('adding an existing anchor changes nothing, unless its document types differ', async () => {
  await using stores = await openTestStores()
  const pem = joinPem(newAuthority('Root A').certificate).repeat(2)
  const version = async () => (await watch(stores)('test')).version
  const before = await version()

  await addAnchors(stores, { environment: 'test', pem, document_types: ['a'] })
  const added = await version()
  await addAnchors(stores, { environment: 'test', pem, document_types: ['a'] })
  expect(await version()).toBe(added)
  expect(added).not.toBe(before)

  await addAnchors(stores, { environment: 'test', pem, document_types: ['a', 'b'] })
  expect(await version()).not.toBe(added)
  const sandbox = openSandbox(stores)
  expect(
    (await listAnchors({ db: stores.db, sandbox })).filter(({ source }) => source === 'operator'),
  ).toMatchObject([
    { environment: 'test', document_types: ['a', 'b'], subject: 'C=UT, CN=Root A', expired: false },
  ])
})

test('[TRUST-3] a PEM file with an invalid certificate is refused as a whole', async () => {
  await using stores = await openTestStores()
  const pem = `${joinPem(newAuthority('Root A').certificate)}-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n`

  await expect(addAnchors(stores, { environment: 'live', pem })).rejects.toThrow('certificate 2')
  await expect(addAnchors(stores, { environment: 'live', pem: 'no PEM at all' })).rejects.toThrow(
    'no certificate',
  )
  expect((await watch(stores)('live')).anchors).toEqual([])
})

test('an anchor that was not added cannot be removed', async () => {
  await using stores = await openTestStores()
  const { fingerprint } = describeCertificate(newAuthority('Root A').certificate)
  await expect(removeAnchor(stores, { environment: 'live', fingerprint })).rejects.toThrow(fingerprint)
  await expect(removeAnchor(stores, { environment: 'live', fingerprint: 'no fingerprint' })).rejects.toThrow(
    'No anchor',
  )
})
