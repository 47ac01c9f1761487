import { exportPem, extendedKeyUsage, toPem } from '@vidimus/sandbox'
import {
  issueEcosystemIdentity,
  setEcosystemIdentity,
} from '../../src/trust/identity/ecosystem-identities.ts'
import { setIdentity } from '../../src/trust/identity/set-identity.ts'
import type { Merchant, Service } from '../service.ts'
import { newAccessCertificate } from './access-certificate.ts'
import { newAuthority } from './authorities.ts'

/** Who certifies verifiers in each ecosystem. Its wallets trust nobody else. */
export const ecosystemRoots = {
  eu: newAuthority('EU access authority'),
  apple: newAuthority('Apple'),
  google: newAuthority('Verifier registrar'),
  iso: newAuthority('Readers of a state'),
}

/** What Google Wallet shows about the merchant. */
export const shopDisplay = {
  display_name: 'Corner Shop',
  logo_uri: 'https://shop.example/logo.png',
  privacy_policy_uri: 'https://shop.example/privacy',
}

/** A merchant with an identity for every ecosystem. */
export async function newMerchantEverywhere(service: Service): Promise<Merchant> {
  const merchant = await service.tenant()
  const { tenant_id } = merchant
  const environment = 'test'
  const certificate = newAccessCertificate({ issuer: ecosystemRoots.eu })
  await setIdentity(service.ctx, { tenant_id, certificate })
  for (const ecosystem of ['apple', 'iso'] as const)
    await setEcosystemIdentity(service.ctx, {
      tenant_id,
      ecosystem,
      environment,
      certificate: newAccessCertificate({
        issuer: ecosystemRoots[ecosystem],
        extensions: [extendedKeyUsage('1.0.18013.5.1.6', true)],
      }),
    })
  const { certificate: root, key } = ecosystemRoots.google
  await issueEcosystemIdentity(service.ctx, {
    tenant_id,
    environment,
    registrar: { chain: toPem(root), key: exportPem(key) },
    metadata: { display: shopDisplay },
  })
  return merchant
}
