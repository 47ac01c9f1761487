import { z } from 'zod'
import { text } from '../text.ts'
import {
  Count,
  describe,
  Metadata,
  MetadataInput,
  Purpose,
  queryInteger,
  TemplateKey,
  Timestamp,
  TimestampInput,
} from '../values.ts'
import { RedirectUrl } from '../verification-requests.ts'
import { EnvironmentName } from './values.ts'

/** Of a tenant, in both environments. */
export const maxVerificationLinks = 10_000
/** How many verifications a link creates in a day unless it says otherwise: strangers can open it, and the tenant's quota pays. */
export const defaultDailyLimits = { reusable: 100, single_use: 10 }
export const maxDailyLimit = 100_000

/** What the service adds to the metadata of a link's verifications. A visitor can set `ref` to anything. */
export const linkMetadataNames = { link: 'link_id', ref: 'link_ref' } as const
export const maxRef_characters = 100

/** `?ref=` of a link's address. What is too long or not a text is left out. */
export const LinkRef = text({ min: 1, max: maxRef_characters }).optional().catch(undefined)

const example = {
  id: 'vl_h3mXw8cVbq2yN5tKzL9rPd',
  url: 'https://verify.example.com/v/0h3mXw8cVbq2yN5tKzL9rPd',
  name: 'Guest Wi-Fi at the harbour',
  template: 'age_over_18',
  purpose: 'Age check for the wine tasting',
  redirect_url: 'https://shop.example/thanks',
  expires_at: '2026-12-31T23:00:00Z',
}

/** The id of a link in a path. It is not its address, so it can be logged and named. */
export const VerificationLinkId = describe(
  z.string().regex(/^vl_[A-Za-z0-9_-]{22}$/, 'must be the id of a link'),
  'The id of the link.',
  example.id,
)

const reserved: readonly string[] = Object.values(linkMetadataNames)
const longestAddition = {
  [linkMetadataNames.link]: example.id,
  [linkMetadataNames.ref]: '\u{1f517}'.repeat(maxRef_characters / 2),
}

const LinkMetadata = MetadataInput.refine(
  (value) => !Object.keys(value).some((name) => reserved.includes(name)),
  `must not have ${reserved.join(' or ')}: the service sets them`,
).refine(
  (value) => MetadataInput.safeParse({ ...value, ...longestAddition }).success,
  `must leave room for ${reserved.join(' and ')}`,
)

const LinkName = describe(
  text({ min: 1, max: 80 }),
  'Its name, for your team. Visitors do not see it.',
  example.name,
)
const Template = describe(
  TemplateKey,
  'The template that it asks with, as it is at the visit.',
  example.template,
)
const LinkPurpose = describe(Purpose, 'What the visitor is told about the reason.', example.purpose)
const SingleUse = describe(
  z.boolean(),
  'Whether it ends with the first verification that completes. Opening it, and attempts that fail, do not use it up. It never changes.',
  false,
)
const DailyLimit = describe(
  z.int().min(1).max(maxDailyLimit),
  `How many verifications it creates in a UTC day. One address gets a quarter of them, at least ten. By default ${defaultDailyLimits.reusable}, for single use ${defaultDailyLimits.single_use}.`,
  defaultDailyLimits.reusable,
)
const ExpiresAt = describe(TimestampInput, 'From then on it creates nothing.', example.expires_at)
const LinkRedirectUrl = describe(
  RedirectUrl,
  'Where the visitor is sent afterwards, with a one-time code to redeem in the fragment. It never comes from the address that was opened.',
  example.redirect_url,
)
const LinkMetadataMember = describe(
  LinkMetadata,
  'Copied into each of its verifications, with `link_id` and, if the address had `?ref=`, `link_ref`: anybody can set that, so prove nothing by it.',
  { campaign: 'autumn' },
)
const MailResults = describe(
  z.boolean(),
  'Whether members that want it get a mail when somebody has responded, without claims.',
  false,
)
const Active = describe(z.boolean(), 'False: it creates nothing until it is true again.', true)

export type CreateVerificationLink = z.infer<typeof CreateVerificationLink>
export const CreateVerificationLink = z
  .strictObject({
    name: LinkName,
    template: Template,
    purpose: LinkPurpose.optional(),
    single_use: SingleUse.default(false),
    daily_limit: DailyLimit.optional(),
    expires_at: ExpiresAt.optional(),
    redirect_url: LinkRedirectUrl.optional(),
    metadata: LinkMetadataMember.optional(),
    mail_results: MailResults.default(false),
    active: Active.default(true),
  })
  .meta({
    id: 'CreateVerificationLink',
    examples: [{ name: example.name, template: example.template, purpose: example.purpose }],
  })

/** Absent members stay unchanged, and `null` removes one. */
export type ChangeVerificationLink = z.infer<typeof ChangeVerificationLink>
export const ChangeVerificationLink = z
  .strictObject({
    name: LinkName.optional(),
    template: Template.optional(),
    purpose: describe(
      Purpose.nullable(),
      'What the visitor is told. `null` removes it.',
      example.purpose,
    ).optional(),
    daily_limit: DailyLimit.optional(),
    expires_at: describe(
      TimestampInput.nullable(),
      'When it ends. `null`: never.',
      example.expires_at,
    ).optional(),
    redirect_url: describe(
      RedirectUrl.nullable(),
      'Where the visitor is sent afterwards. `null` removes it.',
      example.redirect_url,
    ).optional(),
    metadata: describe(LinkMetadata.nullable(), 'Replaces all of it. `null` removes it.', {
      campaign: 'autumn',
    }).optional(),
    mail_results: MailResults.optional(),
    active: Active.optional(),
  })
  .refine((change) => Object.keys(change).length > 0, 'give at least one member to change')
  .meta({ id: 'ChangeVerificationLink', examples: [{ active: false }] })

/** `used`: its one verification has completed. */
const linkStates = ['active', 'inactive', 'expired', 'used'] as const
export type LinkState = (typeof linkStates)[number]

export type VerificationLink = z.infer<typeof VerificationLink>
export const VerificationLink = z
  .strictObject({
    id: describe(z.string(), 'Its id, also in the metadata of its verifications.', example.id),
    url: describe(
      z.string(),
      'The address to hand out. Whoever has it can start a verification. Add `?ref=` to tell apart where it was opened.',
      example.url,
    ),
    environment: describe(EnvironmentName, 'The environment of its verifications.', 'test'),
    name: describe(z.string(), 'Its name, for your team.', example.name),
    template: describe(z.string(), 'The template that it asks with.', example.template),
    purpose: describe(z.string(), 'What the visitor is told about the reason.', example.purpose).optional(),
    single_use: SingleUse,
    daily_limit: describe(z.int(), 'How many verifications it creates in a UTC day.', 100),
    created_today: describe(Count, 'How many it has created today.', 12),
    redirect_url: describe(
      z.string(),
      'Where the visitor is sent afterwards.',
      example.redirect_url,
    ).optional(),
    metadata: describe(Metadata, 'Copied into each of its verifications.', { campaign: 'autumn' }).optional(),
    mail_results: MailResults,
    active: Active,
    state: describe(
      z.enum(linkStates),
      'What a visitor meets: it works, you deactivated it, it has expired, or its single use is over.',
      'active',
    ),
    expires_at: describe(Timestamp, 'When it ends. Absent: never.', '2026-12-31T23:00:00.000000Z').optional(),
    used_at: describe(
      Timestamp,
      'When the one verification of a single use completed.',
      '2026-11-15T12:00:05.123456Z',
    ).optional(),
    created_at: describe(Timestamp, 'When it was created.', '2026-11-15T09:00:00.123456Z'),
  })
  .meta({ id: 'VerificationLink' })

export type ListVerificationLinks = z.infer<typeof ListVerificationLinks>
export const ListVerificationLinks = z.strictObject({
  limit: describe(queryInteger({ min: 1, max: 100, defaultValue: 50 }), 'The maximum number of links.', 50),
  before: describe(
    TimestampInput,
    'Only links created before this time: `next_before` of the previous page.',
    '2026-11-15T12:00:00.123456Z',
  ).optional(),
})

export type VerificationLinkPage = z.infer<typeof VerificationLinkPage>
export const VerificationLinkPage = z
  .strictObject({
    data: describe(z.array(VerificationLink), 'Newest first.'),
    next_before: describe(
      Timestamp,
      'Where the next page begins. Absent on the last page.',
      '2026-11-15T09:00:00.123456Z',
    ).optional(),
  })
  .meta({ id: 'VerificationLinkPage' })
