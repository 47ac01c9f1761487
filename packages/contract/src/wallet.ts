import { z } from 'zod'
import { text } from './text.ts'
import { describe } from './values.ts'

/** The form fields that a wallet posts, each name once. The protocol package decides which fields are read. */
export type WalletForm = z.infer<typeof WalletForm>
export const WalletForm = z.record(text(), text()).meta({
  id: 'WalletForm',
  description: 'The form fields of OpenID4VP 1.0, such as `response` or `wallet_nonce`.',
  examples: [{ response: 'eyJhbGciOiJFQ0RILUVTIiwi…' }],
})

/** General JWS JSON (RFC 7515 §7.2.1). */
const MultiSigned = z.strictObject({
  payload: z.string(),
  signatures: z.array(z.strictObject({ protected: z.string(), signature: z.string() })),
})

/** The requests that a page passes to `navigator.credentials.get` (W3C Digital Credentials). */
export type DcRequests = z.infer<typeof DcRequests>
export const DcRequests = z
  .strictObject({
    requests: describe(
      z.array(
        z.strictObject({
          protocol: describe(
            z.string(),
            '`openid4vp-v1-signed`, `openid4vp-v1-multisigned`, or `org-iso-mdoc` for ISO 18013-7 Annex C.',
            'openid4vp-v1-signed',
          ),
          data: describe(
            z.record(z.string(), z.union([z.string(), MultiSigned])),
            'The request, as the protocol defines it.',
            { request: 'eyJhbGciOiJFUzI1NiIsInR5cCI6…' },
          ),
        }),
      ),
      'Pass them to `navigator.credentials.get({ digital: { requests } })`.',
      [{ protocol: 'openid4vp-v1-signed', data: { request: 'eyJhbGciOiJFUzI1NiIsInR5cCI6…' } }],
    ),
  })
  .meta({ id: 'DcRequests' })

export type WalletRedirect = z.infer<typeof WalletRedirect>
export const WalletRedirect = z
  .strictObject({
    redirect_uri: describe(
      z.string(),
      'Where the wallet sends the holder. Absent without a `redirect_url`.',
      'https://shop.example/checkout/return#response_code=p7Qm2xV9rT4wYb6nKc1sHd8f',
    ).optional(),
  })
  .meta({ id: 'WalletAnswer' })
