import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { watchAnchors } from '../../src/trust/anchors/watch.ts'
import { readListSettings } from '../../src/trust/lists/read-settings.ts'
import { refreshLists } from '../../src/trust/lists/refresh.ts'
import { readLists } from '../../src/trust/lists/store.ts'
import { openSandbox } from '../../src/trust/sandbox/open-sandbox.ts'
import { setClockOffset } from '../database/clock.ts'
import { openTestStores, readClock } from '../database/stores.ts'
import { openEgressFixture } from '../network/egress-fixture.ts'
import { reply, startReceiver, type ReceiverBehaviour } from '../network/receiver.ts'
import { joinPem, newAuthority } from './authorities.ts'
import {
  listType,
  mdlIssuance,
  newListOperator,
  pidIssuance,
  writeTrustList,
  type ListContent,
  type ListOperator,
} from './trust-list.ts'

export const hour = 3600
export const day = 24 * hour

export const operator = newListOperator('List Operator')
export const rootA = newAuthority('Root A').certificate
export const rootB = newAuthority('Root B').certificate
export const names = new Map(
  [rootA, rootB].map((root, index) => [Buffer.from(root).toString('hex'), 'AB'[index]]),
)

type Settings = { signers?: Uint8Array[]; grace_hours?: number; services?: unknown[]; environment?: string }

/** A server with a trust list, and a service that is configured with it. */
export async function openListFixture() {
  const stores = await openTestStores()
  const egress = await openEgressFixture({}, '127.0.0.1/32')
  const folder = mkdtempSync(join(tmpdir(), 'vidimus-lists-'))
  let behaviour: ReceiverBehaviour = reply(404)
  const server = await startReceiver((socket, request) => behaviour(socket, request))
  const started = await readClock(stores.db)
  const file = join(folder, 'lists.json')
  const sandbox = openSandbox(stores)

  function configure({ signers = [operator.authority.certificate], ...more }: Settings = {}) {
    const services = [
      { service_type: pidIssuance, document_types: ['urn:eudi:pid:1'] },
      { service_type: mdlIssuance, document_types: ['org.iso.18013.5.1.mDL'] },
    ]
    const list = {
      url: server.url,
      environment: 'test',
      type: listType,
      services,
      signers: joinPem(...signers),
      ...more,
    }
    writeFileSync(file, JSON.stringify([list]))
  }
  configure()
  return {
    ...stores,
    server,
    egress,
    file,
    configure,
    behave(next: ReceiverBehaviour) {
      behaviour = next
    },
    /** Publishes a list. Its times are relative to the start of the test. */
    publish(content: Partial<ListContent>, by: ListOperator = operator) {
      const list = {
        sequence_number: 1,
        issued_at: started,
        next_update: started + 10 * day,
        services: { [pidIssuance]: [rootA] },
        ...content,
      }
      const body = writeTrustList(by, list)
      behaviour = reply(200, { 'content-type': 'application/jose' }, body)
      return body
    },
    started,
    refresh: (all = true) =>
      refreshLists({ db: stores.db, egress, log: stores.log }, readListSettings(file), { all }),
    /** The anchors from lists that are in effect now, by name. */
    async anchors() {
      const { anchors } = await watchAnchors({ db: stores.db, sandbox })('test')
      const own = new Set(
        (await sandbox.anchors()).map(({ certificate }) => Buffer.from(certificate).toString('hex')),
      )
      return anchors
        .filter(({ certificate }) => !own.has(Buffer.from(certificate).toString('hex')))
        .map(({ certificate, document_types }) => {
          const name = names.get(Buffer.from(certificate).toString('hex'))
          return `${name}: ${document_types?.join(' ') ?? 'all'}`
        })
    },
    version: async () => (await watchAnchors({ db: stores.db, sandbox })('test')).version,
    state: async () => (await readLists(stores.db))[0],
    turn: (seconds: number) => setClockOffset(stores.db, `${seconds} seconds`),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await egress[Symbol.asyncDispose]()
      await stores[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true })
    },
  }
}
