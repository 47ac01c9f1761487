import { z } from 'zod'
import { PageOrigins } from '../page-origin.ts'
import { text } from '../text.ts'
import { TimeZone } from '../time-zone.ts'
import { describe, TemplateKey } from '../values.ts'
import { maxAttempts } from '../verification-requests.ts'
import { WalletLinks } from '../wallet-link.ts'
import { HolderErasure } from './erasure-requests.ts'
import { RequestLogSettings } from './requests.ts'
import { AccessCertificate, EcosystemIdentity, TenantTrust, TrustListState } from './trust.ts'

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
    display_name: describe(text({ min: 1, max: 64 }), 'Who asks.', 'Harbour Wines').optional(),
    colour: describe(Colour, 'The colour of buttons.', '#7a1f3d').optional(),
    logo: describe(
      Logo,
      'The logo, as a data URL of a PNG, WebP or SVG image.',
      'data:image/png;base64,iVBORw0KGgo=',
    ).optional(),
    privacy_url: describe(HttpsUrl, 'Your privacy policy.', 'https://shop.example.com/privacy').optional(),
    alternative_url: describe(
      HttpsUrl,
      'Where a holder without a wallet can proceed, unless the verification says otherwise.',
      'https://shop.example.com/other-ways',
    ).optional(),
    kept_days: describe(
      z.int().min(0).max(36_500),
      'How many days you yourself keep what you get.',
      90,
    ).optional(),
  })
  .meta({ id: 'Brand' })

/** A tenant's policies for results. */
export type PolicySettings = z.infer<typeof PolicySettings>
export const PolicySettings = z
  .strictObject({
    retention_days: describe(z.int().min(1).max(365), 'After how many days results are deleted.', 30),
    forget_on_delivery: describe(z.boolean(), 'Whether a result is deleted once it is delivered.', false),
    hold_back: describe(
      z.boolean(),
      'Whether a result is held back until its one-time code is redeemed.',
      false,
    ),
    status_unavailable: describe(
      z.enum(['fail', 'warning']),
      'What follows if the status of a credential cannot be checked.',
      'warning',
    ),
    time_zone: describe(
      TimeZone,
      'Where days begin when an age is counted from a birth date.',
      'Europe/Berlin',
    ),
    max_attempts: describe(
      z.int().min(1).max(maxAttempts),
      'How many responses a verification takes, unless it says otherwise.',
      1,
    ),
    strict_queries: describe(z.boolean(), 'Whether a query that violates DCQL is refused.', false),
  })
  .meta({ id: 'PolicySettings' })

/** How holders may respond. */
export type HolderPageSettings = z.infer<typeof HolderPageSettings>
export const HolderPageSettings = z
  .strictObject({
    page_origins: describe(
      PageOrigins,
      'The origins of your pages that may use the Digital Credentials API.',
      ['https://shop.example.com'],
    ),
    wallet_links: describe(
      WalletLinks,
      'What the links that open a wallet begin with. The first is the main button; the others are offered as other wallets.',
      ['openid4vp'],
    ),
    age_app: describe(z.boolean(), 'Whether the EU age-verification app may respond.', true),
    moving_code: describe(
      z.boolean(),
      'Whether the QR code of the page is replaced every 20 seconds.',
      false,
    ),
    edited_languages_only: describe(
      z.boolean(),
      'Whether page, component and till offer no machine translations.',
      false,
    ),
    holder_erasure: describe(
      HolderErasure,
      'What happens when a holder asks for an erasure with the code of a verification: nothing, you decide, or it is erased at once.',
      'ask_merchant',
    ),
    erasure_template: describe(
      TemplateKey.nullable(),
      'The template with which a holder without the code proves who they are, so that their results of about a day are compared with it. It must ask for names and birth date. `null` if they cannot.',
      'identity_basic',
    ),
  })
  .meta({ id: 'HolderPageSettings' })

export type Settings = z.infer<typeof Settings>
export const Settings = z
  .strictObject({
    brand: describe(Brand, 'How you appear to holders.'),
    policies: describe(PolicySettings, 'What happens to results.'),
    holder_page: describe(HolderPageSettings, 'How holders may respond.'),
    erasure_url: describe(
      z.string(),
      'The page where holders ask for an erasure. Register it as `supportURI`, before any other website.',
      'https://verify.example.com/erase/0f81d4fae-7dec-41d0-a765-00a0c91e6bf6',
    ),
    request_log: describe(RequestLogSettings, 'Whether requests are recorded.'),
    certificate: describe(AccessCertificate, 'The certificate that signs requests.'),
    identities: describe(
      z.array(EcosystemIdentity),
      'Further identities, each for the wallets of one ecosystem.',
    ),
    own_trust: describe(TenantTrust, 'Whom you trust besides the service.'),
    trust_lists: describe(z.array(TrustListState), 'The trust lists of the service.'),
  })
  .meta({ id: 'Settings' })

export type ChangePolicies = z.infer<typeof ChangePolicies>
export const ChangePolicies = PolicySettings.partial().meta({
  id: 'ChangePolicies',
  examples: [{ retention_days: 30 }],
})

export type ChangeHolderPage = z.infer<typeof ChangeHolderPage>
export const ChangeHolderPage = HolderPageSettings.partial().meta({
  id: 'ChangeHolderPage',
  examples: [{ page_origins: ['https://shop.example.com'] }],
})
