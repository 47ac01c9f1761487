import { z } from 'zod'
import { describe } from './values.ts'

/** Every error code with its HTTP status. Codes are stable; messages are not. */
export const errorStatus = {
  invalid_request: 400,
  invalid_idempotency_key: 400,
  invalid_pairing_code: 400,
  invalid_refresh_token: 400,
  invalid_wallet_response: 400,
  invalid_api_key: 401,
  api_key_expired: 401,
  not_signed_in: 401,
  sign_in_failed: 401,
  insufficient_scope: 403,
  role_not_allowed: 403,
  confirmation_required: 403,
  wrong_origin: 403,
  not_found: 404,
  session_not_found: 404,
  device_not_found: 404,
  invalid_response_code: 404,
  invalid_invitation: 404,
  key_not_found: 404,
  delivery_not_found: 404,
  webhook_endpoint_not_found: 404,
  template_not_found: 404,
  member_not_found: 404,
  invitation_not_found: 404,
  passkey_not_found: 404,
  member_session_not_found: 404,
  anchor_not_found: 404,
  registration_not_found: 404,
  openid_client_not_found: 404,
  method_not_allowed: 405,
  session_already_responded: 409,
  idempotency_key_in_flight: 409,
  template_exists: 409,
  template_in_use: 409,
  registration_exists: 409,
  registration_in_use: 409,
  device_revoked: 409,
  key_not_usable: 409,
  openid_client_changed: 409,
  last_owner: 409,
  last_sign_in_method: 409,
  too_many: 409,
  session_expired: 410,
  unknown_template: 422,
  unknown_persona: 422,
  registration_exceeded: 422,
  registration_not_accepted: 422,
  invalid_webhook_url: 422,
  idempotency_key_reused: 422,
  rate_limit_exceeded: 429,
  quota_exceeded: 429,
  internal_error: 500,
  overloaded: 503,
  sign_in_unavailable: 503,
} as const

export type ErrorCode = keyof typeof errorStatus

export type ErrorEnvelope = z.infer<typeof ErrorEnvelope>
export const ErrorEnvelope = z
  .strictObject({
    error: describe(
      z.strictObject({
        code: describe(z.string(), 'Stable. Decide by this code.', 'invalid_request'),
        message: describe(
          z.string(),
          'For people. The wording may change.',
          'ttl_seconds: must be at least 60, got 30.',
        ),
      }),
      'Why the request was refused. The `Link` header leads to the documentation of the code.',
      { code: 'invalid_request', message: 'ttl_seconds: must be at least 60, got 30.' },
    ),
  })
  .meta({ id: 'Error' })
