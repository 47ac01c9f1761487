import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createIssuer,
  exportAnchors,
  referToType,
  serveStatusList,
  serveTypeMetadata,
  type Format,
  type Issuer,
  type TypeName,
} from '@vidimus/sandbox'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startNameServer } from '../../../test/network/name-server.ts'
import { reply, startReceiver, type ReceiverBehaviour } from '../../../test/network/receiver.ts'
import { startService, type Merchant, type Service } from '../../../test/service.ts'
import { joinPem } from '../../../test/trust/authorities.ts'
import { replyBytes, startStatusIssuer } from '../../../test/trust/status-issuer.ts'
import {
  listType,
  newListOperator,
  pidIssuance,
  pidRevocation,
  writeTrustList,
} from '../../../test/trust/trust-list.ts'
import { openWallet, type WalletOptions } from '../../../test/wallet.ts'
import type { PemAnchors } from '../anchors/add-anchor.ts'
import { readListSettings } from '../lists/read-settings.ts'
import { refreshLists } from '../lists/refresh.ts'
import { addTenantAnchors } from '../tenant/change-anchors.ts'
import { openTypeLookup } from './lookup-type.ts'

const formats = ['dc+sd-jwt', 'mso_mdoc'] as const
const pidType = 'urn:eudi:pid:1'
const folder = mkdtempSync(join(tmpdir(), 'vidimus-roles-'))
const nameServer = await startNameServer({ 'lists.test': ['127.0.0.1'] })
const ministry = await startStatusIssuer()
/** Signs the status lists of the ministry, under roots of its own. */
const office = createIssuer({
  now: new Date(),
  organization: 'Office',
  status_uri: ministry.issuer.status_uri,
  publishes_crls: false,
})
/** Signs its own status lists, and has types of its own. */
const agency = createIssuer({
  now: new Date(),
  organization: 'Agency',
  status_uri: `${ministry.base}/agency/status`,
  publishes_crls: false,
})
let service: Service

beforeAll(async () => {
  service = await startService({
    environment: { WEBHOOK_EGRESS_ALLOW: '127.0.0.1/32', DNS_SERVERS: nameServer.address },
  })
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await ministry[Symbol.asyncDispose]()
  await nameServer[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

/** The ministry, with the office's signers of status lists. */
const { persons_status, mobile_status } = office.signers
const signedByOffice: Issuer = {
  ...ministry.issuer,
  signers: { ...ministry.issuer.signers, persons_status, mobile_status },
}

const notFound = reply(404)
/** Serves the status lists of both issuers, and the descriptions of types. */
const honest: ReceiverBehaviour = (socket, request) => {
  const uri = `${ministry.base}${request.line.split(' ')[1] ?? ''}`
  const list = serveStatusList(signedByOffice, uri, new Date()) ?? serveStatusList(agency, uri, new Date())
  const body = list === undefined ? serveTypeMetadata(agency, uri) : Buffer.from(list.token)
  const type = list === undefined ? 'application/json' : `application/statuslist+${list.media}`
  const respond = body === undefined ? notFound : replyBytes(body, { 'content-type': type })
  respond(socket, request)
}
beforeEach(() => ministry.setBehaviour(honest))

const rootsOf = (issuer: Issuer) => joinPem(...exportAnchors(issuer).map(({ certificate }) => certificate))

type TenantAnchors = Pick<PemAnchors, 'role' | 'entity' | 'document_types'> & { of: Issuer }

/** A tenant in test that trusts these besides the sandbox. */
async function newTenant(...anchors: TenantAnchors[]): Promise<Merchant> {
  const merchant = await service.tenant()
  const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
  for (const { of, ...scope } of anchors)
    await addTenantAnchors(service.ctx, { by, environment: 'test', pem: rootsOf(of), ...scope })
  return merchant
}

type Verified = { status: string; code: string | undefined; failed: string[]; details: string }

/** Presents to a verification of this merchant, over HTTP. */
async function present(
  merchant: Merchant,
  wallet: WalletOptions,
  input: object = { template: 'age_over_18' },
): Promise<Verified> {
  const { id, wallet_uri } = (await merchant.post('/v1/verifications', input)).body
  await (await openWallet(service.ctx, service.address, wallet)).respond(wallet_uri)
  const { status, error, credentials } = (await merchant.get(`/v1/verifications/${id}`)).body
  const findings: { check: string; status: string; detail: string }[] = credentials.flatMap(
    ({ findings: each }: { findings: [] }) => each,
  )
  const failures = findings.filter((finding) => finding.status === 'fail')
  const failed = failures.map(({ check }) => check)
  return { status, code: error?.code, failed, details: failures.map(({ detail }) => detail).join('; ') }
}

describe.each(formats)('[TRUST-8] a status list signed by another authority, for %s', (format: Format) => {
  const issuing = { of: ministry.issuer, entity: 'Ministry' }
  const revocation = { of: office, role: 'revocation', entity: 'Ministry' } as const
  const wallet = { issuer: ministry.issuer, format }
  const refused = {
    code: 'status_unavailable',
    failed: ['status_list'],
    details: 'the status list was not signed under an authority of its issuer',
  }

  test('is accepted from a revocation anchor of the same entity, and says who is revoked', async () => {
    const merchant = await newTenant(issuing, revocation)
    expect(await present(merchant, wallet)).toMatchObject({ status: 'completed' })
    expect(await present(merchant, { ...wallet, persona: 'revoked' })).toMatchObject({
      code: 'credential_revoked',
    })
  })

  test.each<[string, TenantAnchors[]]>([
    ['of another entity', [issuing, { ...revocation, entity: 'Other' }]],
    ['without an entity', [issuing, { of: office, role: 'revocation' }]],
    ['for an issuer without an entity', [{ of: ministry.issuer }, revocation]],
    ['that issues', [issuing, { of: office, entity: 'Ministry' }]],
    ['for registration', [issuing, { ...revocation, role: 'registration' }]],
    ['for other documents', [issuing, { ...revocation, document_types: ['another'] }]],
    ['nobody trusts', [issuing]],
  ])('is refused from an anchor %s', async (_, anchors) => {
    expect(await present(await newTenant(...anchors), wallet)).toMatchObject(refused)
  })

  test('does not make its signer an issuer', async () => {
    const merchant = await newTenant(issuing, revocation)
    expect(await present(merchant, { issuer: office, format })).toMatchObject({
      code: 'issuer_untrusted',
      failed: ['issuer_trust'],
    })
  })
})

test.each(formats)('a list of entities gives roles to its anchors, for %s', async (format) => {
  const operator = newListOperator('List Operator')
  const [issuerRoots, officeRoots] = [ministry.issuer, office].map((issuer) =>
    exportAnchors(issuer).map(({ certificate }) => certificate),
  )
  let sequence_number = 0
  const publish = (entities: Record<string, Record<string, Uint8Array[]>>) => {
    const now = Date.now() / 1000
    sequence_number += 1
    return writeTrustList(operator, { sequence_number, issued_at: now, next_update: now + 86_400, entities })
  }
  const together = { Ministry: { [pidIssuance]: issuerRoots ?? [], [pidRevocation]: officeRoots ?? [] } }
  const apart = {
    Ministry: { [pidIssuance]: issuerRoots ?? [] },
    Office: { [pidRevocation]: officeRoots ?? [] },
  }
  let body = ''
  await using server = await startReceiver((socket, request) => reply(200, {}, body)(socket, request))
  const file = join(folder, `${format === 'mso_mdoc' ? 'mdoc' : 'sd-jwt'}.json`)
  const services = [{ service_type: pidIssuance }, { service_type: pidRevocation }]
  const signers = joinPem(operator.authority.certificate)
  writeFileSync(
    file,
    JSON.stringify([{ url: server.url, environment: 'test', type: listType, services, signers }]),
  )
  const { db, egress, log } = service.ctx
  const merchant = await service.tenant()
  const presentAfter = async (entities: typeof together | typeof apart) => {
    body = publish(entities)
    await refreshLists({ db, egress, log }, readListSettings(file), { all: true })
    // Anchors are cached for a second.
    await new Promise((resolve) => setTimeout(resolve, 1200))
    return present(merchant, { issuer: ministry.issuer, format })
  }

  expect(await presentAfter(together)).toMatchObject({ status: 'completed' })
  expect(await presentAfter(apart)).toMatchObject({
    details: 'the status list was not signed under an authority of its issuer',
  })
  expect(await present(merchant, { issuer: office, format })).toMatchObject({ code: 'issuer_untrusted' })
})

describe('over HTTP, a national type', () => {
  const input = {
    query: {
      credentials: [
        {
          id: 'pid',
          format: 'dc+sd-jwt',
          meta: { vct_values: [pidType] },
          claims: [{ path: ['given_name'] }],
        },
      ],
    },
  }
  const trusted = { of: agency, document_types: [pidType] }
  const asType = (members: (name: TypeName) => object, name: TypeName): WalletOptions => ({
    issuer: agency,
    format: 'dc+sd-jwt',
    alterations: { issuer_payload: (original) => ({ ...original, ...members(name) }) },
  })
  const refer = (name: TypeName) => referToType(agency, name, pidType)
  const typeRequests = () => ministry.receiver.received.filter(({ line }) => line.includes('/types/')).length

  test.each(['direct', 'twice'] as const)('that extends the requested one is accepted (%s)', async (name) => {
    const merchant = await newTenant(trusted)
    expect(await present(merchant, asType(refer, name), input)).toMatchObject({ status: 'completed' })
  })

  test('is described once, for all tenants and processes, even if its server is gone', async () => {
    expect(await present(await newTenant(trusted), asType(refer, 'twice'), input)).toMatchObject({
      status: 'completed',
    })
    const before = typeRequests()
    expect(await present(await newTenant(trusted), asType(refer, 'twice'), input)).toMatchObject({
      status: 'completed',
    })
    ministry.setBehaviour(reply(503))
    const { db, trust } = service.ctx
    const elsewhere = openTypeLookup({ db, sandbox: trust.sandbox, egress: trust.statusEgress })
    const { vct: uri, 'vct#integrity': integrity } = refer('twice')
    const lookup = { tenant_id: 'one', reference: { uri, integrity }, now: 0 }
    expect(await elsewhere({ ...lookup, environment: 'test' })).toMatchObject({ value: {} })
    expect(typeRequests()).toBe(before)
  })

  test('at a private address is not fetched in live, whatever is allowed for webhooks', async () => {
    const before = typeRequests()
    const { vct: uri, 'vct#integrity': integrity } = referToType(agency, 'direct', 'urn:live')
    const lookup = { tenant_id: 'one', reference: { uri, integrity }, now: 0 }
    expect(await service.ctx.trust.lookUpType({ ...lookup, environment: 'live' })).toBeUndefined()
    expect(typeRequests()).toBe(before)
    expect(await service.ctx.trust.lookUpType({ ...lookup, environment: 'test' })).toEqual({
      value: { extends: 'urn:live' },
    })
  })

  const notOfType = { code: 'query_not_satisfied', failed: ['credential_type'] }
  test.each<[string, (name: TypeName) => object, TypeName, string]>([
    ['over a description without a hash', refer, 'unprotected', 'extends none of the requested'],
    ['over too many descriptions', refer, 'deep', 'extends more than'],
    [
      'with the hash of another description',
      (name) => ({ ...refer(name), 'vct#integrity': refer('deep')['vct#integrity'] }),
      'direct',
      'does not match its integrity',
    ],
    [
      'whose description is absent',
      (name) => ({ ...refer(name), vct: `${ministry.base}/types/absent/x` }),
      'direct',
      'is unavailable',
    ],
  ])('is refused %s', async (_, members, name, why) => {
    const merchant = await newTenant(trusted)
    expect(await present(merchant, asType(members, name), input)).toMatchObject({
      ...notOfType,
      details: expect.stringContaining(why),
    })
  })

  test('is refused, and nothing is fetched, if the anchor is not trusted for the requested type', async () => {
    const { vct } = refer('direct')
    const before = typeRequests()
    for (const document_types of [['another'], [vct]]) {
      const merchant = await newTenant({ of: agency, document_types })
      expect(await present(merchant, asType(refer, 'direct'), input)).toMatchObject({
        status: 'failed',
        failed: [document_types[0] === vct ? 'credential_type' : 'issuer_document_type'],
      })
    }
    expect(typeRequests()).toBe(before)
  })

  test.each([
    ['the requested type', [pidType], 'completed'],
    ['only the national type', ['urn:example:national'], 'failed'],
  ])('in aka_vcts counts if the anchor is trusted for %s', async (_, document_types, status) => {
    const named = () => ({ vct: 'urn:example:national', aka_vcts: [pidType] })
    const merchant = await newTenant({ of: agency, document_types })
    expect(await present(merchant, asType(named, 'direct'), input)).toMatchObject({ status })
  })
})
