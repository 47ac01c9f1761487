import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  exportAnchors,
  validityAround,
  createAuthority,
  createIssuer,
  type Authority,
  type Format,
} from '@vidimus/sandbox'
import { expect, test } from 'vitest'
import { joinPem } from '../../../test/trust/authorities.ts'
import { readAuditLog } from '../../../test/audit/audit.ts'
import { runCommand } from '../../../test/processes/run-command.ts'
import { startService, testEnvironment, type Merchant, type Service } from '../../../test/service.ts'
import { openWallet } from '../../../test/wallet.ts'
import { setPolicies } from '../../accounts/tenants/tenant-settings.ts'
import { addAnchors } from '../anchors/add-anchor.ts'
import { computeFingerprint } from '../anchors/list-anchors.ts'
import { addTenantAnchors, removeTenantAnchor, setTrustPolicy } from './change-anchors.ts'
import { getTenantTrust } from './get-trust.ts'

/** An issuer that is not trusted yet. */
function createMinistry() {
  const issuer = createIssuer({ now: new Date(), organization: 'Ministry' })
  const roots = exportAnchors(issuer).map(({ certificate }) => certificate)
  return {
    issuer,
    pem: joinPem(...roots),
    fingerprints: roots.map((root) => computeFingerprint(root).toString('hex')),
  }
}

async function startTrustFixture() {
  const service = await startService()
  const tenant = async () => {
    const merchant = await service.tenant({ environment: 'live' })
    // Nobody serves the status lists of these issuers.
    await setPolicies(service.ctx, { tenant_id: merchant.tenant_id, status_unavailable: 'warning' })
    return { merchant, by: { kind: 'operator', tenant_id: merchant.tenant_id } as const }
  }
  return {
    service,
    ...service,
    newTenant: tenant,
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}

/** A certificate with the same name and key as this root that expired yesterday. */
function createExpiredTwin({ name, key }: Authority): Uint8Array {
  return createAuthority({ ...validityAround(new Date(), 30, -1), name, key, path_length: 1 }).certificate
}

/** Whether a credential of this issuer is trusted in a verification of this merchant. */
async function trusts(
  service: Service,
  merchant: Pick<Merchant, 'get' | 'post'>,
  issuer?: ReturnType<typeof createMinistry>,
  format?: Format,
) {
  const { id, wallet_uri } = (await merchant.post('/v1/verifications', { template: 'age_over_18' })).body
  const wallet = await openWallet(service.ctx, service.address, {
    ...(issuer && { issuer: issuer.issuer }),
    ...(format && { format }),
  })
  await wallet.respond(wallet_uri)
  const { status, credentials } = (await merchant.get(`/v1/verifications/${id}`)).body
  expect(credentials[0].trusted).toBe(status === 'completed')
  return credentials[0].trusted
}

test.each(['dc+sd-jwt', 'mso_mdoc'] as const)(
  'a valid certificate counts although an expired one of the same anchor is present, in %s and in either order',
  async (format) => {
    await using fixture = await startTrustFixture()
    const issuer = createMinistry()
    const expired = Object.values(issuer.issuer.hierarchies).map(({ root }) =>
      joinPem(createExpiredTwin(root)),
    )
    const trusted = async (...pems: string[]) => {
      const { merchant, by } = await fixture.newTenant()
      for (const pem of pems) await addTenantAnchors(fixture.ctx, { by, environment: 'live', pem })
      return trusts(fixture.service, merchant, issuer, format)
    }

    expect(await trusted(...expired, issuer.pem)).toBe(true)
    expect(await trusted(issuer.pem, ...expired)).toBe(true)
    expect(await trusted(...expired)).toBe(false)
  },
)

test("[TRUST-1] a tenant's own anchor counts for that tenant in that environment, and for nobody else", async () => {
  await using fixture = await startTrustFixture()
  const { ctx } = fixture
  const { merchant, by } = await fixture.newTenant()
  const other = await fixture.newTenant()
  const issuer = createMinistry()
  expect(await trusts(fixture, merchant, issuer)).toBe(false)

  await addTenantAnchors(ctx, { by, environment: 'live', pem: issuer.pem })

  expect(await trusts(fixture, merchant, issuer)).toBe(true)
  expect(await trusts(fixture, other.merchant, issuer)).toBe(false)
  expect(await trusts(fixture, await merchant.as({ environment: 'test' }), issuer)).toBe(false)
  expect(await getTenantTrust(ctx, merchant.tenant_id)).toMatchObject({
    policy: 'all',
    anchors: issuer.fingerprints.map(() => ({ environment: 'live', document_types: null })),
  })

  for (const fingerprint of issuer.fingerprints) {
    await expect(removeTenantAnchor(ctx, { by: other.by, environment: 'live', fingerprint })).rejects.toThrow(
      'no such trust anchor',
    )
    await removeTenantAnchor(ctx, { by, environment: 'live', fingerprint })
  }
  expect(await trusts(fixture, merchant, issuer)).toBe(false)
  const entries = (await readAuditLog(ctx, merchant.tenant_id)).filter(
    ({ action }) => action === 'tenant.trust_changed',
  )
  expect(entries.map(({ detail }) => detail)).toEqual([
    { environment: 'live', added: issuer.fingerprints },
    ...issuer.fingerprints.map((fingerprint) => ({ environment: 'live', removed: [fingerprint] })),
  ])
})

test('[TRUST-1] [TRUST-2] a tenant that trusts only its own anchors trusts nobody else, except the sandbox in test', async () => {
  await using fixture = await startTrustFixture()
  const { ctx } = fixture
  const { merchant, by } = await fixture.newTenant()
  const other = await fixture.newTenant()
  const forAll = createMinistry()
  const partner = createMinistry()
  await addAnchors(ctx, { environment: 'live', pem: forAll.pem })
  await addTenantAnchors(ctx, { by, environment: 'live', pem: partner.pem })
  await expect.poll(() => trusts(fixture, other.merchant, forAll), { timeout: 5000 }).toBe(true)
  expect(await trusts(fixture, merchant, forAll)).toBe(true)

  await setTrustPolicy(ctx, { by, policy: 'own' })

  expect(await trusts(fixture, merchant, forAll)).toBe(false)
  expect(await trusts(fixture, merchant, partner)).toBe(true)
  expect(await trusts(fixture, other.merchant, forAll)).toBe(true)
  expect(await trusts(fixture, merchant)).toBe(false)
  expect(await trusts(fixture, await merchant.as({ environment: 'test' }))).toBe(true)

  await setTrustPolicy(ctx, { by, policy: 'all' })
  expect(await trusts(fixture, merchant, forAll)).toBe(true)
})

test("[TRUST-1] a tenant's own anchor may be limited to some document types", async () => {
  await using fixture = await startTrustFixture()
  const { merchant, by } = await fixture.newTenant()
  const issuer = createMinistry()
  await addTenantAnchors(fixture.ctx, {
    by,
    environment: 'live',
    pem: issuer.pem,
    document_types: ['another.document'],
  })
  expect(await trusts(fixture, merchant, issuer)).toBe(false)
})

test("[TRUST-1] the commands add, list and remove a tenant's anchors", { timeout: 60_000 }, async () => {
  await using fixture = await startTrustFixture()
  const { merchant } = await fixture.newTenant()
  const file = join(mkdtempSync(join(tmpdir(), 'anchors-')), 'anchors.pem')
  const issuer = createMinistry()
  writeFileSync(file, issuer.pem)
  const run = async (...args: string[]) => {
    const { status, stdout, stderr } = await runCommand([...args, '--tenant', merchant.tenant_id, '--json'], {
      ...testEnvironment(fixture.database_url),
    })
    expect([status, stderr]).toEqual([0, expect.any(String)])
    return stdout
      .trim()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  }

  expect(await run('admin', 'trust', 'add', '--env', 'live', '--file', file)).toMatchObject([
    { tenant_id: merchant.tenant_id, added: issuer.fingerprints.map((fingerprint) => ({ fingerprint })) },
  ])
  expect(
    (await run('admin', 'trust', 'list')).map(({ source, environment }) => [source, environment]),
  ).toEqual(issuer.fingerprints.map(() => ['tenant', 'live']))
  await run('admin', 'trust', 'remove', '--env', 'live', '--fingerprint', issuer.fingerprints[0] ?? '')
  expect(await run('admin', 'trust', 'list')).toHaveLength(issuer.fingerprints.length - 1)
})
