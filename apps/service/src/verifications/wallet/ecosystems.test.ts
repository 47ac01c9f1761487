import { exportPem, importPem, toPem, type WalletEcosystem } from '@vidimus/sandbox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createForPages } from '../../../test/dc-page.ts'
import { startService, type Merchant, type Service } from '../../../test/service.ts'
import { newAccessCertificate } from '../../../test/trust/access-certificate.ts'
import { newAuthority } from '../../../test/trust/authorities.ts'
import { ecosystemRoots, newMerchantEverywhere, shopDisplay } from '../../../test/trust/ecosystems.ts'
import { openWallet, type WalletOptions } from '../../../test/wallet.ts'
import {
  issueEcosystemIdentity,
  removeEcosystemIdentity,
  setEcosystemIdentity,
} from '../../trust/identity/ecosystem-identities.ts'
import { setIdentity } from '../../trust/identity/set-identity.ts'

const shop = 'https://shop.example'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const walletOf = (ecosystem: WalletEcosystem): WalletOptions => ({
  ecosystem,
  verifier_anchors: [ecosystemRoots[ecosystem].certificate],
})

/** How the wallet of an ecosystem responds to a verification of the merchant. */
async function respondAs(merchant: Merchant, ecosystem: WalletEcosystem, channel: 'dc_api' | 'annex_c') {
  const { id, read } = await createForPages({ service, merchant, page_origins: [shop] })
  const wallet = await openWallet(service.ctx, service.address, walletOf(ecosystem))
  const result = await wallet.respondInBrowser({ id, origin: shop, channel })
  const { status, claims } = await read()
  return { status, claims, rules: result.sent ? [] : result.violations.map(({ rule }) => rule) }
}

const ofAge = { status: 'completed', claims: { age_over_18: true }, rules: [] }

describe('one merchant is answered by the wallets of every ecosystem without a change', () => {
  test.each([
    ['eu', 'dc_api'],
    ['eu', 'annex_c'],
    ['apple', 'annex_c'],
    ['google', 'dc_api'],
    ['iso', 'dc_api'],
    ['iso', 'annex_c'],
  ] as const)('%s over %s', async (ecosystem, channel) => {
    expect(await respondAs(await newMerchantEverywhere(service), ecosystem, channel)).toEqual(ofAge)
  })

  test('and over a link by those of the EU', async () => {
    const merchant = await newMerchantEverywhere(service)
    const { wallet_uri, read } = await createForPages({ service, merchant, page_origins: [shop] })
    const wallet = await openWallet(service.ctx, service.address, walletOf('eu'))
    expect(await wallet.respond(wallet_uri)).toMatchObject({ sent: true, http_status: 200 })
    expect(await read()).toMatchObject({ status: 'completed' })
  })
})

describe('wallets do not respond', () => {
  test.each([
    ['apple', 'annex_c', ['x5c.trust', 'apple.reader']],
    ['google', 'dc_api', ['x5c.trust', 'google.metadata']],
    ['iso', 'dc_api', ['dc_api.protocol']],
  ] as const)(
    'of %s over %s if the merchant has only the access certificate',
    async (ecosystem, channel, rules) => {
      const merchant = await service.tenant()
      const certificate = newAccessCertificate({ issuer: ecosystemRoots.eu })
      await setIdentity(service.ctx, { tenant_id: merchant.tenant_id, certificate })
      const { status, rules: violated } = await respondAs(merchant, ecosystem, channel)
      expect({ status, violated: [...new Set(violated)] }).toEqual({ status: 'pending', violated: rules })
    },
  )

  test('of Google if the certificate names other metadata, and the registrar issues only for its own key', async () => {
    const merchant = await newMerchantEverywhere(service)
    const { tenant_id } = merchant
    const given = { tenant_id, environment: 'test', ecosystem: 'google' } as const
    await removeEcosystemIdentity(service.ctx, given)
    const certificate = newAccessCertificate({ issuer: ecosystemRoots.google })
    // `a0`: an empty map under tag 24, then one that is complete but that no certificate names.
    await expect(
      setEcosystemIdentity(service.ctx, { ...given, certificate, metadata: Buffer.from('d81841a0', 'hex') }),
    ).rejects.toThrow('schema_version is not v1')
    await expect(setEcosystemIdentity(service.ctx, { ...given, certificate })).rejects.toThrow('has metadata')
    const { buildRelyingPartyMetadata } = await import('@vidimus/protocol')
    const metadata = buildRelyingPartyMetadata({ display: shopDisplay })
    await setEcosystemIdentity(service.ctx, { ...given, certificate, metadata })
    expect(await respondAs(merchant, 'google', 'dc_api')).toMatchObject({
      status: 'pending',
      rules: ['google.metadata'],
    })

    const registrar = {
      chain: toPem(ecosystemRoots.google.certificate),
      key: exportPem(ecosystemRoots.apple.key),
    }
    const issue = { tenant_id, environment: 'test' as const, metadata: { display: shopDisplay } }
    await expect(issueEcosystemIdentity(service.ctx, { ...issue, registrar })).rejects.toThrow(
      'does not belong',
    )
    const leaf = newAccessCertificate({ issuer: ecosystemRoots.google })
    await expect(issueEcosystemIdentity(service.ctx, { ...issue, registrar: leaf })).rejects.toThrow(
      'not that of an authority',
    )
    expect(importPem(leaf.key).algorithm).toBe('ES256')
  })
})

test('requests for the EU are first, and without other identities there are two as before', async () => {
  const protocols = async (merchant: Merchant) => {
    const { getRequests } = await createForPages({ service, merchant, page_origins: [shop] })
    const { requests } = (await getRequests(shop)).body
    return requests.map(({ protocol }: { protocol: string }) => protocol)
  }
  const [signed, multiSigned, annexC] = ['openid4vp-v1-signed', 'openid4vp-v1-multisigned', 'org-iso-mdoc']
  expect(await protocols(await newMerchantEverywhere(service))).toEqual([signed, signed, multiSigned, annexC])
  expect(await protocols(await service.tenant())).toEqual([signed, annexC])
})

test('the identities of the operator are for tenants without their own, in one environment', async () => {
  const own = await newMerchantEverywhere(service)
  const merchant = await service.tenant()
  const environment = 'test'
  const recorded: unknown[] = []
  const operator = {
    tenant_id: null,
    record: async (_: unknown, detail: unknown) => void recorded.push(detail),
  } as const
  const apple = newAuthority('Apple for the operator')
  const certificate = newAccessCertificate({ issuer: apple })
  await setEcosystemIdentity(service.ctx, { ...operator, ecosystem: 'apple', environment, certificate })
  const readersOf = async (each: Merchant) => {
    const { id } = await createForPages({ service, merchant: each, page_origins: [shop] })
    const wallet = await openWallet(service.ctx, service.address, {
      ecosystem: 'apple',
      verifier_anchors: [apple.certificate],
    })
    return (await wallet.respondInBrowser({ id, origin: shop, channel: 'annex_c' })).sent
  }
  expect(await readersOf(merchant)).toBe(true)
  expect(await readersOf(own)).toBe(false)

  await removeEcosystemIdentity(service.ctx, { ...operator, ecosystem: 'apple', environment })
  await setEcosystemIdentity(service.ctx, {
    ...operator,
    ecosystem: 'apple',
    environment: 'live',
    certificate,
  })
  expect(await readersOf(merchant)).toBe(false)
  expect(recorded).toEqual([
    { ecosystem: 'apple', environment, client_id: certificate.client_id },
    { ecosystem: 'apple', environment, client_id: null },
    { ecosystem: 'apple', environment: 'live', client_id: certificate.client_id },
  ])
  expect(await removeEcosystemIdentity(service.ctx, { ...operator, ecosystem: 'apple', environment })).toBe(
    false,
  )
})
