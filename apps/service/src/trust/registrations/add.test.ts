import type { RegistrationFindingCode } from '@vidimus/contract'
import { afterAll, expect, test } from 'vitest'
import { signIn } from '../../../test/sign-in/browser.ts'
import { startService } from '../../../test/service.ts'
import { newAccessCertificate } from '../../../test/trust/access-certificate.ts'
import { newRegistration } from '../../../test/trust/registrations.ts'
import { erasureAddress, setHolderPage } from '../../accounts/tenants/holder-page.ts'
import { setIdentity } from '../identity/set-identity.ts'

const service = await startService()
afterAll(() => service[Symbol.asyncDispose]())

async function newOwner() {
  const merchant = await service.tenant()
  const owner = await signIn(service, { tenant_id: merchant.tenant_id, role: 'owner' })
  const add = (certificate: string, more: object = {}) =>
    owner.call('addRegistration', { body: { certificate, ...more } })
  return { merchant, owner, add, ...merchant }
}

const codesOf = (body: { findings: { code: string }[] }) => body.findings.map(({ code }) => code)

test('a certificate is checked and stored with what was found, in either spelling', async () => {
  const { add, owner, tenant_id } = await newOwner()
  const certificate = newAccessCertificate({ identifier: 'NTRUT-1234' })
  await setIdentity(service.ctx, { tenant_id, certificate })
  const token = newRegistration()
  const { status, body } = await add(`${Buffer.from(token).toString('base64url')}\n`)
  expect(status).toBe(201)
  expect(body).toMatchObject({
    name: 'To check the age of customers',
    default: true,
    state: 'warning',
    identifier: 'NTRUT-1234',
    intended_use: 'age-check',
    templates: [],
    has_dataset: false,
    use: {
      name: 'Corner Shop',
      legal_name: 'Corner Shop Ltd',
      credentials: [
        { format: 'dc+sd-jwt', types: ['urn:eudi:pid:1'], claims: [['family_name'], ['birthdate']] },
      ],
    },
  })
  expect(codesOf(body)).toEqual([
    'signature_valid',
    'issuer_unknown',
    'lifetime_valid',
    'binding_matches',
    'status_missing',
  ])
  expect(JSON.parse(body.verifier_info)).toEqual([
    { format: 'registration_cert', data: Buffer.from(token).toString('base64url') },
  ])
  const { body: list } = await owner.call('listRegistrations')
  expect(list).toMatchObject({ data: [{ id: body.id }], settings: { encoding: 'base64url', policy: 'warn' } })
  expect((await owner.call('getRegistration', { params: { id: body.id } })).body).toEqual(body)
  expect(await add(token)).toMatchObject({ status: 409, body: { error: { code: 'registration_exists' } } })
})

test.each<[string, () => string, RegistrationFindingCode]>([
  ['not a JWT', () => 'x', 'format_invalid'],
  ['of another type', () => newRegistration({}, { fault: 'wrong_typ' }), 'format_invalid'],
  [
    'with the signature of another key',
    () => newRegistration({}, { fault: 'other_key' }),
    'signature_invalid',
  ],
  ['that was altered', () => alter(newRegistration()), 'signature_invalid'],
  ['that has expired', () => newRegistration({}, { fault: 'expired' }), 'lifetime_ended'],
  ['that is not valid yet', () => newRegistration({}, { fault: 'not_yet_valid' }), 'lifetime_not_begun'],
  ['of somebody else', () => newRegistration({ identifier: 'NTRUT-OTHER' }), 'binding_differs'],
  [
    'that names another intermediary',
    () => newRegistration({ intermediary: { identifier: 'NTRUT-OTHER', name: 'Other' } }),
    'binding_differs',
  ],
])('a certificate %s is refused, and nothing is stored', async (_what, make, code) => {
  const { add, owner, tenant_id } = await newOwner()
  const certificate = newAccessCertificate({ identifier: 'NTRUT-1234' })
  await setIdentity(service.ctx, { tenant_id, certificate })
  const { status, body } = await add(make())
  expect(status).toBe(422)
  expect(body).toMatchObject({ error: { code: 'registration_not_accepted' } })
  const { body: preview } = await owner.call('readRegistration', { body: { certificate: make() } })
  expect(preview).toMatchObject({ accepted: false })
  expect(codesOf(preview)).toContain(code)
  expect((await owner.call('listRegistrations')).body.data).toEqual([])
})

function alter(token: string): string {
  const [header, payload = '', signature] = token.split('.')
  const claims: object = JSON.parse(Buffer.from(payload, 'base64url').toString())
  const changed = Buffer.from(JSON.stringify({ ...claims, name: 'Other' })).toString('base64url')
  return [header, changed, signature].join('.')
}

test('where holders may ask for an erasure, the first website for support must be the page for it', async () => {
  const { add, owner, tenant_id } = await newOwner()
  const by = { kind: 'operator', tenant_id } as const
  const page = erasureAddress(service.ctx, { tenant_id })
  const supportCodes = async (purpose: string, support_uris: string[]) =>
    codesOf((await add(newRegistration({ purpose, support_uris }))).body).filter((code) =>
      code.startsWith('support'),
    )
  expect(await supportCodes('Nobody may ask here', [])).toEqual([])
  await setHolderPage(service.ctx, { by, holder_erasure: 'ask_merchant' })
  expect(await supportCodes('None', [])).toEqual(['support_differs'])
  expect(await supportCodes('Another first', ['https://shop.example/help', page])).toEqual([
    'support_differs',
  ])
  expect(await supportCodes('Another tenant', [page.replace(tenant_id, crypto.randomUUID())])).toEqual([
    'support_differs',
  ])
  expect(await supportCodes('First website', ['mailto:help@shop.example', `${page}?lang=de`])).toEqual([
    'support_matches',
  ])
  expect((await owner.call('getSettings')).body.erasure_url).toBe(page)
})
