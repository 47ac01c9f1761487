import { z } from 'zod'
import { text } from './text.ts'
import { Claims, Count, describe, Metadata, openEnum, Purpose, TemplateKey, Timestamp } from './values.ts'
import { failureCodes } from './vocabulary/failure-codes.ts'

export const exampleVerificationId = 'vs_0AE-h3mXw8cVbq2yN5tKzL9rPdJf1gS'

/** The id of a verification in a path. */
export const VerificationIdParam = describe(
  text({ min: 1, max: 128 }),
  'The id of the verification.',
  exampleVerificationId,
)

export type StatusName = z.infer<typeof StatusName>
export const StatusName = z.enum(['pending', 'completed', 'failed', 'expired'])

export type Finding = z.infer<typeof Finding>
export const Finding = z
  .strictObject({
    check: describe(
      z.string(),
      'The name of the check. Names are stable and listed in the error reference.',
      'revocation',
    ),
    status: describe(
      z.enum(['pass', 'fail', 'warning', 'skipped']),
      '`fail`: the verification failed because of this check. `warning`: it did not.',
      'warning',
    ),
    detail: describe(
      z.string(),
      'An explanation for people. The wording may change.',
      'The status list could not be fetched.',
    ).optional(),
  })
  .meta({ id: 'Finding' })

export type CredentialResult = z.infer<typeof CredentialResult>
export const CredentialResult = z
  .strictObject({
    format: describe(
      z.enum(['mso_mdoc', 'dc+sd-jwt']),
      'The credential format: ISO 18013-5 mdoc or SD-JWT VC.',
      'mso_mdoc',
    ),
    doctype_or_vct: describe(
      z.string(),
      'The document type of an mdoc, or the `vct` of an SD-JWT VC.',
      'org.iso.18013.5.1.mDL',
    ),
    claims: describe(Claims, 'The verified claims of this credential.', { age_over_18: true }),
    issuer: describe(
      z.strictObject({
        common_name: describe(
          z.string(),
          'The common name in the certificate that signed the credential.',
          'Example Transport Authority',
        ).optional(),
        country: describe(z.string(), 'The country in that certificate, as two letters.', 'DE').optional(),
      }),
      'Who signed the credential.',
      { common_name: 'Example Transport Authority', country: 'DE' },
    ),
    trusted: describe(z.boolean(), 'Whether the issuer is on a trusted list.', true),
    signature_valid: describe(z.boolean(), "Whether the issuer's signature is valid.", true),
    holder_binding_valid: describe(
      z.boolean(),
      'Whether the wallet proved, for this request, that it holds the key of the credential.',
      true,
    ),
    findings: describe(z.array(Finding), 'The checks that did not pass.', []),
  })
  .meta({ id: 'CredentialResult' })

const VerificationId = describe(
  z.string(),
  'The id of the verification. Whoever knows it can poll the status.',
  exampleVerificationId,
)
const Status = describe(
  StatusName,
  '`pending` until a wallet responds. `completed`: every check passed. `failed`: see `error`. `expired`: nobody responded in time.',
  'pending',
)

/** What a creation may have, and every verification then shows, in the API and in the dashboard: a text without further meaning. */
export const storedMembers = {
  purpose: describe(Purpose, 'The reason, as the holder is told.', 'Age check for your order').optional(),
}
export type StoredMember = keyof typeof storedMembers

export type Verification = z.infer<typeof Verification>
export const Verification = z
  .strictObject({
    id: VerificationId,
    status: Status,
    template: describe(
      TemplateKey,
      'The template, if the verification was created with one.',
      'age_over_18',
    ).optional(),
    wallet_uri: describe(
      z.string(),
      'Show it as a QR code or a link. Present only while pending.',
      'openid4vp://?client_id=x509_hash%3A…&request_uri=https%3A%2F%2F…',
    ).optional(),
    request_uri: describe(
      z.string(),
      'Where the wallet fetches the signed request. Present only while pending.',
      `https://verify.example.com/wallet/request/${exampleVerificationId}`,
    ).optional(),
    claims: describe(Claims, 'The verified claims of all credentials, merged. Present only if completed.', {
      age_over_18: true,
    }).optional(),
    credentials: describe(
      z.array(CredentialResult),
      'The presented credentials with their checks. Present once a wallet has responded.',
      [],
    ).optional(),
    error: describe(
      z.strictObject({
        code: describe(
          openEnum(z.string(), 'FailureCode', failureCodes),
          'Stable. Listed in the error reference.',
          'issuer_untrusted',
        ),
        message: describe(
          z.string(),
          'For people. The wording may change.',
          'The issuer of the credential is not trusted.',
        ),
      }),
      'Why the verification failed. Present only if failed.',
      { code: 'issuer_untrusted', message: 'The issuer of the credential is not trusted.' },
    ).optional(),
    metadata: describe(Metadata, 'What you gave at creation.', { order: 'A-1001' }).optional(),
    ...storedMembers,
    redirect_url: describe(
      z.string(),
      'Where the holder is sent afterwards.',
      'https://shop.example/checkout/return',
    ).optional(),
    created_at: describe(Timestamp, 'When it was created.', '2026-11-15T12:00:00.123456Z'),
    expires_at: describe(Timestamp, 'Until when a wallet can respond.', '2026-11-15T12:05:00.123456Z'),
    responded_at: describe(
      Timestamp,
      'When a wallet responded. Absent while nobody has.',
      '2026-11-15T12:01:30.654321Z',
    ).optional(),
  })
  .meta({
    id: 'Verification',
    examples: [
      {
        id: exampleVerificationId,
        status: 'pending',
        template: 'age_over_18',
        wallet_uri: 'openid4vp://?client_id=x509_hash%3A…&request_uri=https%3A%2F%2F…',
        request_uri: `https://verify.example.com/wallet/request/${exampleVerificationId}`,
        metadata: { order: 'A-1001' },
        purpose: 'Age check for your order',
        created_at: '2026-11-15T12:00:00.123456Z',
        expires_at: '2026-11-15T12:05:00.123456Z',
      },
    ],
  })

export type VerificationList = z.infer<typeof VerificationList>
export const VerificationList = z
  .strictObject({
    data: describe(
      z.array(Verification),
      'Newest first. For the next page, give the last `created_at` as `before`.',
      [],
    ),
    next_before: describe(
      Timestamp,
      'Only with a filter: give it as `before` for the next page. A filtered page can have fewer verifications than `limit`, even none, and more can follow. Absent on the last page.',
      '2026-11-15T12:00:00.123456Z',
    ).optional(),
  })
  .meta({ id: 'VerificationList' })

export type VerificationStatus = z.infer<typeof VerificationStatus>
export const VerificationStatus = z
  .strictObject({ id: VerificationId, status: Status })
  .meta({ id: 'VerificationStatus', examples: [{ id: exampleVerificationId, status: 'pending' }] })

export type Erasure = z.infer<typeof Erasure>
export const Erasure = z
  .strictObject({
    id: describe(z.string(), 'The id of the erased verification.', exampleVerificationId),
    deleted: describe(
      z.strictObject({
        verification_sessions: describe(Count, 'Deleted verifications: 1.', 1),
        verification_results: describe(Count, 'Deleted results: 1 if a wallet had responded.', 1),
        webhook_deliveries: describe(Count, 'Deleted entries of the webhook log.', 2),
      }),
      'The number of deleted rows of each kind.',
      { verification_sessions: 1, verification_results: 1, webhook_deliveries: 2 },
    ),
    erased_at: describe(Timestamp, 'When it was erased.', '2026-11-15T12:10:00.123456Z'),
  })
  .meta({ id: 'Erasure' })
