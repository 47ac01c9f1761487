import { createHash, verify, X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toPem } from '@vidimus/sandbox'
import { afterAll, describe, expect, test } from 'vitest'
import { newAccessCertificate } from '../../../test/trust/access-certificate.ts'
import { newAuthority } from '../../../test/trust/authorities.ts'
import { insertDefaultRegistration } from '../../../test/trust/insert-registration.ts'
import { startService, type Merchant } from '../../../test/service.ts'
import { openWallet } from '../../../test/wallet.ts'
import { sql } from '../../engine/db/sql.ts'
import { getPolicies, setPolicies } from '../../accounts/tenants/tenant-settings.ts'
import { removeRegistration } from '../registrations/change-registration.ts'
import { setIdentity } from './set-identity.ts'

const service = await startService()
const folder = mkdtempSync(join(tmpdir(), 'vidimus-identity-'))
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await service[Symbol.asyncDispose]()
})

const registration = [{ format: 'registration_cert', data: 'eyJhbGciOiJFUzI1NiJ9.e30.c2ln' }]

async function newVerification(merchant: Merchant) {
  const { status, body } = await merchant.post('/v1/verifications', { template: 'age_over_18' })
  expect(status).toBe(201)
  const created = body as { id: string; wallet_uri: string; request_uri: string } // the contract's
  const client_id = new URL(created.wallet_uri).searchParams.get('client_id')
  return {
    id: created.id,
    wallet_uri: created.wallet_uri,
    client_id,
    path: new URL(created.request_uri).pathname,
  }
}

/** Fetches the request object and checks that the certificate named by its client_id signed it. Returns its claims. */
async function fetchRequest({ path }: { path: string }) {
  const response = await fetch(`${service.address}${path}`)
  expect(response.status).toBe(200)
  const [header = '', payload = '', signature = ''] = (await response.text()).split('.')
  const { x5c } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { x5c: string[] } // just signed by us
  const leaf = new X509Certificate(Buffer.from(x5c[0] ?? '', 'base64'))
  const signed = Buffer.from(`${header}.${payload}`)
  const key = { key: leaf.publicKey, dsaEncoding: 'ieee-p1363' as const }
  expect(verify('sha256', signed, key, Buffer.from(signature, 'base64url'))).toBe(true)
  const claims: { client_id: string; verifier_info?: unknown } = JSON.parse(
    Buffer.from(payload, 'base64url').toString(),
  )
  expect(claims.client_id).toBe(`x509_hash:${createHash('sha256').update(leaf.raw).digest('base64url')}`)
  return claims
}

describe('[WREQ-2] the verifier', () => {
  test('is the service, until a tenant has its own certificate; other tenants are not affected', async () => {
    const [merchant, other] = [await service.tenant(), await service.tenant()]
    const { client_id: ours } = await service.ctx.identity()
    const before = await newVerification(merchant)
    const own = newAccessCertificate()
    await setIdentity(service.ctx, { tenant_id: merchant.tenant_id, certificate: own })
    const after = await newVerification(merchant)

    expect(before.client_id).toBe(ours)
    expect(after.client_id).toBe(own.client_id)
    expect((await fetchRequest(after)).client_id).toBe(own.client_id)
    expect((await newVerification(other)).client_id).toBe(ours)
  })

  test('[CREATE-13] stays the same for an open verification, whatever changes', async () => {
    const merchant = await service.tenant()
    const { tenant_id } = merchant
    const by = { kind: 'operator', tenant_id } as const
    const [own, other] = [newAccessCertificate(), newAccessCertificate()]
    let id = ''
    const steps = [
      async () => {},
      () => setIdentity(service.ctx, { tenant_id, certificate: own }),
      async () =>
        (id = await insertDefaultRegistration(service.ctx, { tenant_id, verifier_info: registration })),
      () => setIdentity(service.ctx, { tenant_id, certificate: other }),
      () => setIdentity(service.ctx, { tenant_id, certificate: null }),
      () => removeRegistration(service.ctx, { by, id }),
    ]
    const verifications = []
    for (const change of steps) {
      await change()
      verifications.push(await newVerification(merchant))
    }
    const seen = []
    for (const verification of verifications) {
      const { client_id, verifier_info } = await fetchRequest(verification)
      expect(client_id).toBe(verification.client_id)
      seen.push({ client_id, verifier_info })
    }
    const [first, second, third, fourth, fifth, sixth] = seen
    expect(second?.client_id).toBe(own.client_id)
    expect(third).toEqual({ client_id: second?.client_id, verifier_info: registration })
    expect(fourth).toEqual({ client_id: other.client_id, verifier_info: registration })
    expect(fifth).toEqual({ client_id: first?.client_id, verifier_info: registration })
    expect(sixth).toEqual(first)
  })

  test('[WREQ-2] [WRES-1] with its own certificate gets a response from a wallet', async () => {
    const merchant = await service.tenant()
    const certificate = newAccessCertificate()
    const { tenant_id } = merchant
    await setIdentity(service.ctx, { tenant_id, certificate })
    await insertDefaultRegistration(service.ctx, { tenant_id, verifier_info: registration })
    const verification = await newVerification(merchant)
    await (await openWallet(service.ctx, service.address)).respond(verification.wallet_uri)

    const { body } = await merchant.get(`/v1/verifications/${verification.id}`)
    expect(body).toMatchObject({ status: 'completed' })
  })

  test('may share a certificate with another tenant and have a different registration', async () => {
    const own = newAccessCertificate()
    const [one, two] = [await service.tenant(), await service.tenant()]
    await setIdentity(service.ctx, { tenant_id: one.tenant_id, certificate: own })
    await setIdentity(service.ctx, { tenant_id: two.tenant_id, certificate: own })
    await insertDefaultRegistration(service.ctx, { tenant_id: two.tenant_id, verifier_info: registration })
    expect((await fetchRequest(await newVerification(one))).verifier_info).toBeUndefined()
    expect((await fetchRequest(await newVerification(two))).verifier_info).toEqual(registration)
  })

  test('is stored with its key sealed, and recorded in the audit log', async () => {
    const merchant = await service.tenant()
    const own = newAccessCertificate()
    await setIdentity(service.ctx, { tenant_id: merchant.tenant_id, certificate: own })
    const { db } = service.ctx
    const rows = await db.query<{ sealed_key: Buffer }>(sql`select sealed_key from access_certificates`)
    expect(rows.every(({ sealed_key }) => !sealed_key.toString('latin1').includes('PRIVATE KEY'))).toBe(true)
    const entries = await db.query<{ detail: object }>(sql`
      select detail from audit_inbox where tenant_id = ${merchant.tenant_id} and action = 'tenant.identity_changed'`)
    expect(entries).toEqual([{ detail: { client_id: own.client_id } }])
  })
})

test.each<[string, () => Parameters<typeof setIdentity>[1], string]>([
  [
    'with the wrong key',
    () => ({ ...owned(), certificate: { ...newAccessCertificate(), key: newAccessCertificate().key } }),
    'key',
  ],
  [
    'that is self-signed',
    () => ({
      ...owned(),
      certificate: { ...newAccessCertificate(), chain: toPem(newAuthority('Another').certificate) },
    }),
    'self-signed',
  ],
  [
    'that has expired',
    () => ({ ...owned(), certificate: newAccessCertificate({ days: -1 }) }),
    'not valid now',
  ],
  ['that is malformed', () => ({ ...owned(), certificate: { chain: 'x', key: 'y' } }), 'no certificate'],
  [
    'of an unknown tenant',
    () => ({ tenant_id: '00000000-0000-4000-8000-000000000000', certificate: newAccessCertificate() }),
    'no tenant',
  ],
])('a certificate %s is refused', async (_what, change, words) => {
  await expect(setIdentity(service.ctx, change())).rejects.toThrow(words)
})

const someTenant = await service.tenant()
function owned() {
  return { tenant_id: someTenant.tenant_id }
}

test('[RET-1] policies are set one by one, and the partitions for the new retention exist at once', async () => {
  const { tenant_id } = await service.tenant()
  const { ctx } = service
  expect(await getPolicies(ctx, tenant_id)).toMatchObject({
    retention_days: 30,
    forget_on_delivery: false,
    hold_back: false,
    status_unavailable: 'fail',
    time_zone: 'UTC',
    max_attempts: 1,
  })

  await setPolicies(ctx, { tenant_id, retention_days: 91 })
  await setPolicies(ctx, {
    tenant_id,
    hold_back: true,
    status_unavailable: 'warning',
    time_zone: 'Europe/Berlin',
    max_attempts: 3,
  })
  expect(await getPolicies(ctx, tenant_id)).toMatchObject({
    retention_days: 91,
    forget_on_delivery: false,
    hold_back: true,
    status_unavailable: 'warning',
    time_zone: 'Europe/Berlin',
    max_attempts: 3,
  })
  const [partition] = await ctx.db.query<{ there: boolean }>(sql`
    select to_regclass('verification_results_' || to_char(service_day() + 91, 'YYYYMMDD')) is not null as there`)
  expect(partition).toEqual({ there: true })
  await expect(
    setPolicies(ctx, { tenant_id: '00000000-0000-4000-8000-000000000000', hold_back: true }),
  ).rejects.toThrow('no tenant')
})
