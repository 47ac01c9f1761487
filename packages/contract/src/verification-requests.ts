import { z } from 'zod'
import { isRedirectTarget } from './redirect-target.ts'
import { text } from './text.ts'
import { StatusName, storedMembers } from './verifications.ts'
import {
  describe,
  ExpectedValues,
  MetadataFilter,
  MetadataInput,
  queryBoolean,
  queryInteger,
  TemplateKey,
  TemplateParameters,
  TimestampInput,
  Uri,
} from './values.ts'

const exampleCredentialQuery = {
  id: 'licence',
  format: 'mso_mdoc',
  meta: { doctype_value: 'org.iso.18013.5.1.mDL' },
  claims: [{ path: ['org.iso.18013.5.1', 'age_over_18'] }],
}

/** The maximum length of a query as JSON. The protocol also limits credentials, claims and their combinations. */
export const maxQuery_characters = 32 * 1024

/** More would let a person try document after document. */
export const maxAttempts = 5

const anyObject = z.record(z.string(), z.unknown())

/** Where a holder is sent with a code in the fragment. */
export const RedirectUrl = Uri.refine(
  isRedirectTarget,
  "must be http, https or an app's own scheme with a domain name (com.shop.app:/…), without a user name, a password or a backslash",
).refine(
  (uri) => !uri.includes('#'),
  'must not have a fragment (#…), because the response code is sent in it',
)

export type CreateVerification = z.infer<typeof CreateVerification>
export const CreateVerification = z
  .strictObject({
    template: describe(
      TemplateKey,
      'The key of a built-in template or one of your own.',
      'age_over_18',
    ).optional(),
    parameters: describe(
      TemplateParameters,
      'Values for the parameters of the template, such as the age of `age_over`. Those that it gives a default may be left out. `GET /v1/templates` lists them.',
      { age: 25 },
    ).optional(),
    expected: describe(
      ExpectedValues,
      'What you expect of the claims that the template compares. The result says yes or no for each, never the claim. Kept encrypted, only while the verification is pending.',
      { birth_date: '1984-01-26', family_name: 'Mustermann' },
    ).optional(),
    query: z
      .strictObject({
        credentials: describe(z.array(anyObject).min(1).max(20), 'The requested credentials, as in DCQL.', [
          exampleCredentialQuery,
        ]),
        credential_sets: describe(
          z.array(anyObject).max(100),
          'Which combinations of them are acceptable. Without it, all are required.',
          [{ options: [['licence']] }],
        ).optional(),
      })
      .refine(
        (query) => JSON.stringify(query).length <= maxQuery_characters,
        `must have at most ${maxQuery_characters} characters when written as JSON`,
      )
      .optional()
      .meta({
        description: `A DCQL query (OpenID4VP 1.0) of at most ${maxQuery_characters} characters as JSON.`,
        examples: [{ credentials: [exampleCredentialQuery] }],
      }),
    webhook_url: describe(
      Uri,
      'Where the result is posted. Must be a public address. Use https; http is accepted with a warning.',
      'https://shop.example/webhooks/vidimus',
    ).optional(),
    redirect_url: describe(
      RedirectUrl,
      'Where the holder is sent after responding, with a one-time code to redeem in the fragment. Must not have a fragment itself. An app has a scheme with its domain name, such as `com.shop.app:/return`.',
      'https://shop.example/checkout/return',
    ).optional(),
    ttl_seconds: describe(
      z.int().min(60).max(3600).default(300),
      'How long a wallet can respond, in seconds.',
      300,
    ),
    max_attempts: describe(
      z.int().min(1).max(maxAttempts),
      'How many responses may fail before the verification does. By default what your policies say, at first 1.',
      3,
    ).optional(),
    alternative_url: describe(
      Uri.refine((uri) => /^https:/i.test(uri), 'must be https'),
      'Where a holder without a wallet can proceed. The page offers it as another way to verify.',
      'https://shop.example/checkout/verify-otherwise',
    ).optional(),
    metadata: MetadataInput.meta({ examples: [{ order: 'A-1001' }] }).optional(),
    ...storedMembers,
  })
  .refine(
    ({ template, query }) => (template === undefined) !== (query === undefined),
    'Give exactly one of template and query',
  )
  .refine(
    ({ template, parameters, expected }) =>
      template !== undefined || (parameters === undefined && expected === undefined),
    'Only a template has parameters and compares what is expected',
  )
  .meta({
    id: 'CreateVerification',
    description: 'Give exactly one of `template` and `query`.',
    examples: [
      { template: 'age_over_18', purpose: 'Age check for your order', metadata: { order: 'A-1001' } },
    ],
  })

export type CreateVerificationQuery = z.infer<typeof CreateVerificationQuery>
export const CreateVerificationQuery = z.object({
  strict: describe(
    queryBoolean(),
    'Whether a `query` that violates DCQL is 400 instead of 201 with a warning. By default what your policies say, at first `false`.',
    true,
  ).optional(),
})

export type IdempotencyKey = z.infer<typeof IdempotencyKey>
export const IdempotencyKey = z
  .string()
  .regex(/^[!-~]{1,255}$/, 'must be 1-255 printable ASCII characters without spaces')

export type ListVerifications = z.infer<typeof ListVerifications>
export const ListVerifications = z.strictObject({
  limit: describe(
    queryInteger({ min: 1, max: 100, defaultValue: 20 }),
    'The maximum number of verifications.',
    20,
  ),
  before: describe(
    TimestampInput,
    'Only verifications created before this time: the last `created_at` of the previous page.',
    '2026-11-15T12:00:00.123456Z',
  ).optional(),
  status: describe(StatusName, 'Only verifications with this status now.', 'completed').optional(),
  template: describe(
    TemplateKey,
    'Only verifications that were created with this template.',
    'age_over_18',
  ).optional(),
  created_after: describe(
    TimestampInput,
    'Only verifications created after this time.',
    '2026-11-01T00:00:00Z',
  ).optional(),
  created_before: describe(
    TimestampInput,
    'Only verifications created before this time. Unlike `before`, it stays the same for every page.',
    '2026-12-01T00:00:00Z',
  ).optional(),
  metadata: describe(
    MetadataFilter,
    'Only verifications with these names and values in their metadata, whenever they were created: `metadata[order]=A-1001`. Names and values match exactly, and all of them must.',
    { order: 'A-1001' },
  ).optional(),
})

export type RedeemResponseCode = z.infer<typeof RedeemResponseCode>
export const RedeemResponseCode = z
  .strictObject({
    response_code: describe(
      text({ min: 16 }),
      'From the fragment of the redirect, `#response_code=…`. Works once.',
      'p7Qm2xV9rT4wYb6nKc1sHd8f',
    ),
  })
  .meta({ id: 'RedeemResponseCode' })
