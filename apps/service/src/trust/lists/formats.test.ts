import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createListOperator,
  trustedListPurpose,
  trustedListType,
  vicalPurpose,
  writeTrustedList,
  writeVical,
  type ListOperator,
  type TrustedListContent,
  type TrustedListFault,
  type VicalContent,
  type VicalFault,
} from '@vidimus/sandbox'
import { afterAll, describe, expect, test } from 'vitest'
import { newAuthority, joinPem } from '../../../test/trust/authorities.ts'
import { setClockOffset } from '../../../test/database/clock.ts'
import { openEgressFixture } from '../../../test/network/egress-fixture.ts'
import { reply, startReceiver, type ReceiverBehaviour } from '../../../test/network/receiver.ts'
import { sql } from '../../engine/db/sql.ts'
import { readClock, openTestStores } from '../../../test/database/stores.ts'
import { replyBytes } from '../../../test/trust/status-issuer.ts'
import { readCurrentAnchors } from '../anchors/store.ts'
import { readListSettings } from './read-settings.ts'
import { refreshLists } from './refresh.ts'
import { readLists } from './store.ts'

const day = 86_400
const egress = await openEgressFixture({}, '127.0.0.1/32')
const folder = mkdtempSync(join(tmpdir(), 'vidimus-formats-'))
afterAll(async () => {
  for (const shared of [sharedVical, sharedXml]) await (await shared)[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
  await egress[Symbol.asyncDispose]()
})

const rootA = newAuthority('Root A').certificate
const rootB = newAuthority('Root B').certificate
const names = new Map([rootA, rootB].map((root, index) => [Buffer.from(root).toString('hex'), 'AB'[index]]))
const mdl = 'org.iso.18013.5.1.mDL'
const qeaa = 'http://uri.etsi.org/TrstSvc/Svctype/EAA/Q'

/** A server with a list of any format, and the stores of a service that is configured with it. */
async function openFixture(settings: object, operator: ListOperator) {
  const stores = await openTestStores()
  let behaviour: ReceiverBehaviour = reply(404)
  const server = await startReceiver((socket, request) => behaviour(socket, request))
  const started = await readClock(stores.db)
  const file = join(folder, `${server.port}.json`)
  const configure = (more: object = {}) => {
    const signers = joinPem(operator.authority.certificate)
    const list = { url: server.url, environment: 'test', signers, ...settings, ...more }
    writeFileSync(file, JSON.stringify([list]))
  }
  configure()
  return {
    ...stores,
    server,
    configure,
    behave: (next: ReceiverBehaviour) => {
      behaviour = next
    },
    at: (seconds: number) => new Date((started + seconds) * 1000),
    refresh: () =>
      refreshLists({ db: stores.db, egress, log: stores.log }, readListSettings(file), { all: true }),
    async anchors() {
      const { anchors } = await readCurrentAnchors(stores.db, 'test')
      return anchors.map(({ certificate, document_types, entity }) => {
        const name = names.get(certificate.toString('hex'))
        return `${name}: ${document_types?.join(' ') ?? 'all'}${entity === null ? '' : ` of ${entity.replace(`${server.url} `, '')}`}`
      })
    },
    state: async () => (await readLists(stores.db))[0],
    turn: (seconds: number) => setClockOffset(stores.db, `${seconds} seconds`),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await stores[Symbol.asyncDispose]()
    },
  }
}

async function openVicalFixture(settings: object = {}, purpose = vicalPurpose) {
  const operator = createListOperator({ name: 'VICAL Provider', now: new Date(), purpose })
  const fixture = await openFixture({ format: 'vical', ...settings }, operator)
  const { at } = fixture
  return Object.assign(fixture, {
    operator,
    publish: (content: Partial<VicalContent> = {}, fault?: VicalFault, by = operator) => {
      const list = {
        date: at(-60),
        next_update: at(10 * day),
        issue_id: 1,
        entries: [{ certificate: rootA, document_types: [mdl], issuing_authority: 'Ministry' }],
        ...content,
      }
      fixture.behave(replyBytes(writeVical(by, list, fault)))
    },
  })
}

async function openXmlFixture(settings: object = {}, purpose = trustedListPurpose) {
  const operator = createListOperator({ name: 'Operator', now: new Date(), purpose })
  const services = [{ service_type: qeaa, document_types: ['urn:diploma'] }]
  const fixture = await openFixture({ format: 'xml', type: trustedListType, services, ...settings }, operator)
  const { at } = fixture
  return Object.assign(fixture, {
    operator,
    publish: (content: Partial<TrustedListContent> = {}, fault?: TrustedListFault, by = operator) => {
      const list = {
        sequence_number: 1,
        issued_at: at(-60),
        next_update: at(10 * day),
        providers: [{ name: 'University', services: [{ type: qeaa, certificates: [rootA] }] }],
        ...content,
      }
      fixture.behave(replyBytes(Buffer.from(writeTrustedList(by, list, fault))))
    },
  })
}

/** One of each for all faults: a list that is refused changes nothing. */
const sharedVical = openVicalFixture().then(async (fixture) => {
  fixture.publish({ issue_id: 2 })
  await fixture.refresh()
  return fixture
})
const sharedXml = openXmlFixture().then(async (fixture) => {
  fixture.publish({ sequence_number: 2 })
  await fixture.refresh()
  return fixture
})

const refused = (fault: string) => [expect.objectContaining({ fault: expect.stringContaining(fault) })]

describe('a VICAL', () => {
  test('provides anchors for its document types, and is stored as it was received', async () => {
    await using fixture = await openVicalFixture()
    fixture.publish()
    expect(await fixture.refresh()).toEqual([expect.objectContaining({ sequence_number: 1, anchors: 1 })])
    expect(await fixture.anchors()).toEqual([`A: ${mdl} of Ministry`])

    fixture.behave(reply(503))
    fixture.configure({ document_types: ['another'] })
    await fixture.refresh()
    expect(await fixture.anchors()).toEqual([])
    fixture.configure({ document_types: [mdl] })
    await fixture.refresh()
    expect(await fixture.anchors()).toEqual([`A: ${mdl} of Ministry`])
  })

  test('without nextUpdate is trusted for the configured days', async () => {
    await using fixture = await openVicalFixture({ max_age_days: 2 })
    fixture.publish({ next_update: undefined })
    await fixture.refresh()
    await fixture.turn(2 * day - 120)
    expect(await fixture.anchors()).toHaveLength(1)
    await fixture.turn(2 * day)
    expect(await fixture.anchors()).toEqual([])
  })

  test.each<[string, (fixture: Awaited<ReturnType<typeof openVicalFixture>>) => void, string]>([
    [
      'is from another signer',
      ({ publish }) =>
        publish({}, undefined, createListOperator({ name: 'X', now: new Date(), purpose: vicalPurpose })),
      'not trusted',
    ],
    ['was altered', ({ publish }) => publish({ issue_id: 3 }, 'altered_entry'), 'signature'],
    ['goes back to an earlier issue', ({ publish }) => publish({ issue_id: 1 }), 'older'],
    [
      'goes back to an earlier date of the same issue',
      ({ publish, at }) => publish({ issue_id: 2, date: at(-day) }),
      'older',
    ],
    ['has expired', ({ publish, at }) => publish({ issue_id: 3, next_update: at(-1) }), 'expired'],
    ['is not CBOR', ({ behave }) => behave(reply(200, {}, '<html>')), ''],
  ])('that %s leaves the last good copy in place', async (_what, spoil, fault) => {
    const fixture = await sharedVical
    spoil(fixture)
    expect(await fixture.refresh()).toEqual(refused(fault))
    expect(await fixture.anchors()).toEqual([`A: ${mdl} of Ministry`])
    expect(await fixture.state()).toMatchObject({ sequence_number: 2, expired: false })
  })
})

describe('an XML trusted list', () => {
  test('provides the certificates of active services of the requested types', async () => {
    await using fixture = await openXmlFixture()
    const other = 'http://uri.etsi.org/TrstSvc/Svctype/TSA'
    fixture.publish({
      providers: [
        { name: 'University', services: [{ type: qeaa, certificates: [rootA] }] },
        { name: 'Withdrawn', services: [{ type: qeaa, status: 'withdrawn', certificates: [rootB] }] },
        { name: 'Later', services: [{ type: qeaa, status_since: fixture.at(day), certificates: [rootB] }] },
        { name: 'Other', services: [{ type: other, certificates: [rootB] }] },
        { name: 'Unreadable', services: [{ type: qeaa, certificates: [Buffer.from('nonsense')] }] },
      ],
    })
    expect(await fixture.refresh()).toEqual([expect.objectContaining({ sequence_number: 1, anchors: 1 })])
    expect(await fixture.anchors()).toEqual(['A: urn:diploma of University'])

    fixture.publish({
      sequence_number: 2,
      providers: [
        {
          name: 'Körperschaft <"&\'> ü',
          services: [{ type: qeaa, status: 'recognisedatnationallevel', certificates: [rootB, rootA] }],
        },
      ],
    })
    await fixture.refresh()
    expect((await fixture.anchors()).toSorted()).toEqual([
      'A: urn:diploma of Körperschaft <"&\'> ü',
      'B: urn:diploma of Körperschaft <"&\'> ü',
    ])
  })

  test.each<[string, (fixture: Awaited<ReturnType<typeof openXmlFixture>>) => void, string]>([
    [
      'is from another signer',
      ({ publish }) => publish({}, undefined, createListOperator({ name: 'X', now: new Date() })),
      'not trusted',
    ],
    [
      'is signed with another key',
      ({ publish }) => publish({ sequence_number: 3 }, 'other_key'),
      'signature',
    ],
    ['was altered', ({ publish }) => publish({ sequence_number: 3 }, 'altered_entry'), 'content'],
    ['is not signed', ({ publish }) => publish({ sequence_number: 3 }, 'no_signature'), 'one Signature'],
    ['goes back to an earlier number', ({ publish }) => publish({ sequence_number: 1 }), 'older'],
    ['has expired', ({ publish, at }) => publish({ sequence_number: 3, next_update: at(-1) }), 'expired'],
    ['was closed', ({ publish }) => publish({ sequence_number: 3, next_update: undefined }), 'NextUpdate'],
    ['is of another type', ({ publish }) => publish({ sequence_number: 3, type: 'a' }), 'another type'],
    ['has a document type', ({ publish }) => publish({ sequence_number: 3 }, 'doctype'), 'document type'],
    ['declares an entity', ({ publish }) => publish({ sequence_number: 3 }, 'entity'), 'document type'],
    ['is hashed with SHA-1', ({ publish }) => publish({ sequence_number: 3 }, 'sha1'), 'not accepted'],
    ['names a MAC', ({ publish }) => publish({ sequence_number: 3 }, 'hmac'), 'not accepted'],
    ['is not XML', ({ behave }) => behave(reply(200, {}, 'e30.e30.AA')), 'well-formed'],
    ['is not UTF-8', ({ behave }) => behave(replyBytes(Buffer.from([0x3c, 0xff]))), 'UTF-8'],
  ])('that %s leaves the last good copy in place', async (_what, spoil, fault) => {
    const fixture = await sharedXml
    spoil(fixture)
    expect(await fixture.refresh()).toEqual(refused(fault))
    expect(await fixture.anchors()).toEqual(['A: urn:diploma of University'])
    expect(await fixture.state()).toMatchObject({ sequence_number: 2, expired: false })
  })
})

test.each([
  ['an XML list', () => openXmlFixture({}, vicalPurpose)],
  ['a VICAL', () => openVicalFixture({}, trustedListPurpose)],
])('%s needs a signer with its purpose, or one that is pinned itself', async (_what, open) => {
  await using fixture = await open()
  fixture.publish()
  expect(await fixture.refresh()).toEqual(refused('does not name the purpose of signing'))
  expect(await fixture.anchors()).toEqual([])

  fixture.configure({ signers: joinPem(...fixture.operator.signer.chain) })
  expect(await fixture.refresh()).toEqual([expect.objectContaining({ anchors: 1 })])
})

describe('only what the signature of an XML list covers is read', () => {
  test.each<[TrustedListFault, string]>([
    ['signed_in_part', 'does not cover'],
    ['wrapped', 'does not cover'],
    ['second_signature', 'one Signature'],
    ['other_transform', 'does not cover'],
    ['altered_properties', 'content'],
  ])('%s is refused', async (fault, why) => {
    const fixture = await sharedXml
    fixture.publish({ sequence_number: 3 }, fault)
    expect(await fixture.refresh()).toEqual(refused(why))
    expect(await fixture.state()).toMatchObject({ sequence_number: 2 })
  })

  test('a list inside the signature is not read', async () => {
    await using fixture = await openXmlFixture()
    fixture.publish({}, 'list_in_signature')
    await fixture.refresh()
    expect(await fixture.anchors()).toEqual(['A: urn:diploma of University'])
  })
})

test('a list whose bytes have not changed is fetched and not read again', async () => {
  await using fixture = await openVicalFixture()
  fixture.publish()
  await fixture.refresh()
  // If it were read again, the anchors would be those of the list.
  await fixture.db.execute(sql`delete from trust_anchors`)
  await fixture.turn(3600)
  expect(await fixture.refresh()).toEqual([expect.objectContaining({ sequence_number: 1, anchors: 0 })])
  expect(await fixture.state()).toMatchObject({ stale: false, fault: null })

  // Other settings, or an expired copy, are a reason to read it.
  fixture.configure({ grace_hours: 5, document_types: [mdl] })
  expect(await fixture.refresh()).toEqual([expect.objectContaining({ anchors: 1 })])
  await fixture.turn(11 * day)
  expect(await fixture.refresh()).toEqual(refused('expired'))
})
