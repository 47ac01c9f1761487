import { z } from 'zod'

/** Every code that a response can carry, with its one HTTP status. Codes are stable; messages are not. */
export const errorStatus = {
  invalid_request: 400,
  invalid_idempotency_key: 400,
  invalid_pairing_code: 400,
  invalid_refresh_token: 400,
  invalid_wallet_response: 400,
  invalid_api_key: 401,
  api_key_expired: 401,
  insufficient_scope: 403,
  not_found: 404,
  session_not_found: 404,
  device_not_found: 404,
  invalid_response_code: 404,
  method_not_allowed: 405,
  session_already_responded: 409,
  idempotency_key_in_flight: 409,
  session_expired: 410,
  unknown_template: 422,
  invalid_webhook_url: 422,
  idempotency_key_reused: 422,
  rate_limit_exceeded: 429,
  quota_exceeded: 429,
  internal_error: 500,
  overloaded: 503,
} as const

export type ErrorCode = keyof typeof errorStatus

export type ErrorEnvelope = z.infer<typeof ErrorEnvelope>
export const ErrorEnvelope = z
  .strictObject({
    error: z.strictObject({
      code: z.string().meta({ description: 'Stable; part of the contract.' }),
      message: z.string().meta({ description: 'For people; its wording may change.' }),
    }),
  })
  .meta({ id: 'Error' })
