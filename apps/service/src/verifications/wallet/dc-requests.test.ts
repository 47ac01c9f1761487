import { afterAll, beforeAll, expect, test } from 'vitest'
import { createForPages } from '../../../test/dc-page.ts'
import { decodeJwt } from '../../../test/decode-jwt.ts'
import { newAccessCertificate } from '../../../test/trust/access-certificate.ts'
import { startService, type Merchant, type Service } from '../../../test/service.ts'
import { openWallet } from '../../../test/wallet.ts'
import { sql } from '../../engine/db/sql.ts'
import { putTemplate } from '../../templates/put-template.ts'
import { setIdentity } from '../../trust/identity/set-identity.ts'

const origin = 'https://shop.example'

let service: Service
let merchant: Merchant
beforeAll(async () => {
  service = await startService()
  merchant = await service.tenant()
})
afterAll(() => service[Symbol.asyncDispose]())

const create = (body: object = {}, as = merchant) =>
  createForPages({ service, merchant: as, page_origins: [origin], body })

const sdJwtQuery = {
  credentials: [
    {
      id: 'pid',
      format: 'dc+sd-jwt',
      meta: { vct_values: ['urn:eudi:pid:1'] },
      claims: [{ path: ['given_name'] }],
    },
  ],
}

test('a page gets a request for each protocol; without mdocs that satisfy the query, only OpenID4VP', async () => {
  const both = (await (await create()).getRequests(origin)).body.requests
  expect(both).toEqual([
    { protocol: 'openid4vp-v1-signed', data: { request: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/) } },
    {
      protocol: 'org-iso-mdoc',
      data: {
        deviceRequest: expect.stringMatching(/^[\w-]+$/),
        encryptionInfo: expect.stringMatching(/^[\w-]+$/),
      },
    },
  ])
  const [only, ...others] = (
    await (await create({ template: undefined, query: sdJwtQuery })).getRequests(origin)
  ).body.requests
  expect([only.protocol, others]).toEqual(['openid4vp-v1-signed', []])
})

test('fetching the requests is not counted and changes nothing; it returns the same requests again', async () => {
  const { id, getRequests, read } = await create()
  const readRow = () =>
    service.ctx.db.query(sql`select to_jsonb(s) as row from verification_sessions s where id = ${id}`)
  const before = await readRow()
  const first = await getRequests(origin)
  const second = await getRequests(origin)
  const claims = (response: typeof first) => {
    const { iat: _, ...rest } = decodeJwt(response.body.requests[0].data.request).claims
    return rest
  }
  expect(claims(second)).toEqual(claims(first))
  expect(second.body.requests[1].data.encryptionInfo).toBe(first.body.requests[1].data.encryptionInfo)
  expect(first.headers.get('cache-control')).toBe('no-store')

  // Counts are written with a delay. A fetch over the link is the first that is counted.
  await service.anonymous.get(`/wallet/request/${id}`)
  const countFetches = async () =>
    (
      await service.ctx.db.query<{ fetches: number }>(
        sql`select fetches from verification_sessions where id = ${id}`,
      )
    )[0]?.fetches
  await expect.poll(countFetches).toBe(1)
  const [then, now] = [before, await readRow()].map(([row]) => {
    const {
      fetches: _,
      first_fetched_at: __,
      fetched_at: ___,
      ...rest
    } = (row as { row: Record<string, unknown> }).row
    return rest
  })
  expect(now).toEqual(then)
  expect((await read()).status).toBe('pending')
})

test('the signed request names one origin and has no member of the other channels', async () => {
  const { id, getRequests } = await create({ purpose: 'Sale of wine' })
  const { request } = (await getRequests(origin)).body.requests[0].data
  const { header, claims } = decodeJwt(request)
  const link = decodeJwt((await service.anonymous.get(`/wallet/request/${id}`)).text)

  expect(header).toEqual(link.header)
  expect(Object.keys(claims).toSorted()).toEqual([
    'aud',
    'client_id',
    'client_metadata',
    'dcql_query',
    'exp',
    'expected_origins',
    'iat',
    'nonce',
    'response_mode',
    'response_type',
  ])
  expect(claims).toMatchObject({ response_mode: 'dc_api.jwt', expected_origins: [origin] })
  for (const same of ['client_id', 'dcql_query', 'exp']) expect(claims[same]).toEqual(link.claims[same])

  const { origin: own } = new URL(service.ctx.config.BASE_URL)
  const ownRequest = (await getRequests()).body.requests[0].data.request
  expect(decodeJwt(ownRequest).claims['expected_origins']).toEqual([own])
})

test("readerAuth is signed with the tenant's own access certificate, and absent without one", async () => {
  const tenant = await service.tenant()
  const hasReaderAuth = async ({ getRequests }: Awaited<ReturnType<typeof create>>) => {
    const { deviceRequest } = (await getRequests(origin)).body.requests[1].data
    return Buffer.from(deviceRequest, 'base64url').includes('readerAuth')
  }
  expect(await hasReaderAuth(await create({}, tenant))).toBe(false)

  const certificate = newAccessCertificate()
  await setIdentity(service.ctx, { tenant_id: tenant.tenant_id, certificate })
  const signed = await create({}, tenant)
  expect(await hasReaderAuth(signed)).toBe(true)
  // The wallet refuses a reader whose signature or certificate is not valid.
  const wallet = await openWallet(service.ctx, service.address)
  const responded = await wallet.respondInBrowser({ id: signed.id, origin, channel: 'annex_c' })
  expect(responded).toMatchObject({ sent: true, http_status: 200 })
  expect((await signed.read()).status).toBe('completed')

  await setIdentity(service.ctx, { tenant_id: tenant.tenant_id, certificate: null })
  expect(await hasReaderAuth(await create({}, tenant))).toBe(false)
  expect(await hasReaderAuth(await create())).toBe(false)
})

test('[TPL-6] an element that a claim is only derived from is not said to be kept, over any channel of mdocs', async () => {
  const name_space = 'org.iso.18013.5.1'
  const place = (name: string) => ({ credential: 'mdl', path: [name_space, name] })
  const template = {
    name: 'Name and age',
    description: 'The name of an adult.',
    query: {
      credentials: [
        {
          id: 'mdl',
          format: 'mso_mdoc',
          meta: { doctype_value: 'org.iso.18013.5.1.mDL' },
          claims: [
            { path: [name_space, 'family_name'] },
            { path: [name_space, 'birth_date'], intent_to_retain: true },
          ],
        },
      ],
    },
    claims: { family_name: [place('family_name')], birth_date: [{ ...place('birth_date'), as: 'date' }] },
    derive: { adult: { from: 'birth_date', at_least_years: 18 } },
    must: { adult: { equals: true } },
  }
  const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
  expect(await putTemplate(service.ctx, { by, key: 'name_and_age', template })).toEqual([])
  const { id, getRequests, respond, read } = await create({ template: 'name_and_age' })

  const [dcApi, annexC] = (await getRequests(origin)).body.requests
  for (const jwt of [dcApi.data.request, (await service.anonymous.get(`/wallet/request/${id}`)).text])
    expect(decodeJwt(jwt).claims['dcql_query']).toMatchObject({
      credentials: [{ claims: [{ intent_to_retain: true }, { intent_to_retain: false }] }],
    })
  const deviceRequest = Buffer.from(annexC.data.deviceRequest, 'base64url')
  const says = (name: string, boolean: number) =>
    deviceRequest.includes(Buffer.concat([Buffer.from(name), Buffer.from([boolean])]))
  expect([says('family_name', 0xf5), says('birth_date', 0xf4), says('birth_date', 0xf5)]).toEqual([
    true,
    true,
    false,
  ])

  await respond({ origin, channel: 'annex_c' })
  expect(await read()).toMatchObject({
    status: 'completed',
    claims: { family_name: 'Mustermann', adult: true },
    credentials: [{ claims: { [name_space]: { family_name: 'Mustermann' } } }],
  })
})
