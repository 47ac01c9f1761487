import { z } from 'zod'
import { describe, ExpectedValues, TemplateKey, TemplateParameters, Timestamp } from '../values.ts'
import { exampleVerificationId, StatusName } from '../verifications.ts'
import { text } from '../text.ts'
import { exampleRegistrationId, TemplateRegistration } from './registrations.ts'
import { MaskedCredential } from './verifications.ts'

const exampleTemplate = {
  name: 'Hotel check-in',
  description: 'The name of the guest.',
  query: {
    credentials: [
      {
        id: 'pid',
        format: 'dc+sd-jwt',
        meta: { vct_values: ['urn:eudi:pid:1'] },
        claims: [{ path: ['family_name'] }, { path: ['given_name'] }],
      },
    ],
  },
  claims: {
    family_name: [{ credential: 'pid', path: ['family_name'] }],
    given_name: [{ credential: 'pid', path: ['given_name'] }],
  },
}

/** Any object. The protocol package checks its contents. */
const TemplateBody = describe(
  z.record(z.string(), z.unknown()),
  'The template: its name, description, DCQL query, claims and rules, and as `clear_claims` the names of those results, each true or false, that stay readable when results are sealed.',
  exampleTemplate,
)

/** The key of a template in a path. */
export const TemplateKeyParam = describe(TemplateKey, 'The key of the template.', 'hotel_check_in')

export type TemplateSummary = z.infer<typeof TemplateSummary>
export const TemplateSummary = z
  .strictObject({
    key: describe(
      TemplateKey,
      'What you give as `template` when you create a verification.',
      'hotel_check_in',
    ),
    name: describe(z.string(), 'A short name for people.', exampleTemplate.name),
    description: describe(z.string(), 'What it asks and how.', exampleTemplate.description),
    built_in: describe(
      z.boolean(),
      'Whether the template is part of the service. Otherwise it is your own.',
      false,
    ),
    updated_at: describe(
      Timestamp,
      'When you last changed it. Absent if built in.',
      '2026-11-15T09:00:00.123456Z',
    ).optional(),
  })
  .meta({ id: 'TemplateSummary' })

export type TemplateList = z.infer<typeof TemplateList>
export const TemplateList = z.strictObject({ data: z.array(TemplateSummary) }).meta({ id: 'TemplateList' })

export type TemplateDetail = z.infer<typeof TemplateDetail>
export const TemplateDetail = z
  .strictObject({
    ...TemplateSummary.shape,
    template: TemplateBody,
    registration: describe(
      TemplateRegistration,
      'The registration that it is asked under. Absent if you have none for it.',
    ).optional(),
  })
  .meta({ id: 'TemplateDetail' })

export type Lint = z.infer<typeof Lint>
export const Lint = z
  .strictObject({
    level: describe(z.enum(['error', 'warning', 'hint']), 'Only an `error` prevents saving.', 'hint'),
    rule: describe(
      z.enum([
        'invalid',
        'fails_on_base_pid',
        'asks_more_than_needed',
        'optional_claim_in_flat_list',
        'missing_other_format',
        'all_sets_optional',
        'outside_registration',
      ]),
      'The rule that found it. Rules are stable.',
      'missing_other_format',
    ),
    place: describe(z.string(), 'Where in the template.', 'query.credentials[0]'),
    message: describe(
      z.string(),
      'An explanation for people, in English.',
      'Holders whose wallet has the PID only as an mdoc cannot respond.',
    ),
  })
  .meta({ id: 'TemplateLint' })

export type LintList = z.infer<typeof LintList>
export const LintList = z
  .strictObject({ data: describe(z.array(Lint), 'What was found. Empty if nothing was.') })
  .meta({ id: 'TemplateLintList' })

export type TemplateInput = z.infer<typeof TemplateInput>
export const TemplateInput = z.strictObject({ template: TemplateBody }).meta({ id: 'TemplateInput' })

export type TemplateLintInput = z.infer<typeof TemplateLintInput>
export const TemplateLintInput = z
  .strictObject({
    template: TemplateBody,
    registration_id: describe(
      z.uuid().nullable(),
      'The registration to compare it with. `null` or absent: the default.',
      exampleRegistrationId,
    ).optional(),
  })
  .meta({ id: 'TemplateLintInput', examples: [{ template: exampleTemplate }] })

export type DuplicateTemplate = z.infer<typeof DuplicateTemplate>
export const DuplicateTemplate = z.strictObject({ key: TemplateKey }).meta({ id: 'DuplicateTemplate' })

export type PutTemplateResult = z.infer<typeof PutTemplateResult>
export const PutTemplateResult = z
  .strictObject({
    saved: describe(z.boolean(), 'False if a problem prevents it.', true),
    lints: describe(z.array(Lint), 'Problems that prevent saving, or that are worth knowing.'),
  })
  .meta({ id: 'PutTemplateResult' })

export type TryTemplate = z.infer<typeof TryTemplate>
export const TryTemplate = z
  .strictObject({
    template: describe(TemplateKey, 'The key of a saved template.', 'age_over_18'),
    parameters: describe(TemplateParameters, 'Values for its parameters.', { age: 25 }).optional(),
    expected: describe(ExpectedValues, 'What it compares claims with.', {
      birth_date: '1984-01-26',
    }).optional(),
    persona: describe(
      text({ min: 1, max: 64 }),
      'The fictitious person whose wallet responds. The guide to testing lists them.',
      'adult',
    ),
  })
  .meta({
    id: 'TryTemplate',
    examples: [{ template: 'age_over', parameters: { age: 25 }, persona: 'adult' }],
  })

export type TemplateTrial = z.infer<typeof TemplateTrial>
export const TemplateTrial = z
  .strictObject({
    verification_id: describe(z.string(), 'The test verification.', exampleVerificationId),
    status: describe(StatusName, 'How it ended.', 'completed'),
    claims: describe(
      z.record(z.string(), z.unknown()),
      'What a completed verification has. Included because the person is fictitious.',
      { age_over_18: true },
    ).optional(),
    error: describe(
      z.strictObject({
        code: describe(z.string(), 'Stable. Listed in the error reference.', 'requirement_not_met'),
        message: describe(z.string(), 'An explanation for people.', 'age_over_18 is not true.'),
      }),
      'Why it failed. Present only if it did.',
    ).optional(),
    credentials: describe(z.array(MaskedCredential), 'The presented credentials with their checks.'),
  })
  .meta({ id: 'TemplateTrial' })
