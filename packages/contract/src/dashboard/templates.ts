import { z } from 'zod'
import { TemplateKey, Timestamp } from '../values.ts'
import { StatusName } from '../verifications.ts'
import { text } from '../text.ts'
import { TemplateRegistration } from './registrations.ts'
import { MaskedCredential } from './verifications.ts'

/** Any object. The protocol package checks its contents. */
const TemplateBody = z.record(z.string(), z.unknown())

export type TemplateSummary = z.infer<typeof TemplateSummary>
export const TemplateSummary = z
  .strictObject({
    key: TemplateKey,
    name: z.string(),
    description: z.string(),
    built_in: z.boolean(),
    updated_at: Timestamp.optional(),
  })
  .meta({ id: 'TemplateSummary' })

export type TemplateList = z.infer<typeof TemplateList>
export const TemplateList = z.strictObject({ data: z.array(TemplateSummary) }).meta({ id: 'TemplateList' })

export type TemplateDetail = z.infer<typeof TemplateDetail>
export const TemplateDetail = z
  .strictObject({
    ...TemplateSummary.shape,
    template: TemplateBody,
    /** Absent if the tenant has no registration for it. */
    registration: TemplateRegistration.optional(),
  })
  .meta({ id: 'TemplateDetail' })

/** Only an `error` prevents saving. */
export type Lint = z.infer<typeof Lint>
export const Lint = z.strictObject({
  level: z.enum(['error', 'warning', 'hint']),
  rule: z.enum([
    'invalid',
    'fails_on_base_pid',
    'asks_more_than_needed',
    'optional_claim_in_flat_list',
    'missing_other_format',
    'all_sets_optional',
    'outside_registration',
  ]),
  place: z.string(),
  message: z.string(),
})

export type LintList = z.infer<typeof LintList>
export const LintList = z.strictObject({ data: z.array(Lint) }).meta({ id: 'LintList' })

export type TemplateInput = z.infer<typeof TemplateInput>
export const TemplateInput = z.strictObject({ template: TemplateBody }).meta({ id: 'TemplateInput' })

/** `registration_id`: the registration to compare it with; `null` or absent: the default. */
export type TemplateLintInput = z.infer<typeof TemplateLintInput>
export const TemplateLintInput = z
  .strictObject({ template: TemplateBody, registration_id: z.uuid().nullable().optional() })
  .meta({ id: 'TemplateLintInput' })

export type DuplicateTemplate = z.infer<typeof DuplicateTemplate>
export const DuplicateTemplate = z.strictObject({ key: TemplateKey }).meta({ id: 'DuplicateTemplate' })

/** Whether the template was saved, with the problems that prevent it or that are worth knowing. */
export type PutTemplateResult = z.infer<typeof PutTemplateResult>
export const PutTemplateResult = z
  .strictObject({ saved: z.boolean(), lints: z.array(Lint) })
  .meta({ id: 'PutTemplateResult' })

export type TryTemplate = z.infer<typeof TryTemplate>
export const TryTemplate = z
  .strictObject({ template: TemplateKey, persona: text({ min: 1, max: 64 }) })
  .meta({ id: 'TryTemplate' })

export type TemplateTrial = z.infer<typeof TemplateTrial>
export const TemplateTrial = z
  .strictObject({
    verification_id: z.string(),
    status: StatusName,
    /** Included because the sandbox's personas are fictitious. */
    claims: z.record(z.string(), z.unknown()).optional(),
    error: z.strictObject({ code: z.string(), message: z.string() }).optional(),
    credentials: z.array(MaskedCredential),
  })
  .meta({ id: 'TemplateTrial' })
