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
  type Format,
} from '@vidimus/sandbox'
import { afterAll, expect, test } from 'vitest'
import { startNameServer } from '../../../test/network/name-server.ts'
import { startReceiver, type ReceiverBehaviour } from '../../../test/network/receiver.ts'
import { joinPem } from '../../../test/trust/authorities.ts'
import { queries } from '../../../test/trust/presentation.ts'
import { replyBytes, startStatusIssuer } from '../../../test/trust/status-issuer.ts'
import { startService } from '../../../test/service.ts'
import { openWallet } from '../../../test/wallet.ts'
import { refreshAllLists } from './refresh.ts'

const folder = mkdtempSync(join(tmpdir(), 'vidimus-trusted-'))
afterAll(() => rmSync(folder, { recursive: true }))

const now = new Date()
const later = new Date(now.getTime() + 86_400_000)
const qeaa = 'http://uri.etsi.org/TrstSvc/Svctype/EAA/Q'
/** What the issuer's two authorities issue. */
const types = { persons: ['urn:eudi:pid:1'], mobile: ['org.iso.18013.5.1.mDL', 'eu.europa.ec.av.1'] }

/** A service whose only list is at a real server; `publish` replaces the list and has it fetched. */
async function openFixture(settings: object, signers: Uint8Array) {
  const issuer = await startStatusIssuer()
  const nameServer = await startNameServer({ 'lists.test': ['127.0.0.1'] })
  let behaviour: ReceiverBehaviour = replyBytes(new Uint8Array())
  const server = await startReceiver((socket, request) => behaviour(socket, request))
  const file = join(folder, `${server.port}.json`)
  writeFileSync(
    file,
    JSON.stringify([{ url: server.url, environment: 'test', signers: joinPem(signers), ...settings }]),
  )
  const service = await startService({
    environment: {
      TRUST_LISTS_FILE: file,
      WEBHOOK_EGRESS_ALLOW: '127.0.0.1/32',
      DNS_SERVERS: nameServer.address,
    },
  })
  const merchant = await service.tenant()
  return {
    persons: issuer.issuer.hierarchies.persons.root.certificate,
    mobile: issuer.issuer.hierarchies.mobile.root.certificate,
    url: server.url,
    async publish(bytes: Uint8Array) {
      behaviour = replyBytes(bytes)
      const [list] = await refreshAllLists(service.ctx)
      return list
    },
    /** Publishes the list of lists at the configured URL, and another one everywhere else. */
    async publishBoth(above: string, below: string) {
      const path = new URL(server.url).pathname
      behaviour = (socket, request) =>
        replyBytes(Buffer.from(request.line.split(' ')[1] === path ? above : below))(socket, request)
      return refreshAllLists(service.ctx)
    },
    /** A verification over HTTP with a credential of that issuer. */
    async verify(format: Format, asked: object = { template: 'age_over_18' }) {
      const { body: created } = await merchant.post('/v1/verifications', asked)
      const wallet = await openWallet(service.ctx, service.address, { issuer: issuer.issuer, format })
      await wallet.respond(created.wallet_uri)
      const { body } = await merchant.get(`/v1/verifications/${created.id}`)
      return body.error?.code ?? body.status
    },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
      await nameServer[Symbol.asyncDispose]()
      await issuer[Symbol.asyncDispose]()
    },
  }
}

const formats = ['dc+sd-jwt', 'mso_mdoc'] as const

test('a credential is trusted because a VICAL names its authority, for the types that it names', async () => {
  const operator = createListOperator({ name: 'VICAL Provider', now, purpose: vicalPurpose })
  await using fixture = await openFixture({ format: 'vical' }, operator.authority.certificate)
  const publish = (issue_id: number, personTypes: string[]) => {
    const entries = [
      { certificate: fixture.persons, document_types: personTypes },
      { certificate: fixture.mobile, document_types: types.mobile },
    ]
    return fixture.publish(writeVical(operator, { date: now, next_update: later, issue_id, entries }))
  }
  expect(await Promise.all(formats.map((format) => fixture.verify(format)))).toEqual([
    'issuer_untrusted',
    'issuer_untrusted',
  ])

  expect(await publish(1, types.persons)).toMatchObject({ anchors: 2 })
  await expect.poll(() => fixture.verify('dc+sd-jwt'), { timeout: 10_000 }).toBe('completed')
  expect(await fixture.verify('mso_mdoc')).toBe('completed')

  await publish(2, ['another'])
  await expect.poll(() => fixture.verify('dc+sd-jwt'), { timeout: 10_000 }).toBe('issuer_untrusted')
  expect(await fixture.verify('mso_mdoc')).toBe('completed')
})

test('a credential is trusted because an XML list names its authority, until the service is withdrawn', async () => {
  const operator = createListOperator({ name: 'Operator', now, purpose: trustedListPurpose })
  const services = [{ service_type: qeaa, document_types: Object.values(types).flat() }]
  await using fixture = await openFixture(
    { format: 'xml', type: trustedListType, services },
    operator.authority.certificate,
  )
  const publish = (sequence_number: number, status: string) => {
    const providers = [
      {
        name: 'Provider',
        services: [{ type: qeaa, status, certificates: [fixture.persons, fixture.mobile] }],
      },
    ]
    const list = { sequence_number, issued_at: now, next_update: later, providers }
    return fixture.publish(Buffer.from(writeTrustedList(operator, list)))
  }
  expect(await publish(1, 'granted')).toMatchObject({ anchors: 2 })
  await expect.poll(() => fixture.verify('dc+sd-jwt'), { timeout: 10_000 }).toBe('completed')
  expect(await fixture.verify('mso_mdoc')).toBe('completed')

  await publish(2, 'withdrawn')
  await expect.poll(() => fixture.verify('dc+sd-jwt'), { timeout: 10_000 }).toBe('issuer_untrusted')
  expect(await fixture.verify('mso_mdoc')).toBe('issuer_untrusted')
})

test('[OID4VP-17] a query names as its authority the list of the issuer, or the one that points to it', async () => {
  const [union, state] = ['Union', 'State'].map((name) =>
    createListOperator({ name, now, purpose: trustedListPurpose }),
  )
  if (union === undefined || state === undefined) throw new Error('two operators are made')
  const type = 'http://uri.etsi.org/TrstSvc/TrustedList/TSLType/EUlistofthelists'
  const services = [{ service_type: qeaa, document_types: Object.values(types).flat() }]
  const follow = { type: trustedListType, services }
  await using fixture = await openFixture(
    { format: 'xml', type, follow },
    union.signer.chain[0] ?? new Uint8Array(),
  )
  const below = `${fixture.url}/below`
  const common = { sequence_number: 1, issued_at: now, next_update: later }
  const certificates = [fixture.persons, fixture.mobile]
  const refreshed = await fixture.publishBoth(
    writeTrustedList(union, {
      ...common,
      type,
      pointers: [{ location: below, territory: 'UT', certificates: state.signer.chain }],
      providers: [],
    }),
    writeTrustedList(state, {
      ...common,
      providers: [{ name: 'Provider', services: [{ type: qeaa, certificates }] }],
    }),
  )
  expect(refreshed).toMatchObject([
    { url: fixture.url, anchors: 0 },
    { url: below, anchors: 2 },
  ])
  await expect.poll(() => fixture.verify('dc+sd-jwt'), { timeout: 10_000 }).toBe('completed')

  const withLists = (query: (typeof queries)[keyof typeof queries], ...values: string[]) => ({
    query: {
      credentials: query.credentials.map((credential) => ({
        ...credential,
        trusted_authorities: [{ type: 'etsi_tl', values }],
      })),
    },
  })
  for (const [format, query] of [
    ['dc+sd-jwt', queries.pid],
    ['mso_mdoc', queries.mdl],
  ] as const) {
    const ask = (...values: string[]) => fixture.verify(format, withLists(query, ...values))
    expect(await ask(fixture.url)).toBe('completed')
    expect(await ask('https://lists.example', below)).toBe('completed')
    expect(await ask('https://lists.example', `${below}/other`)).toBe('query_not_satisfied')
  }
})
