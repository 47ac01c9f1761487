import { exportPem, toPem } from '@vidimus/sandbox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readAuditLog } from '../../../test/audit/audit.ts'
import { startService, type Merchant, type Service } from '../../../test/service.ts'
import { signIn } from '../../../test/sign-in/browser.ts'
import { newAccessCertificate } from '../../../test/trust/access-certificate.ts'
import { newAuthority } from '../../../test/trust/authorities.ts'
import { issueEcosystemIdentity, setEcosystemIdentity } from './ecosystem-identities.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const display = {
  display_name: 'Corner Shop',
  logo_uri: 'https://shop.example/logo.png',
  privacy_policy_uri: 'https://shop.example/privacy',
}
const apple = { environment: 'test', ecosystem: 'apple' } as const
const changesOf = async ({ tenant_id }: Merchant) =>
  (await readAuditLog(service.ctx, tenant_id))
    .filter(({ action }) => action === 'tenant.identity_changed')
    .map(({ actor, detail }) => ({ actor: actor.split(':')[0], detail }))

test('a member sets and removes an identity, sees what its rules say, and every change is audited', async () => {
  const merchant = await service.tenant()
  const owner = await signIn(service, merchant)
  const { chain, key, client_id } = newAccessCertificate()
  const set = await owner.call('changeEcosystemIdentity', {
    params: apple,
    body: { certificate: { chain, key } },
  })
  expect(set.body.identities).toEqual([
    {
      ...apple,
      own: true,
      subject: 'O=Corner Shop, CN=shop.example',
      expires_at: expect.any(String),
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
      findings: [
        { severity: 'warning', message: expect.stringContaining('ends within 30 days') },
        { severity: 'warning', message: expect.stringContaining('none of the pages') },
      ],
    },
  ])
  const removed = await owner.call('changeEcosystemIdentity', { params: apple, body: { certificate: null } })
  expect(removed.body.identities).toEqual([])
  const again = await owner.call('changeEcosystemIdentity', { params: apple, body: { certificate: null } })
  expect(again.status).toBe(200)
  expect(await changesOf(merchant)).toEqual([
    { actor: 'member', detail: { ...apple, client_id } },
    { actor: 'member', detail: { ...apple, client_id: null } },
  ])
})

test('what cannot work is refused, and nothing is stored', async () => {
  const merchant = await service.tenant()
  const owner = await signIn(service, merchant)
  const { chain, key } = newAccessCertificate()
  const call = async (ecosystem: string, body: object) => {
    const params = { environment: 'test', ecosystem }
    const { status, body: refusal } = await owner.call('changeEcosystemIdentity', { params, body })
    return [status, refusal.error?.message ?? refusal.message]
  }
  const refused = (why: string) => [400, expect.stringContaining(why)]
  expect(await call('apple', { certificate: { chain, key: newAccessCertificate().key } })).toEqual(
    refused('does not belong'),
  )
  expect(await call('apple', { certificate: { chain: 'nothing', key } })).toEqual(refused('no certificate'))
  expect(await call('apple', { certificate: { chain, key }, rp_metadata: '2BhBoA' })).toEqual(
    refused('has metadata'),
  )
  expect(await call('google', { certificate: { chain, key } })).toEqual(refused('has metadata'))
  expect(await call('google', { certificate: { chain, key }, rp_metadata: '2BhBoA' })).toEqual(
    refused('schema_version'),
  )
  expect((await call('eu', { certificate: { chain, key } }))[0]).toBe(404)
  expect((await owner.call('getSettings')).body.identities).toEqual([])
  await expect(
    setEcosystemIdentity(service.ctx, {
      ...apple,
      tenant_id: '00000000-0000-4000-8000-000000000000',
      certificate: { chain, key },
    }),
  ).rejects.toMatchObject({ code: 'not_found' })
})

test('an identity that a registrar issued is complete, ends with its authority, and is found among what a member set up', async () => {
  const merchant = await service.tenant()
  const owner = await signIn(service, merchant)
  const admin = await signIn(service, { ...merchant, role: 'admin' })
  const { chain, key } = newAccessCertificate()
  await admin.call('changeEcosystemIdentity', { params: apple, body: { certificate: { chain, key } } })
  const registrar = newAuthority('Verifier registrar')
  await issueEcosystemIdentity(service.ctx, {
    tenant_id: merchant.tenant_id,
    environment: 'live',
    registrar: { chain: toPem(registrar.certificate), key: exportPem(registrar.key) },
    metadata: { display },
  })
  const google = async () =>
    (await owner.call('getSettings')).body.identities.filter(
      ({ ecosystem }: { ecosystem: string }) => ecosystem === 'google',
    )
  expect(await google()).toMatchObject([{ environment: 'live', own: true, findings: [] }])

  const { id } = (await admin.call('getMe')).body.member
  const listed = (await owner.call('listMemberAccess', { params: { id } })).body
  expect(JSON.stringify(listed)).toContain('apple test')
  const body = { access_certificate: 'end' }
  await owner.call('removeMember', { params: { id }, query: body })
  expect((await owner.call('getSettings')).body.identities).toMatchObject([{ ecosystem: 'google' }])
})
