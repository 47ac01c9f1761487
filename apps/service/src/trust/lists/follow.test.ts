import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createListOperator,
  trustedListPurpose,
  trustedListType,
  vicalPurpose,
  writeTrustedList,
  type ListOperator,
  type TrustedListPointer,
} from '@vidimus/sandbox'
import { afterAll, describe, expect, test } from 'vitest'
import { setClockOffset } from '../../../test/database/clock.ts'
import { openTestStores, readClock } from '../../../test/database/stores.ts'
import { openEgressFixture } from '../../../test/network/egress-fixture.ts'
import { reply, startReceiver } from '../../../test/network/receiver.ts'
import { joinPem, newAuthority } from '../../../test/trust/authorities.ts'
import { listOfListsType, listType, pidIssuance, writeTrustList } from '../../../test/trust/trust-list.ts'
import { sql } from '../../engine/db/sql.ts'
import { readCurrentAnchors } from '../anchors/store.ts'
import { listFollowed, maxFollowedLists } from './follow.ts'
import { readListSettings } from './read-settings.ts'
import { refreshLists } from './refresh.ts'
import { readLists } from './store.ts'

const day = 86_400
const egress = await openEgressFixture({}, '127.0.0.1/32')
const folder = mkdtempSync(join(tmpdir(), 'vidimus-follow-'))
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await egress[Symbol.asyncDispose]()
})

const newOperator = (name: string, purpose: string = trustedListPurpose) =>
  createListOperator({ name, now: new Date(), purpose })
const signerOf = ({ signer }: ListOperator) => signer.chain[0] ?? new Uint8Array()

const union = newOperator('Union')
const germany = newOperator('Germany')
const renewed = newOperator('Germany, renewed')
const france = newOperator('France')
const roots = { A: newAuthority('A').certificate, B: newAuthority('B').certificate }
const names = new Map(Object.entries(roots).map(([name, root]) => [Buffer.from(root).toString('hex'), name]))

const xmlListOfLists = 'http://uri.etsi.org/TrstSvc/TrustedList/TSLType/EUlistofthelists'
const xmlService = 'http://uri.etsi.org/TrstSvc/Svctype/EAA/Q'
const forms = {
  lote: { above: listOfListsType, below: listType, service_type: pidIssuance },
  xml: { above: xmlListOfLists, below: trustedListType, service_type: xmlService },
}
type Form = keyof typeof forms

type Content = {
  by: ListOperator
  number?: number
  issued_at?: number
  next_update?: number
  territory?: string
  type?: string
  pointers?: TrustedListPointer[]
  /** The names of roots. */
  anchors?: (keyof typeof roots)[]
}

function writeList(form: Form, content: Content, started: number): string {
  const {
    by,
    number = 1,
    issued_at = 0,
    next_update = 10 * day,
    type,
    territory,
    pointers,
    anchors = [],
  } = content
  const { above, below, service_type } = forms[form]
  const certificates = anchors.map((name) => roots[name])
  const common = {
    sequence_number: number,
    type: type ?? (pointers === undefined ? below : above),
    ...(territory !== undefined && { territory }),
    ...(pointers !== undefined && { pointers }),
  }
  const times = { issued_at: started + issued_at, next_update: started + next_update }
  if (form === 'lote') {
    const operator = { ...by, key: by.signer.key, certificate: signerOf(by) }
    return writeTrustList(operator, { ...common, ...times, services: { [service_type]: certificates } })
  }
  return writeTrustedList(by, {
    ...common,
    issued_at: new Date(times.issued_at * 1000),
    next_update: new Date(times.next_update * 1000),
    providers: [{ name: 'Ministry', services: [{ type: service_type, certificates }] }],
  })
}

/** A server with a list of lists at `/above`, and others that it may point to. */
async function openFixture(form: Form) {
  const stores = await openTestStores()
  const bodies = new Map<string, string>()
  const server = await startReceiver((socket, request) => {
    const body = bodies.get(request.line.split(' ')[1] ?? '')
    return (body === undefined ? reply(404) : reply(200, {}, body))(socket, request)
  })
  const base = new URL(server.url).origin
  const started = await readClock(stores.db)
  const file = join(folder, `${server.port}.json`)
  const { above, below, service_type } = forms[form]
  const services = [{ service_type, document_types: ['urn:eudi:pid:1'] }]

  function configure({ signers = [signerOf(union)], more = [], ...settings }: Configuration = {}) {
    const list = { format: form, environment: 'test', url: `${base}/above`, type: above }
    const follow = { type: below, services }
    writeFileSync(
      file,
      JSON.stringify([{ ...list, follow, signers: joinPem(...signers), ...settings }, ...more]),
    )
  }
  configure()

  const fixture = {
    ...stores,
    base,
    file,
    configure,
    /** The settings of a list of services that the file itself names. */
    settingsOf: (path: string, signer: ListOperator) => ({
      format: form,
      environment: 'test',
      url: `${base}${path}`,
      type: below,
      services,
      signers: joinPem(signerOf(signer)),
    }),
    pointer: (path: string, territory: string, ...signers: ListOperator[]): TrustedListPointer => ({
      location: `${base}${path}`,
      territory,
      type: below,
      media_type: form === 'lote' ? 'application/jose' : 'application/vnd.etsi.tsl+xml',
      certificates: signers.map(signerOf),
    }),
    publish(path: string, content: Content) {
      bodies.set(path, writeList(form, content, started))
    },
    remove: (path: string) => bodies.delete(path),
    settings: () => readListSettings(file),
    async refresh({ all = true, db = stores.db } = {}) {
      const refreshed = await refreshLists({ db, egress, log: stores.log }, readListSettings(file), { all })
      return Object.fromEntries(
        refreshed.map(({ url, ...result }) => [
          url.slice(base.length),
          'fault' in result ? result.fault : result.anchors,
        ]),
      )
    },
    async anchors() {
      const { anchors } = await readCurrentAnchors(stores.db, 'test')
      return anchors
        .map(
          ({ certificate, entity }) =>
            `${names.get(certificate.toString('hex'))} of ${entity?.replace(base, '')}`,
        )
        .toSorted()
    },
    version: async () => (await readCurrentAnchors(stores.db, 'test')).version,
    async states() {
      const lists = await readLists(stores.db)
      return Object.fromEntries(lists.map(({ url, expired }) => [url.slice(base.length), expired]))
    },
    turn: (seconds: number) => setClockOffset(stores.db, `${seconds} seconds`),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await stores[Symbol.asyncDispose]()
    },
  }
  return fixture
}
type Configuration = { signers?: Uint8Array[]; more?: object[]; grace_hours?: number }

/** A list of lists that points to those of two states. */
async function openPublished(form: Form) {
  const fixture = await openFixture(form)
  const pointers = [fixture.pointer('/de', 'DE', germany), fixture.pointer('/fr', 'FR', france)]
  fixture.publish('/above', { by: union, pointers })
  fixture.publish('/de', { by: germany, territory: 'DE', number: 5, anchors: ['A'] })
  fixture.publish('/fr', { by: france, territory: 'FR', number: 9, anchors: ['B'] })
  expect(await fixture.refresh()).toEqual({ '/above': 0, '/de': 1, '/fr': 1 })
  return Object.assign(fixture, { pointers })
}

const both = ['A of /de Ministry', 'B of /fr Ministry']

describe.each(['lote', 'xml'] as const)('[TRUST-3] a list of lists (%s)', (form) => {
  test('is followed: each list is one like any other, under its own URL', async () => {
    await using fixture = await openPublished(form)
    expect(await fixture.anchors()).toEqual(both)
    expect(await fixture.states()).toEqual({ '/above': false, '/de': false, '/fr': false })
    const version = await fixture.version()
    expect(await fixture.refresh()).toEqual({ '/above': 0, '/de': 1, '/fr': 1 })
    expect(await fixture.version()).toBe(version)
    expect(await fixture.refresh({ all: false })).toEqual({})
  })

  test('lets a state renew its signer, and nobody else', async () => {
    await using fixture = await openPublished(form)
    fixture.publish('/de', { by: renewed, territory: 'DE', number: 6, anchors: ['B'] })
    expect(await fixture.refresh()).toMatchObject({ '/de': expect.stringContaining('not trusted') })
    expect(await fixture.anchors()).toEqual(both)

    const [, french] = fixture.pointers
    const pointers = [fixture.pointer('/de', 'DE', germany, renewed), ...(french ? [french] : [])]
    fixture.publish('/above', { by: union, number: 2, pointers })
    // With its pointer a list is due, although it was claimed just now.
    await fixture.db.execute(sql`update trust_lists set due_at = service_now() where source_id is null`)
    expect(await fixture.refresh({ all: false })).toEqual({ '/above': 0, '/de': 1 })
    expect(await fixture.anchors()).toEqual(['B of /de Ministry', 'B of /fr Ministry'])
  })

  test('withdraws a signer at once, although the server of its list is unavailable', async () => {
    await using fixture = await openPublished(form)
    fixture.remove('/de')
    const [, french] = fixture.pointers
    const pointers = [fixture.pointer('/de', 'DE', renewed), ...(french ? [french] : [])]
    fixture.publish('/above', { by: union, number: 2, pointers })
    expect(await fixture.refresh()).toMatchObject({ '/de': expect.stringContaining('could not be fetched') })
    expect(await fixture.anchors()).toEqual(['B of /fr Ministry'])
  })

  test('removes the anchors of a list that it no longer points to', async () => {
    await using fixture = await openPublished(form)
    const version = await fixture.version()
    fixture.publish('/above', { by: union, number: 2, pointers: fixture.pointers.slice(1) })
    expect(await fixture.refresh()).toEqual({ '/above': 0, '/fr': 1 })
    expect(await fixture.anchors()).toEqual(['B of /fr Ministry'])
    expect(await fixture.states()).toEqual({ '/above': false, '/fr': false })
    expect(await fixture.version()).not.toBe(version)
  })

  test('does so when it is no longer configured, or its signer no longer pinned', async () => {
    await using fixture = await openPublished(form)
    fixture.remove('/above')
    fixture.configure({ signers: [signerOf(renewed)] })
    await fixture.refresh()
    expect(await fixture.anchors()).toEqual([])
    expect(await fixture.states()).toEqual({ '/above': false })

    fixture.configure()
    expect(await fixture.refresh()).toMatchObject({ '/de': 1, '/fr': 1 })
    expect(await fixture.anchors()).toEqual(both)
    writeFileSync(fixture.file, '[]')
    expect(await fixture.refresh()).toEqual({})
    expect(await fixture.anchors()).toEqual([])
    expect(await fixture.states()).toEqual({})
  })

  test('leaves the last good copy of a list that is unavailable or older in place until it expires', async () => {
    await using fixture = await openPublished(form)
    fixture.publish('/fr', { by: france, territory: 'FR', number: 8 })
    fixture.publish('/de', { by: germany, territory: 'DE', number: 6, issued_at: -100 })
    expect(await fixture.refresh()).toMatchObject({
      '/de': expect.stringContaining('older'),
      '/fr': expect.stringContaining('older'),
    })
    fixture.remove('/de')
    expect(await fixture.refresh()).toMatchObject({ '/de': expect.stringContaining('404') })
    expect(await fixture.anchors()).toEqual(both)

    fixture.publish('/above', { by: union, number: 2, next_update: 20 * day, pointers: fixture.pointers })
    await fixture.refresh()
    await fixture.turn(10 * day + 60)
    expect(await fixture.states()).toEqual({ '/above': false, '/de': true, '/fr': true })
    expect(await fixture.anchors()).toEqual([])
  })

  test('that has expired vouches for nobody', async () => {
    await using fixture = await openPublished(form)
    fixture.publish('/above', { by: union, number: 2, next_update: day, pointers: fixture.pointers })
    await fixture.refresh()
    const version = await fixture.version()
    fixture.remove('/above')
    await fixture.turn(day + 60)
    expect(await fixture.anchors()).toEqual([])
    expect(await fixture.version()).not.toBe(version)
    expect(await fixture.states()).toEqual({ '/above': true, '/de': true, '/fr': true })
    await fixture.refresh()
    expect(await fixture.anchors()).toEqual([])

    fixture.publish('/above', { by: union, number: 3, next_update: 20 * day, pointers: fixture.pointers })
    await fixture.refresh()
    expect(await fixture.anchors()).toEqual(both)
  })

  test.each<[string, Partial<Content>, string]>([
    ['of another territory', { territory: 'FR' }, 'another territory'],
    ['of another type', { type: 'another' }, 'another type'],
    ['signed by the list above', { by: union }, 'not trusted'],
    ['signed by another state', { by: france }, 'not trusted'],
    ['that has expired', { next_update: -1 }, 'expired'],
  ])('is not followed to a list %s', async (_, content, fault) => {
    await using fixture = await openFixture(form)
    fixture.publish('/above', { by: union, pointers: [fixture.pointer('/de', 'DE', germany)] })
    fixture.publish('/de', { by: germany, territory: 'DE', anchors: ['A'], ...content })
    expect(await fixture.refresh()).toEqual({ '/above': 0, '/de': expect.stringContaining(fault) })
    expect(await fixture.anchors()).toEqual([])
  })

  test('may name an authority, whose signer must be certified for trust lists', async () => {
    await using fixture = await openFixture(form)
    const other = newOperator('Other purpose', vicalPurpose)
    const certificates = [germany, other].map(({ authority }) => authority.certificate)
    const pointers = ['/de', '/other'].map((path) => ({ ...fixture.pointer(path, 'DE'), certificates }))
    fixture.publish('/above', { by: union, pointers })
    fixture.publish('/de', { by: germany, territory: 'DE', anchors: ['A'] })
    fixture.publish('/other', { by: other, territory: 'DE', anchors: ['B'] })
    expect(await fixture.refresh()).toEqual({
      '/above': 0,
      '/de': 1,
      '/other': expect.stringContaining('purpose of signing trust lists'),
    })
  })

  test('is not followed if it is signed by somebody else, in a circle, or further down', async () => {
    await using fixture = await openFixture(form)
    const pointers = [
      fixture.pointer('/above', 'UT', germany),
      fixture.pointer('/de', 'DE', germany),
      { ...fixture.pointer('/pdf', 'DE', germany), media_type: 'application/pdf' },
      { ...fixture.pointer('/again', 'UT', germany), type: forms[form].above },
    ]
    fixture.publish('/above', { by: germany, pointers })
    expect(await fixture.refresh()).toEqual({ '/above': expect.stringContaining('not trusted') })

    fixture.publish('/above', { by: union, pointers })
    const further = [fixture.pointer('/fr', 'FR', france), fixture.pointer('/above', 'UT', germany)]
    const type = forms[form].below
    fixture.publish('/de', { by: germany, territory: 'DE', type, anchors: ['A'], pointers: further })
    fixture.publish('/fr', { by: france, territory: 'FR', anchors: ['B'] })
    expect(await fixture.refresh()).toEqual({ '/above': 0, '/de': 1 })
    expect(await fixture.refresh()).toEqual({ '/above': 0, '/de': 1 })
    expect(await fixture.anchors()).toEqual(['A of /de Ministry'])
  })

  test('does not decide about a list that the file names', async () => {
    await using fixture = await openPublished(form)
    fixture.configure({ more: [fixture.settingsOf('/de', renewed)] })
    expect(await fixture.refresh()).toMatchObject({ '/de': expect.stringContaining('not trusted') })
    expect(await fixture.anchors()).toEqual(['B of /fr Ministry'])
    fixture.configure()
    await fixture.refresh()
    expect(await fixture.anchors()).toEqual(both)
  })
})

test('workers that refresh at once while the pointers change agree with the last list of lists', async () => {
  await using fixture = await openPublished('lote')
  const workers = await Promise.all(Array.from({ length: 4 }, () => fixture.openAnother()))
  for (let number = 2; number < 8; number += 1) {
    const pointers = fixture.pointers.slice(number % 2)
    fixture.publish('/above', { by: union, number, pointers })
    await Promise.all(workers.map(({ db }) => fixture.refresh({ db })))
    await fixture.refresh()
    expect(await fixture.anchors()).toEqual(both.slice(number % 2))
  }
})

test('the number of followed lists is limited, and live ones are https', async () => {
  await using fixture = await openFixture('lote')
  const [list] = fixture.settings()
  if (list === undefined) throw new Error('one list is configured')
  const configured = Array.from({ length: 6 }, (_, at) => ({ ...list, url: `https://above.example/${at}` }))
  const pointersOf = (scheme: string, at: number) =>
    Array.from({ length: 100 }, (_, pointer) => ({
      url: `${scheme}://lists.example/${at}/${pointer}`,
      territory: 'DE',
      signers: [signerOf(germany)],
    }))
  const stored = (scheme: string, environment: 'test' | 'live') =>
    configured.map(({ url }, at) => ({ environment, url, pointers: pointersOf(scheme, at) }))
  expect(listFollowed(configured, stored('http', 'test'))).toHaveLength(maxFollowedLists)
  const live = configured.slice(0, 2).map((each) => ({ ...each, environment: 'live' as const }))
  expect(listFollowed(live, stored('http', 'live'))).toEqual([])
  expect(listFollowed(live, stored('https', 'live'))).toHaveLength(200)
  expect(listFollowed(live, stored('https', 'test'))).toEqual([])
})
