import { z } from 'zod'
import { text } from '../text.ts'
import { Count, describe, Timestamp } from '../values.ts'
import { ecosystems } from '../vocabulary/ecosystems.ts'
import { EnvironmentName } from './values.ts'

export const exampleFingerprint = '3f8a6c1de0b94725a1c6d8e7f50b3924c7d1e8a9f2b4063c5d7e9f1a0b2c4d6e'
const exampleExpiry = '2027-11-15T00:00:00.000000Z'
const examplePem = '-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIU…\n-----END CERTIFICATE-----\n'

const Expiry = describe(Timestamp, 'When it expires.', exampleExpiry)
const Environment = describe(EnvironmentName, 'The environment that it is used in.', 'test')

const IdentityFinding = z
  .strictObject({
    severity: describe(
      z.enum(['refused', 'warning']),
      '`refused`: wallets are known to refuse it.',
      'warning',
    ),
    message: describe(
      z.string(),
      'What the rules say against it, in English.',
      'The certificate is valid for more than two years.',
    ),
  })
  .meta({ id: 'IdentityFinding' })

export type AccessCertificate = z.infer<typeof AccessCertificate>
export const AccessCertificate = z
  .strictObject({
    own: describe(z.boolean(), 'True for your own certificate, false for that of the service.', true),
    self_made: describe(z.boolean(), 'Whether the service made it itself, for tests.', false),
    subject: describe(z.string(), 'Whom it names.', 'CN=Harbour Wines,O=Harbour Wines GmbH,C=DE'),
    issuer: describe(z.string(), 'Who issued it.', 'CN=Example Access CA,C=DE'),
    valid_from: describe(Timestamp, 'When it becomes valid.', '2026-11-15T00:00:00.000000Z'),
    expires_at: Expiry,
    fingerprint: describe(
      z.string(),
      'SHA-256 of the leaf certificate, in hexadecimal.',
      'a07b1c5e92d3f4860b1a2c3d4e5f60718293a4b5c6d7e8f90123456789abcdef',
    ),
    client_id: describe(
      z.string(),
      'How requests name you to wallets.',
      'x509_hash:oHscXpLT9IYLGiw9Tl9gcYKTpLXG1-j5ASNFZ4mrze8',
    ),
    findings: describe(
      z.array(IdentityFinding),
      'What the published rules for the wallets of the EU say against it.',
    ),
  })
  .meta({ id: 'AccessCertificate' })

/** An identity for the wallets of one ecosystem, which signs beside the access certificate. */
export type EcosystemIdentity = z.infer<typeof EcosystemIdentity>
export const EcosystemIdentity = z
  .strictObject({
    ecosystem: describe(z.enum(ecosystems), 'Whose wallets it is for.', 'google'),
    environment: Environment,
    own: describe(z.boolean(), 'True for your own, false for that of the operator.', true),
    subject: describe(z.string(), 'Whom it names.', 'CN=Harbour Wines,C=DE'),
    expires_at: Expiry,
    fingerprint: describe(
      z.string(),
      'SHA-256 of the leaf certificate, in hexadecimal.',
      'b18c2d6fa3e405971c2b3d4e5f6071829304a5b6c7d8e9f00123456789abcdef',
    ),
    findings: describe(z.array(IdentityFinding), 'What the published rules of the ecosystem say against it.'),
  })
  .meta({ id: 'EcosystemIdentity' })

export type TrustListState = z.infer<typeof TrustListState>
export const TrustListState = z
  .strictObject({
    environment: Environment,
    url: describe(z.string(), 'Where the list is fetched.', 'https://trust.example/lists/pid.jwt'),
    anchors: describe(Count, 'How many certificates of it are trusted.', 27),
    next_update: describe(
      Timestamp,
      'When its publisher will replace it.',
      '2026-11-14T00:00:00.000000Z',
    ).optional(),
    trusted_until: describe(
      Timestamp,
      'Until when it is trusted if it cannot be refreshed.',
      '2026-11-21T00:00:00.000000Z',
    ).optional(),
    refreshed_at: describe(Timestamp, 'When it was last fetched.', '2026-11-13T06:00:00.123456Z').optional(),
    stale: describe(z.boolean(), 'Whether it should have been replaced by now.', true),
    expired: describe(z.boolean(), 'Whether it is no longer trusted.', false),
    fault: describe(
      z.string(),
      'Why the last attempt to fetch it failed, in English. Absent if it succeeded.',
      'responded with status 503',
    ).optional(),
  })
  .meta({ id: 'TrustListState' })

const TrustPolicy = describe(
  z.enum(['all', 'own']),
  '`all`: the anchors of the environment and your own. `own`: only your own.',
  'all',
)

const AnchorRole = z.enum(['issuing', 'revocation', 'list_signing', 'registration'])

/** A trust anchor certificate, with the details that a person compares. */
export type TrustAnchor = z.infer<typeof TrustAnchor>
const TrustAnchor = z
  .strictObject({
    subject: describe(z.string(), 'Whom it names.', 'CN=Example Transport Authority,C=DE'),
    expires_at: Expiry,
    fingerprint: describe(z.string(), 'SHA-256 in hexadecimal.', exampleFingerprint),
  })
  .meta({ id: 'TrustAnchor' })

const anchorMembers = {
  ...TrustAnchor.shape,
  role: describe(AnchorRole, 'What it is trusted to do.', 'issuing'),
  entity: describe(
    z.string(),
    'Who operates it: anchors of one entity vouch for each other. Absent: it belongs to no entity.',
    'Example Transport Authority',
  ).optional(),
  document_types: describe(
    z.array(z.string()),
    'The document types that it is trusted for. Absent: all types.',
    ['org.iso.18013.5.1.mDL'],
  ).optional(),
}

/** The tenant's trust policy and its own anchors. */
export type TenantTrust = z.infer<typeof TenantTrust>
export const TenantTrust = z
  .strictObject({
    policy: TrustPolicy,
    anchors: describe(
      z.array(
        z.strictObject({ ...anchorMembers, environment: Environment }).meta({ id: 'TenantTrustAnchor' }),
      ),
      'Your own anchors.',
    ),
  })
  .meta({ id: 'TenantTrust' })

/** The anchors that the service trusts in an environment. */
export type ServiceAnchors = z.infer<typeof ServiceAnchors>
export const ServiceAnchors = z
  .strictObject({
    data: describe(
      z.array(
        z
          .strictObject({
            ...anchorMembers,
            source: describe(
              z.string(),
              '`operator`: added by hand. `sandbox`: the issuer of the sandbox. Otherwise the URL of a trust list.',
              'https://trust.example/lists/pid.jwt',
            ),
            expired: describe(
              z.boolean(),
              'True if its list has expired, so that it is not trusted until the list is refreshed.',
              false,
            ),
          })
          .meta({ id: 'ServiceTrustAnchor' }),
      ),
      'In the order in which they were added.',
    ),
    next_after: describe(
      z.string(),
      'What to give as `after` for the next page. Absent on the last page.',
      '1200',
    ).optional(),
  })
  .meta({ id: 'ServiceAnchors' })

export type ListServiceAnchors = z.infer<typeof ListServiceAnchors>
export const ListServiceAnchors = z.strictObject({
  after: describe(
    z.string().regex(/^\d{1,15}$/),
    'The `next_after` of the previous page.',
    '1200',
  ).optional(),
})

export type AnchorPreview = z.infer<typeof AnchorPreview>
export const AnchorPreview = z.strictObject({ data: z.array(TrustAnchor) }).meta({ id: 'AnchorPreview' })

export type AnchorsInput = z.infer<typeof AnchorsInput>
export const AnchorsInput = z
  .strictObject({
    pem: describe(z.string().max(65_536), 'One or more certificates as PEM.', examplePem),
    role: describe(
      AnchorRole,
      'What they are trusted to do. Absent: to issue credentials.',
      'issuing',
    ).optional(),
    entity: describe(
      text({ min: 1, max: 200 }),
      'Who operates them. A status list may be signed under a revocation anchor of the same entity.',
      'Example Transport Authority',
    ).optional(),
  })
  .meta({ id: 'AnchorsInput' })

export type RemoveAnchorQuery = z.infer<typeof RemoveAnchorQuery>
export const RemoveAnchorQuery = z
  .object({
    role: describe(
      AnchorRole,
      'The role that it loses. Absent: the certificate is removed in all its roles.',
      'issuing',
    ).optional(),
  })
  .meta({ id: 'RemoveAnchorQuery' })

export type ChangeTrustPolicy = z.infer<typeof ChangeTrustPolicy>
export const ChangeTrustPolicy = z.strictObject({ policy: TrustPolicy }).meta({ id: 'ChangeTrustPolicy' })

const PrivateKeyAndChain = z.strictObject({
  chain: describe(z.string().max(32_768), 'The certificate chain, leaf first, as PEM.', examplePem),
  key: describe(
    z.string().max(16_384),
    'The private key of the leaf, as PEM.',
    '-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49…\n-----END PRIVATE KEY-----\n',
  ),
})

export type ChangeIdentity = z.infer<typeof ChangeIdentity>
export const ChangeIdentity = z
  .strictObject({
    certificate: describe(
      PrivateKeyAndChain.nullable(),
      'The certificate with its private key. `null`: that of the service is used again.',
    ),
  })
  .meta({ id: 'ChangeIdentity' })

export type ChangeEcosystemIdentity = z.infer<typeof ChangeEcosystemIdentity>
export const ChangeEcosystemIdentity = z
  .strictObject({
    certificate: describe(
      PrivateKeyAndChain.nullable(),
      'The certificate with its private key. `null` removes the identity.',
    ),
    rp_metadata: describe(
      z.base64url().max(16_384),
      'For Google Wallet: `gw_rp_metadata_bytes`, as its registrar gave them.',
      'CgpIYXJib3VyIFc',
    ).optional(),
  })
  .meta({ id: 'ChangeEcosystemIdentity' })
