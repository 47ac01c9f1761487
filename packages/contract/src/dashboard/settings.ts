import { z } from 'zod'
import { PageOrigins } from '../page-origin.ts'
import { text } from '../text.ts'
import { TimeZone } from '../time-zone.ts'
import { Timestamp } from '../values.ts'
import { maxAttempts } from '../verification-requests.ts'
import { ecosystems } from '../vocabulary/ecosystems.ts'
import { WalletLinks } from '../wallet-link.ts'
import { RequestLogSettings } from './requests.ts'
import { EnvironmentName } from './values.ts'

const Colour = z.string().regex(/^#[0-9a-f]{6}$/, 'must be a colour such as #1a2b3c')
/** Embedded in the page, so that displaying it needs no request to another origin. */
const Logo = z
  .string()
  .max(64 * 1024)
  .regex(
    /^data:image\/(?:png|svg\+xml|webp);base64,[A-Za-z0-9+/]+=*$/,
    'must be a data URL of a PNG, WebP or SVG image',
  )

const HttpsUrl = z.url({ protocol: /^https$/ }).max(512)

/** How the tenant appears to holders. */
export type Brand = z.infer<typeof Brand>
export const Brand = z
  .strictObject({
    display_name: text({ min: 1, max: 64 }).optional(),
    colour: Colour.optional(),
    logo: Logo.optional(),
    privacy_url: HttpsUrl.optional(),
    /** Where a holder without a wallet can proceed, unless the verification says otherwise. */
    alternative_url: HttpsUrl.optional(),
    /** How many days the merchant itself keeps what it got. */
    kept_days: z.int().min(0).max(36_500).optional(),
  })
  .meta({ id: 'Brand' })

/**
 * A tenant's policies for results. `max_attempts`: how many responses a verification takes unless it says otherwise. `forget_on_delivery`: a result is deleted once it is delivered. `strict_queries`: a query that violates DCQL is refused. `time_zone`: where days begin when
 * an age is counted from a birth date.
 */
export type PolicySettings = z.infer<typeof PolicySettings>
export const PolicySettings = z
  .strictObject({
    retention_days: z.int().min(1).max(365),
    forget_on_delivery: z.boolean(),
    hold_back: z.boolean(),
    status_unavailable: z.enum(['fail', 'warning']),
    time_zone: TimeZone,
    max_attempts: z.int().min(1).max(maxAttempts),
    strict_queries: z.boolean(),
  })
  .meta({ id: 'PolicySettings' })

/**
 * How holders may respond: by the links that open a wallet on their device, from pages of `page_origins` through the Digital Credentials
 * API, and with the EU age-verification app. `moving_code`: the QR code of the page is replaced every 20 seconds. `edited_languages_only`:
 * page, component and till offer no machine translations.
 */
export type HolderPageSettings = z.infer<typeof HolderPageSettings>
export const HolderPageSettings = z
  .strictObject({
    page_origins: PageOrigins,
    wallet_links: WalletLinks,
    age_app: z.boolean(),
    moving_code: z.boolean(),
    edited_languages_only: z.boolean(),
  })
  .meta({ id: 'HolderPageSettings' })

const IdentityFinding = z.strictObject({ severity: z.enum(['refused', 'warning']), message: z.string() })

export type AccessCertificate = z.infer<typeof AccessCertificate>
export const AccessCertificate = z
  .strictObject({
    /** True for the tenant's own certificate, false for the service's. */
    own: z.boolean(),
    self_made: z.boolean(),
    subject: z.string(),
    issuer: z.string(),
    valid_from: Timestamp,
    expires_at: Timestamp,
    fingerprint: z.string().meta({ description: 'SHA-256 of the leaf certificate, in hexadecimal.' }),
    client_id: z.string(),
    /** What the published rules for the EU's wallets say against it. */
    findings: z.array(IdentityFinding),
  })
  .meta({ id: 'AccessCertificate' })

/** An identity for the wallets of one ecosystem, which signs beside the access certificate, and what its published rules say against it. */
export type EcosystemIdentity = z.infer<typeof EcosystemIdentity>
export const EcosystemIdentity = z
  .strictObject({
    ecosystem: z.enum(ecosystems),
    environment: EnvironmentName,
    /** True for the tenant's own, false for the operator's. */
    own: z.boolean(),
    subject: z.string(),
    expires_at: Timestamp,
    fingerprint: z.string(),
    findings: z.array(IdentityFinding),
  })
  .meta({ id: 'EcosystemIdentity' })

export type TrustListState = z.infer<typeof TrustListState>
export const TrustListState = z
  .strictObject({
    environment: EnvironmentName,
    url: z.string(),
    anchors: z.int().min(0),
    next_update: Timestamp.optional(),
    trusted_until: Timestamp.optional(),
    refreshed_at: Timestamp.optional(),
    stale: z.boolean(),
    expired: z.boolean(),
    fault: z.string().optional(),
  })
  .meta({ id: 'TrustListState' })

/** `all`: the anchors of the environment and the tenant's own. `own`: only the tenant's own. */
const TrustPolicy = z.enum(['all', 'own'])

/** What an anchor is trusted to do. */
const AnchorRole = z.enum(['issuing', 'revocation', 'list_signing', 'registration'])

/** A trust anchor certificate, with the details that a person compares. */
export type TrustAnchor = z.infer<typeof TrustAnchor>
const TrustAnchor = z
  .strictObject({
    subject: z.string(),
    expires_at: Timestamp,
    fingerprint: z.string().meta({ description: 'SHA-256 in hexadecimal.' }),
  })
  .meta({ id: 'TrustAnchor' })

/** The tenant's trust policy and its own anchors. */
export type TenantTrust = z.infer<typeof TenantTrust>
export const TenantTrust = z
  .strictObject({
    policy: TrustPolicy,
    anchors: z.array(
      z.strictObject({
        ...TrustAnchor.shape,
        environment: EnvironmentName,
        /** The document types that the anchor is trusted for. Absent: all types. */
        document_types: z.array(z.string()).optional(),
        role: AnchorRole,
        /** Who operates it: anchors of one entity vouch for each other. Absent: it belongs to no entity. */
        entity: z.string().optional(),
      }),
    ),
  })
  .meta({ id: 'TenantTrust' })

/** The anchors that the service trusts in an environment, in the order in which they were added. */
export type ServiceAnchors = z.infer<typeof ServiceAnchors>
export const ServiceAnchors = z
  .strictObject({
    data: z.array(
      z.strictObject({
        ...TrustAnchor.shape,
        role: AnchorRole,
        entity: z.string().optional(),
        document_types: z.array(z.string()).optional(),
        /** `operator`: added by hand. `sandbox`: the sandbox's issuer. Otherwise the URL of a trust list. */
        source: z.string(),
        /** Its list has expired, so it is not trusted until the list is refreshed. */
        expired: z.boolean(),
      }),
    ),
    /** The cursor of the next page. Absent on the last page. */
    next_after: z.string().optional(),
  })
  .meta({ id: 'ServiceAnchors' })

export type ListServiceAnchors = z.infer<typeof ListServiceAnchors>
export const ListServiceAnchors = z.strictObject({
  after: z
    .string()
    .regex(/^\d{1,15}$/)
    .optional(),
})

export type AnchorPreview = z.infer<typeof AnchorPreview>
export const AnchorPreview = z.strictObject({ data: z.array(TrustAnchor) }).meta({ id: 'AnchorPreview' })

export type AnchorsInput = z.infer<typeof AnchorsInput>
export const AnchorsInput = z
  .strictObject({
    pem: z.string().max(65_536).meta({ description: 'One or more certificates as PEM.' }),
    role: AnchorRole.optional().meta({
      description: 'What they are trusted to do. Absent: to issue credentials.',
    }),
    entity: text({ min: 1, max: 200 }).optional().meta({
      description:
        'Who operates them. A status list may be signed under a revocation anchor of the same entity.',
    }),
  })
  .meta({ id: 'AnchorsInput' })

/** Without a role, the certificate is removed in all its roles. */
export type RemoveAnchorQuery = z.infer<typeof RemoveAnchorQuery>
export const RemoveAnchorQuery = z.object({ role: AnchorRole.optional() }).meta({ id: 'RemoveAnchorQuery' })

export type ChangeTrustPolicy = z.infer<typeof ChangeTrustPolicy>
export const ChangeTrustPolicy = z.strictObject({ policy: TrustPolicy }).meta({ id: 'ChangeTrustPolicy' })

export type Settings = z.infer<typeof Settings>
export const Settings = z
  .strictObject({
    brand: Brand,
    policies: PolicySettings,
    holder_page: HolderPageSettings,
    request_log: RequestLogSettings,
    certificate: AccessCertificate,
    identities: z.array(EcosystemIdentity),
    own_trust: TenantTrust,
    trust_lists: z.array(TrustListState),
  })
  .meta({ id: 'Settings' })

export type ChangePolicies = z.infer<typeof ChangePolicies>
export const ChangePolicies = PolicySettings.partial().meta({ id: 'ChangePolicies' })

export type ChangeHolderPage = z.infer<typeof ChangeHolderPage>
export const ChangeHolderPage = HolderPageSettings.partial().meta({ id: 'ChangeHolderPage' })

/** `null`: the service's certificate is used again. */
export type ChangeIdentity = z.infer<typeof ChangeIdentity>
export const ChangeIdentity = z
  .strictObject({
    certificate: z
      .strictObject({ chain: z.string().max(32_768), key: z.string().max(16_384) })
      .nullable()
      .meta({ description: 'The certificate chain, leaf first, and its private key, as PEM.' }),
  })
  .meta({ id: 'ChangeIdentity' })

const Pem = z.strictObject({ chain: z.string().max(32_768), key: z.string().max(16_384) })

export type ChangeEcosystemIdentity = z.infer<typeof ChangeEcosystemIdentity>
export const ChangeEcosystemIdentity = z
  .strictObject({
    certificate: Pem.nullable().meta({
      description:
        'The certificate chain, leaf first, and its private key, as PEM. `null` removes the identity.',
    }),
    rp_metadata: z
      .base64url()
      .max(16_384)
      .optional()
      .meta({ description: 'For Google Wallet: `gw_rp_metadata_bytes`, as its registrar gave them.' }),
  })
  .meta({ id: 'ChangeEcosystemIdentity' })
