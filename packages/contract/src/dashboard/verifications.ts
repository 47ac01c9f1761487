import { z } from 'zod'
import {
  Count,
  describe,
  ExpectedValues,
  maxMetadataPair_characters,
  TimestampInput,
  Metadata,
  queryInteger,
  TemplateKey,
  TemplateParameters,
  Timestamp,
  Claims,
  Purpose,
} from '../values.ts'
import { CredentialResult, StatusName, storedMembers } from '../verifications.ts'
import { text } from '../text.ts'

/** A verification in a list, without anything that a wallet disclosed. */
export type VerificationSummary = z.infer<typeof VerificationSummary>
export const VerificationSummary = z
  .strictObject({
    id: z.string(),
    status: StatusName,
    template: TemplateKey.optional(),
    error_code: z.string().optional(),
    device_id: z.string().optional(),
    created_at: Timestamp,
    expires_at: Timestamp,
    responded_at: Timestamp.optional(),
  })
  .meta({ id: 'VerificationSummary' })

export type FilterVerifications = z.infer<typeof FilterVerifications>
export const FilterVerifications = z.strictObject({
  limit: queryInteger({ min: 1, max: 100, defaultValue: 50 }),
  before: TimestampInput.optional(),
  after: TimestampInput.optional(),
  status: StatusName.optional(),
  template: TemplateKey.optional(),
  error_code: text({ max: 64 }).optional(),
  device_id: z.uuid().optional(),
  /** `order=A-1001`, or a value alone, of whatever name. */
  metadata: text({ min: 1, max: 2 * maxMetadataPair_characters }).optional(),
})

export type ExportVerifications = z.infer<typeof ExportVerifications>
export const ExportVerifications = FilterVerifications.omit({ limit: true })

export type VerificationPage = z.infer<typeof VerificationPage>
export const VerificationPage = z
  .strictObject({
    data: z.array(VerificationSummary),
    /** The cursor of the next page. Absent on the last page. A page may have fewer entries than `limit`, even none. */
    next_before: Timestamp.optional(),
  })
  .meta({ id: 'VerificationPage' })

/** A credential with the names of its claims but not their values. */
export type MaskedCredential = z.infer<typeof MaskedCredential>
export const MaskedCredential = z
  .strictObject({
    ...CredentialResult.omit({ claims: true }).shape,
    claim_names: describe(z.array(z.string()), 'The names of the claims that it disclosed.', ['age_over_18']),
  })
  .meta({ id: 'MaskedCredential' })

/** One event in the history of a verification. `detail` is for people. */
export type TimelineEntry = z.infer<typeof TimelineEntry>
export const TimelineEntry = z.strictObject({
  at: Timestamp,
  kind: z.enum([
    'created',
    'request_fetched',
    'dc_error',
    'unreadable',
    'attempted',
    'responded',
    'presented',
    'webhook_attempted',
    'redeemed',
    'compared_same',
    'compared_other',
    'cancelled_by_merchant',
    'cancelled_by_device',
    'cancelled_by_holder',
    'cancelled_by_link',
    'cancelled_by_operator',
    'expired',
  ]),
  actor: z.string().optional(),
  count: Count.optional(),
  detail: z.string().optional(),
})

export type VerificationDetail = z.infer<typeof VerificationDetail>
export const VerificationDetail = z
  .strictObject({
    ...VerificationSummary.shape,
    wallet_uri: z.string().optional(),
    error: z.strictObject({ code: z.string(), message: z.string() }).optional(),
    claim_names: z
      .array(z.string())
      .meta({ description: 'The names of the merged claims; empty if none are stored.' }),
    credentials: z.array(MaskedCredential),
    /** What the visitor of a verification link sees once it completed. */
    confirmation_code: z.string().optional(),
    /** What its creation was warned of. */
    warnings: z.array(z.string()).optional(),
    /** The result is withheld until the response code is redeemed. */
    withheld: z.boolean(),
    metadata: Metadata.optional(),
    ...storedMembers,
    redirect_url: z.string().optional(),
    webhook_url: z.string().optional(),
    query: z.record(z.string(), z.unknown()).optional(),
    /** The registration that it was asked under. Without members, it has been removed since. */
    registration: z.strictObject({ id: z.uuid().optional(), name: z.string().optional() }).optional(),
    timeline: z.array(TimelineEntry),
    /** What an erasure would delete now. */
    erasable: z.strictObject({
      verification_sessions: Count,
      verification_results: Count,
      webhook_deliveries: Count,
    }),
    /** The day on which the result is deleted automatically. */
    purge_day: z.iso.date().optional(),
  })
  .meta({ id: 'VerificationDetail' })

export type RevealedClaims = z.infer<typeof RevealedClaims>
export const RevealedClaims = z
  .strictObject({ claims: Claims.optional(), credentials: z.array(CredentialResult).optional() })
  .meta({ id: 'RevealedClaims' })

export type PersonaList = z.infer<typeof PersonaList>
export const PersonaList = z
  .strictObject({ data: z.array(z.strictObject({ name: z.string(), description: z.string() })) })
  .meta({ id: 'PersonaList' })

const PersonaName = text({ min: 1, max: 64 })

export type CreateTestVerification = z.infer<typeof CreateTestVerification>
export const CreateTestVerification = z
  .strictObject({
    template: TemplateKey,
    parameters: TemplateParameters.optional(),
    expected: ExpectedValues.optional(),
    purpose: Purpose.optional(),
    /** The persona that responds at once. If absent, none responds, and the caller can use the wallet_uri. */
    persona: PersonaName.optional(),
  })
  .meta({ id: 'CreateTestVerification' })

export type CreatedTestVerification = z.infer<typeof CreatedTestVerification>
export const CreatedTestVerification = z
  .strictObject({ id: z.string(), wallet_uri: z.string(), warnings: z.array(z.string()) })
  .meta({ id: 'CreatedTestVerification' })
