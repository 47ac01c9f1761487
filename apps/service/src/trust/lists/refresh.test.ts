import { writeFileSync } from 'node:fs'
import { createIssuer } from '@vidimus/sandbox'
import { describe, expect, test } from 'vitest'
import { joinPem } from '../../../test/trust/authorities.ts'
import { reply } from '../../../test/network/receiver.ts'
import {
  day,
  hour,
  names,
  openListFixture,
  operator,
  rootA,
  rootB,
} from '../../../test/trust/list-fixture.ts'
import {
  mdlIssuance,
  newListOperator,
  pidIssuance,
  pidRevocation,
  writeTrustList,
} from '../../../test/trust/trust-list.ts'
import { addAnchors } from '../anchors/add-anchor.ts'
import { listAnchors } from '../anchors/list-anchors.ts'
import { watchAnchors } from '../anchors/watch.ts'
import { openSandbox } from '../sandbox/open-sandbox.ts'
import { readListSettings } from './read-settings.ts'
import { refreshLists } from './refresh.ts'

describe('[TRUST-3] a trust list', () => {
  test('provides anchors for the document types of their services, with their source', async () => {
    await using fixture = await openListFixture()
    fixture.publish({
      services: { [pidIssuance]: [rootA, rootB], [mdlIssuance]: [rootB], 'another kind': [rootA] },
    })

    expect(await fixture.refresh()).toEqual([
      { environment: 'test', url: fixture.server.url, sequence_number: 1, anchors: 2 },
    ])
    expect(await fixture.anchors()).toEqual(['A: urn:eudi:pid:1', 'B: urn:eudi:pid:1 org.iso.18013.5.1.mDL'])
    const listed = await listAnchors({ db: fixture.db, sandbox: openSandbox(fixture) })
    expect(listed.filter(({ source }) => source === fixture.server.url)).toHaveLength(2)
  })

  test('gives each anchor its role and its entity', async () => {
    await using fixture = await openListFixture()
    fixture.configure({
      services: [{ service_type: pidIssuance }, { service_type: pidRevocation }],
    })
    const { url } = fixture.server
    const roles = async () => {
      const { anchors } = await watchAnchors({ db: fixture.db, sandbox: openSandbox(fixture) })('test')
      return anchors
        .filter(({ certificate }) => names.has(Buffer.from(certificate).toString('hex')))
        .map(
          ({ certificate, role, entity }) =>
            `${names.get(Buffer.from(certificate).toString('hex'))} ${role} ${entity}`,
        )
        .toSorted()
    }
    const services = { [pidIssuance]: [rootA], [pidRevocation]: [rootA, rootB] }
    fixture.publish({ entities: { Ministry: services } })
    await fixture.refresh()
    expect(await roles()).toEqual([
      `A issuing ${url} Ministry`,
      `A revocation ${url} Ministry`,
      `B revocation ${url} Ministry`,
    ])

    // A role that is withdrawn goes alone, and what two entities share stands alone.
    fixture.publish({
      sequence_number: 2,
      entities: { Ministry: { [pidIssuance]: [rootA, rootB] }, Office: { [pidIssuance]: [rootB] } },
    })
    await fixture.refresh()
    expect(await roles()).toEqual([`A issuing ${url} Ministry`, 'B issuing undefined'])
  })

  test('is trusted for all document types if its settings name none', async () => {
    await using fixture = await openListFixture()
    fixture.configure({ services: [{ service_type: pidIssuance }] })
    fixture.publish({})
    await fixture.refresh()
    expect(await fixture.anchors()).toEqual(['A: all'])
  })

  test('that changed removes and adds anchors; those that operators added stay', async () => {
    await using fixture = await openListFixture()
    await addAnchors(fixture, { environment: 'test', pem: joinPem(rootA), document_types: ['by hand'] })
    fixture.publish({})
    await fixture.refresh()
    expect(await fixture.anchors()).toEqual(['A: by hand', 'A: urn:eudi:pid:1'])

    fixture.publish({ sequence_number: 2, services: { [pidIssuance]: [rootB] } })
    await fixture.refresh()
    expect(await fixture.anchors()).toEqual(['A: by hand', 'B: urn:eudi:pid:1'])

    fixture.publish({ sequence_number: 3, services: {} })
    await fixture.refresh()
    expect(await fixture.anchors()).toEqual(['A: by hand'])
  })

  test('that did not change does not change the version', async () => {
    await using fixture = await openListFixture()
    fixture.publish({})
    await fixture.refresh()
    const version = await fixture.version()
    await fixture.refresh()
    expect(await fixture.version()).toBe(version)
  })

  test('is fetched every hour, and sooner after a failure, by one worker', async () => {
    await using fixture = await openListFixture()
    fixture.publish({})
    await Promise.all(Array.from({ length: 4 }, () => fixture.refresh(false)))
    expect(fixture.server.received).toHaveLength(1)

    await fixture.turn(0.9 * hour)
    expect(await fixture.refresh(false)).toEqual([])
    await fixture.turn(1.1 * hour)
    fixture.behave(reply(503))
    expect(await fixture.refresh(false)).toHaveLength(1)
    expect(await fixture.refresh(false)).toHaveLength(0)
    await fixture.turn(1.1 * hour + 301)
    expect(await fixture.refresh(false)).toHaveLength(1)
  })
})

describe('[TRUST-3] the last good copy of a trust list stays', () => {
  test.each<[string, (fixture: Awaited<ReturnType<typeof openListFixture>>) => void, string]>([
    ['the server is unavailable', (fixture) => fixture.behave(reply(503)), 'the server replied 503'],
    ['it redirects', (fixture) => fixture.behave(reply(302, { location: '/' })), 'the server replied 302'],
    [
      'the server hangs up',
      (fixture) => fixture.behave((socket) => void socket.destroy()),
      'could not be fetched',
    ],
    ['it is not a list', (fixture) => fixture.behave(reply(200, {}, '<html>')), ''],
    [
      'it is from another signer than the pinned one',
      (fixture) => fixture.publish({ sequence_number: 3 }, newListOperator('X')),
      'not trusted',
    ],
    [
      'it is signed with another key than the pinned one',
      (fixture) => fixture.publish({ sequence_number: 3 }, { ...operator, key: newListOperator('X').key }),
      'signature',
    ],
    ['it goes back to an earlier number', (fixture) => fixture.publish({ sequence_number: 1 }), 'older'],
    [
      'it goes back to an earlier issue of the same number',
      (fixture) => fixture.publish({ sequence_number: 2, issued_at: fixture.started - 100 }),
      'older',
    ],
    [
      'it has a higher number and an earlier issue',
      (fixture) => fixture.publish({ sequence_number: 3, issued_at: fixture.started - 100 }),
      'older',
    ],
    [
      'it has expired',
      (fixture) => fixture.publish({ sequence_number: 3, next_update: fixture.started - 1 }),
      'expired',
    ],
  ])('when %s', async (_what, spoil, fault) => {
    await using fixture = await openListFixture()
    fixture.publish({ sequence_number: 2, services: { [pidIssuance]: [rootA] } })
    await fixture.refresh()
    const version = await fixture.version()

    spoil(fixture)
    expect(await fixture.refresh()).toEqual([
      expect.objectContaining({ fault: expect.stringContaining(fault) }),
    ])
    expect(await fixture.anchors()).toEqual(['A: urn:eudi:pid:1'])
    expect(await fixture.version()).toBe(version)
    expect(await fixture.state()).toMatchObject({
      sequence_number: 2,
      fault: expect.stringContaining(fault),
      expired: false,
    })
    expect(fixture.lines.join('')).toContain('a trust list could not be refreshed')
  })

  test('until its own NextUpdate, whether a worker runs or not, and its anchors return with a fresh one', async () => {
    await using fixture = await openListFixture()
    fixture.publish({ next_update: fixture.started + day })
    await fixture.refresh()
    const version = await fixture.version()
    await fixture.turn(day - 60)
    expect(await fixture.state()).toMatchObject({ stale: true, expired: false })
    expect(await fixture.anchors()).toEqual(['A: urn:eudi:pid:1'])

    await fixture.turn(day + 60)
    expect(await fixture.state()).toMatchObject({ expired: true })
    expect(await fixture.anchors()).toEqual([])
    expect(await fixture.version()).not.toBe(version)

    fixture.publish({ sequence_number: 2, next_update: fixture.started + 2 * day })
    await fixture.refresh()
    expect(await fixture.state()).toMatchObject({ stale: false, expired: false })
    expect(await fixture.anchors()).toEqual(['A: urn:eudi:pid:1'])
  })

  test('and for the hours of grace in its settings', async () => {
    await using fixture = await openListFixture()
    fixture.configure({ grace_hours: 48 })
    fixture.publish({ next_update: fixture.started + day })
    await fixture.refresh()

    await fixture.turn(3 * day - 60)
    expect(await fixture.anchors()).toEqual(['A: urn:eudi:pid:1'])
    await fixture.turn(3 * day + 60)
    expect(await fixture.anchors()).toEqual([])
  })
})

describe('[TRUST-3] anchors that the settings no longer allow are removed', () => {
  test('if a signer is no longer pinned, although the server still serves its list', async () => {
    await using fixture = await openListFixture()
    fixture.publish({})
    await fixture.refresh()
    fixture.configure({ signers: [newListOperator('Successor').authority.certificate] })
    await fixture.refresh()

    expect(await fixture.anchors()).toEqual([])
    fixture.configure()
    await fixture.refresh()
    expect(await fixture.anchors()).toEqual(['A: urn:eudi:pid:1'])
  })

  test('if the services change, using the stored copy while the server is unavailable', async () => {
    await using fixture = await openListFixture()
    fixture.publish({ services: { [pidIssuance]: [rootA], [mdlIssuance]: [rootB] } })
    await fixture.refresh()
    fixture.behave(reply(503))
    fixture.configure({ services: [{ service_type: mdlIssuance, document_types: ['c'] }] })
    await fixture.refresh()
    expect(await fixture.anchors()).toEqual(['B: c'])
  })

  test('if a list is no longer in the file', async () => {
    await using fixture = await openListFixture()
    fixture.publish({})
    await fixture.refresh()
    writeFileSync(fixture.file, '[]')
    await fixture.refresh(false)
    expect(await fixture.anchors()).toEqual([])
    expect(await fixture.state()).toBeUndefined()
  })
})

test('[TRUST-2] a sandbox certificate in a live list is not trusted', async () => {
  await using fixture = await openListFixture()
  const settings = readListSettings(fixture.file).map((list) => ({ ...list, environment: 'live' as const }))
  const sandboxRoot = createIssuer({ now: new Date() }).hierarchies.persons.root.certificate
  fixture.publish({ services: { [pidIssuance]: [rootA, sandboxRoot] } })
  await refreshLists({ db: fixture.db, egress: fixture.egress, log: fixture.log }, settings, { all: true })

  const { anchors } = await watchAnchors({ db: fixture.db, sandbox: openSandbox(fixture) })('live')
  expect(anchors.map(({ certificate }) => Buffer.from(certificate).equals(rootA))).toEqual([true])
})

const racers = 8

test(`[TRUST-3] of ${racers} workers that refresh at once while the list changes, none restores an older one`, async () => {
  await using fixture = await openListFixture()
  let number = 0
  fixture.behave((socket, request) => {
    number += 1
    const later = number % 2 === 0 ? [rootA] : [rootB]
    const content = {
      sequence_number: number,
      issued_at: fixture.started,
      next_update: fixture.started + day,
    }
    reply(
      200,
      {},
      writeTrustList(operator, { ...content, services: { [pidIssuance]: later } }),
    )(socket, request)
  })
  const workers = await Promise.all(Array.from({ length: racers }, () => fixture.openAnother()))
  const settings = readListSettings(fixture.file)
  for (let round = 0; round < 5; round += 1) {
    await Promise.all(
      workers.map(({ db, log }) =>
        refreshLists({ db, egress: fixture.egress, log }, settings, { all: true }),
      ),
    )
    const { sequence_number } = (await fixture.state()) ?? {}
    expect(sequence_number).toBeGreaterThan(0)
    expect(await fixture.anchors()).toEqual([
      (sequence_number ?? 0) % 2 === 0 ? 'A: urn:eudi:pid:1' : 'B: urn:eudi:pid:1',
    ])
  }
})
