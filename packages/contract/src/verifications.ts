import { z } from 'zod'
import { isRedirectTarget } from './redirect-target.ts'
import { text } from './text.ts'
import {
  Claims,
  Count,
  TimestampInput,
  MetadataInput,
  Metadata,
  Purpose,
  queryInteger,
  TemplateKey,
  Timestamp,
  Uri,
} from './values.ts'

export type SessionStatus = z.infer<typeof SessionStatus>
export const SessionStatus = z.enum(['pending', 'completed', 'failed', 'expired'])

export type Finding = z.infer<typeof Finding>
export const Finding = z
  .strictObject({
    check: z.string(),
    status: z.enum(['pass', 'fail', 'warning', 'skipped']),
    detail: z.string().optional(),
  })
  .meta({ id: 'Finding' })

export type CredentialResult = z.infer<typeof CredentialResult>
export const CredentialResult = z
  .strictObject({
    format: z.enum(['mso_mdoc', 'dc+sd-jwt']),
    doctype_or_vct: z.string(),
    claims: Claims,
    issuer: z.strictObject({ common_name: z.string().optional(), country: z.string().optional() }),
    trusted: z.boolean(),
    signature_valid: z.boolean(),
    holder_binding_valid: z.boolean(),
    findings: z.array(Finding).meta({ description: 'The checks that did not pass.' }),
  })
  .meta({ id: 'CredentialResult' })

export type Verification = z.infer<typeof Verification>
export const Verification = z
  .strictObject({
    id: z.string(),
    status: SessionStatus,
    template: TemplateKey.optional(),
    wallet_uri: z
      .string()
      .optional()
      .meta({ description: 'Show it as a QR code or a link. Present only while pending.' }),
    request_uri: z.string().optional().meta({ description: 'Present only while pending.' }),
    claims: Claims.optional().meta({
      description: 'The verified claims of all credentials, merged. Present only if completed.',
    }),
    credentials: z.array(CredentialResult).optional(),
    error: z.strictObject({ code: z.string(), message: z.string() }).optional(),
    metadata: Metadata.optional(),
    purpose: Purpose.optional(),
    redirect_url: z.string().optional(),
    created_at: Timestamp,
    expires_at: Timestamp,
    responded_at: Timestamp.optional(),
  })
  .meta({
    id: 'Verification',
    examples: [
      {
        id: 'vs_0AE-h3mXw8cVbq2yN5tKzL9rPdJf1gS',
        status: 'pending',
        template: 'age_over_18',
        wallet_uri: 'openid4vp://?client_id=x509_hash%3A…&request_uri=https%3A%2F%2F…',
        request_uri: 'https://verify.example.com/wallet/request/vs_0AE-h3mXw8cVbq2yN5tKzL9rPdJf1gS',
        metadata: { order: 'A-1001' },
        purpose: 'Age check for your order',
        created_at: '2026-11-15T12:00:00.123456Z',
        expires_at: '2026-11-15T12:05:00.123456Z',
      },
    ],
  })

export type VerificationList = z.infer<typeof VerificationList>
export const VerificationList = z
  .strictObject({ data: z.array(Verification) })
  .meta({ id: 'VerificationList' })

export type VerificationStatus = z.infer<typeof VerificationStatus>
export const VerificationStatus = z
  .strictObject({ id: z.string(), status: SessionStatus })
  .meta({ id: 'VerificationStatus' })

export type Erasure = z.infer<typeof Erasure>
export const Erasure = z
  .strictObject({
    id: z.string(),
    deleted: z.strictObject({
      verification_sessions: Count,
      verification_results: Count,
      webhook_deliveries: Count,
    }),
    erased_at: Timestamp,
  })
  .meta({ id: 'Erasure' })

/** The maximum length of a query as JSON. The protocol also limits credentials, claims and their combinations. */
export const maxQuery_characters = 32 * 1024

const anyObject = z.record(z.string(), z.unknown())

export type CreateVerification = z.infer<typeof CreateVerification>
export const CreateVerification = z
  .strictObject({
    template: TemplateKey.optional(),
    query: z
      .strictObject({
        credentials: z.array(anyObject).min(1).max(20),
        credential_sets: z.array(anyObject).max(100).optional(),
      })
      .refine(
        (query) => JSON.stringify(query).length <= maxQuery_characters,
        `must have at most ${maxQuery_characters} characters when written as JSON`,
      )
      .optional()
      .meta({
        description: `A DCQL query (OpenID4VP 1.0) of at most ${maxQuery_characters} characters as JSON.`,
      }),
    webhook_url: Uri.optional(),
    redirect_url: Uri.refine(
      isRedirectTarget,
      "must be http, https or an app's own scheme, without a user name or password",
    ).optional(),
    ttl_seconds: z.int().min(60).max(3600).default(300),
    metadata: MetadataInput.optional(),
    purpose: Purpose.optional(),
  })
  .refine(
    ({ template, query }) => (template === undefined) !== (query === undefined),
    'give exactly one of template and query',
  )
  .meta({
    id: 'CreateVerification',
    description: 'Give exactly one of `template` and `query`.',
    examples: [
      { template: 'age_over_18', purpose: 'Age check for your order', metadata: { order: 'A-1001' } },
    ],
  })

export type IdempotencyKey = z.infer<typeof IdempotencyKey>
export const IdempotencyKey = z
  .string()
  .regex(/^[!-~]{1,255}$/, 'must be 1-255 printable ASCII characters without spaces')

export type ListVerifications = z.infer<typeof ListVerifications>
export const ListVerifications = z.strictObject({
  limit: queryInteger({ min: 1, max: 100, defaultValue: 20 }),
  before: TimestampInput.optional(),
})

export type RedeemResponseCode = z.infer<typeof RedeemResponseCode>
export const RedeemResponseCode = z
  .strictObject({ response_code: text({ min: 16 }) })
  .meta({ id: 'RedeemResponseCode' })
