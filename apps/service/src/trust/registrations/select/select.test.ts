import { afterAll, describe, expect, test } from 'vitest'
import { decodeJwt } from '../../../../test/decode-jwt.ts'
import { signIn } from '../../../../test/sign-in/browser.ts'
import { startService, type Merchant } from '../../../../test/service.ts'
import { newAccessCertificate } from '../../../../test/trust/access-certificate.ts'
import { newRegistration } from '../../../../test/trust/registrations.ts'
import { openWallet } from '../../../../test/wallet.ts'
import { setIdentity } from '../../identity/set-identity.ts'

const service = await startService()
afterAll(() => service[Symbol.asyncDispose]())

const pid = (...claims: string[]) => ({
  credentials: [
    {
      id: 'pid',
      format: 'dc+sd-jwt',
      meta: { vct_values: ['urn:eudi:pid:1'] },
      claims: claims.map((name) => ({ path: [name] })),
    },
  ],
})

async function newOwner() {
  const merchant = await service.tenant()
  const owner = await signIn(service, { tenant_id: merchant.tenant_id, role: 'owner' })
  const add = async (certificate: string, more: object = {}): Promise<string> => {
    const { status, text, body } = await owner.call('addRegistration', { body: { certificate, ...more } })
    expect([status, text]).toEqual([201, expect.anything()])
    return body.id
  }
  return { merchant, owner, add }
}

/** The attestations in the request of a new verification. */
async function readInfo(merchant: Merchant, body: object = { template: 'age_over_18' }) {
  const created = await merchant.post('/v1/verifications', body)
  expect(created.status).toBe(201)
  return fetchInfo(created.body.id)
}

async function fetchInfo(id: string): Promise<{ format: string; data: unknown }[]> {
  const jwt = await (await fetch(`${service.address}/wallet/request/${id}`)).text()
  return (decodeJwt(jwt).claims['verifier_info'] ?? []) as { format: string; data: unknown }[] // the service signed it
}

const carried = (token: string) => [
  { format: 'registration_cert', data: Buffer.from(token).toString('base64url') },
]

describe('a verification carries', () => {
  test('the registration of its template, or else the default, and keeps it', async () => {
    const { merchant, owner, add } = await newOwner()
    const [first, second] = [newRegistration({ purpose: 'One' }), newRegistration({ purpose: 'Two' })]
    expect(await readInfo(merchant)).toEqual([])
    const one = await add(first)
    const two = await add(second)
    const assign = (registration_id: string | null) =>
      owner.call('assignRegistration', { params: { key: 'age_over_18' }, body: { registration_id } })
    expect((await assign(two)).body.registration).toEqual({ id: two, name: 'Two', assigned: true })
    const { id } = (await merchant.post('/v1/verifications', { template: 'age_over_18' })).body

    expect(await fetchInfo(id)).toEqual(carried(second))
    expect(await readInfo(merchant, { template: 'age_over_16' })).toEqual(carried(first))
    expect(await readInfo(merchant, { query: pid('family_name') })).toEqual(carried(first))
    const shown = await owner.call('getVerification', { params: { environment: 'test', id } })
    expect(shown.body.registration).toEqual({ id: two, name: 'Two' })

    expect((await assign(null)).body.registration).toEqual({ id: one, name: 'One', assigned: false })
    expect(await readInfo(merchant)).toEqual(carried(first))
    await owner.call('changeRegistration', { params: { id: one }, body: { default: false } })
    expect(await readInfo(merchant)).toEqual([])
    await owner.call('changeRegistration', { params: { id: two }, body: { default: true, name: 'Wine' } })
    expect(await readInfo(merchant)).toEqual(carried(second))
    await owner.call('removeRegistration', { params: { id: two } })
    expect(await fetchInfo(id)).toEqual(carried(second))
    const after = await owner.call('getVerification', { params: { environment: 'test', id } })
    expect(after.body.registration).toEqual({})
  })

  test('none that another tenant has, and only a registration of its own can be named', async () => {
    const [mine, other] = [await newOwner(), await newOwner()]
    const theirs = await other.add(newRegistration())
    expect(await readInfo(mine.merchant)).toEqual([])
    const assigned = await mine.owner.call('assignRegistration', {
      params: { key: 'age_over_18' },
      body: { registration_id: theirs },
    })
    expect(assigned).toMatchObject({ status: 404, body: { error: { code: 'registration_not_found' } } })
  })

  test('nothing of a template that was deleted, if another one gets its key', async () => {
    const { merchant, owner, add } = await newOwner()
    const [first, second] = [newRegistration({ purpose: 'One' }), newRegistration({ purpose: 'Two' })]
    await add(first)
    const two = await add(second)
    const params = { key: 'own' }
    const body = { template: { name: 'Own', description: 'Own', query: pid('family_name') } }
    await owner.call('putTemplate', { params, body })
    await owner.call('assignRegistration', { params, body: { registration_id: two } })
    expect(await readInfo(merchant, { template: 'own' })).toEqual(carried(second))
    await owner.call('deleteTemplate', { params })
    await owner.call('putTemplate', { params, body })
    expect(await readInfo(merchant, { template: 'own' })).toEqual(carried(first))
  })
})

test('the encoding is a setting, and the data set of the registrar is carried beside the certificate', async () => {
  const { merchant, owner, add } = await newOwner()
  const token = newRegistration()
  const dataset = {
    identifier: 'NTRUT-1234',
    intendedUseIdentifier: 'age-check',
    registryURI: 'https://r.invalid',
  }
  await add(token, { dataset: JSON.stringify(dataset) })
  const before = (await merchant.post('/v1/verifications', { template: 'age_over_18' })).body
  const { body } = await owner.call('changeRegistrationSettings', { body: { encoding: 'jwt' } })

  expect(body.settings).toEqual({ encoding: 'jwt', policy: 'warn' })
  expect(await readInfo(merchant)).toEqual([
    { format: 'registration_cert', data: token },
    { format: 'registrar_dataset', data: dataset },
  ])
  expect(await fetchInfo(before.id)).toEqual([
    ...carried(token),
    { format: 'registrar_dataset', data: dataset },
  ])
})

test.each([
  ['of another party', { identifier: 'NTRUT-OTHER' }, 422],
  ['of another party, in the form of the registry', { identifier: [{ identifier: 'NTRUT-OTHER' }] }, 422],
  ['of another intended use', { identifier: 'NTRUT-1234', intendedUseIdentifier: 'other' }, 422],
  ['that is no object', [], 400],
  ['that cannot be stored', { identifier: 'NTRUT-1234', note: '\0' }, 400],
])('a data set %s is refused', async (_what, dataset, status) => {
  const { owner } = await newOwner()
  const body = { certificate: newRegistration(), dataset: JSON.stringify(dataset) }
  expect((await owner.call('addRegistration', { body })).status).toBe(status)
})

describe('a query outside its registration', () => {
  const excess = 'query.credentials[0].claims[1]: is outside the registration'

  test('is created with a warning, and within it without one', async () => {
    const { merchant, add } = await newOwner()
    await add(newRegistration())
    const create = (query: object) => merchant.post('/v1/verifications', { query })
    const outside = await create(pid('family_name', 'given_name'))
    expect([outside.status, outside.headers.get('x-service-warning')]).toEqual([201, excess])
    const within = await create(pid('family_name', 'birthdate'))
    expect([within.status, within.headers.get('x-service-warning')]).toEqual([201, null])
  })

  test('is refused if the tenant has chosen that, and nothing is charged; a replay still gets its first answer', async () => {
    const { merchant, owner, add } = await newOwner()
    await add(newRegistration())
    const body = { query: pid('family_name', 'given_name') }
    const headers = { 'idempotency-key': 'order-1' }
    const first = await merchant.post('/v1/verifications', body, { headers })
    await owner.call('changeRegistrationSettings', { body: { policy: 'refuse' } })
    const used = async () => (await merchant.get('/v1/usage')).body.verifications_created
    const before = await used()
    const refused = await merchant.post('/v1/verifications', body)
    expect(refused).toMatchObject({ status: 422, body: { error: { code: 'registration_exceeded' } } })
    expect(refused.body.error.message).toContain(excess)
    expect((await merchant.post('/v1/verifications', body, { headers })).text).toBe(first.text)
    expect((await merchant.post('/v1/verifications', { query: pid('family_name') })).status).toBe(201)
    expect(await used()).toBe(before + 1)
  })

  test('is found for templates too, as often as they are used, and by the lint before they are saved', async () => {
    const { merchant, owner, add } = await newOwner()
    const wide = newRegistration({
      credentials: [{ format: 'dc+sd-jwt', meta: { vct_values: ['urn:eudi:pid:1'] } }],
    })
    await add(newRegistration())
    const other = await add(wide)
    const template = { name: 'Own', description: 'Own', query: pid('family_name', 'given_name') }
    const lint = async (more: object = {}) =>
      (await owner.call('lintTemplate', { body: { template, ...more } })).body.data.filter(
        ({ rule }: { rule: string }) => rule === 'outside_registration',
      )
    expect(await lint()).toEqual([
      {
        level: 'warning',
        rule: 'outside_registration',
        place: 'query.credentials[0].claims[1]',
        message: 'given_name is outside the registration.',
      },
    ])
    expect(await lint({ registration_id: other })).toEqual([])
    const { body: put } = await owner.call('putTemplate', { params: { key: 'own' }, body: { template } })
    expect(put.lints).toContainEqual(expect.objectContaining({ rule: 'outside_registration' }))

    const warned = async () =>
      (await merchant.post('/v1/verifications', { template: 'own' })).headers.get('x-service-warning')
    expect([await warned(), await warned()]).toEqual([excess, excess])
    await owner.call('assignRegistration', { params: { key: 'own' }, body: { registration_id: other } })
    expect(await warned()).toBeNull()
  })
})

test('where another certificate signs, the registration names its holder as intermediary, and the request names both', async () => {
  const { merchant, add } = await newOwner()
  const certificate = newAccessCertificate({ identifier: 'NTRUT-9999' })
  await setIdentity(service.ctx, { tenant_id: merchant.tenant_id, certificate })
  const token = newRegistration({ intermediary: { identifier: 'NTRUT-9999', name: 'Example Verify' } })
  await add(token)
  expect(await readInfo(merchant)).toEqual([
    ...carried(token),
    {
      format: 'registrar_dataset',
      data: {
        identifier: 'NTRUT-1234',
        srvDescription: [{ lang: 'en', content: 'A shop' }],
        registryURI: 'https://registrar.invalid/register',
        intendedUseIdentifier: 'age-check',
        purpose: [{ lang: 'en', content: 'To check the age of customers' }],
        policyURI: 'https://shop.invalid/privacy',
      },
    },
  ])
  expect(decodeJwt(token).claims).toMatchObject({
    name: 'Corner Shop',
    intermediary: { sub: 'NTRUT-9999', name: 'Example Verify' },
  })
  const { id, wallet_uri } = (await merchant.post('/v1/verifications', { template: 'age_over_18' })).body
  await (await openWallet(service.ctx, service.address)).respond(wallet_uri)
  expect((await merchant.get(`/v1/verifications/${id}`)).body.status).toBe('completed')
})
