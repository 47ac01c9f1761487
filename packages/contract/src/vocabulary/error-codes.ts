/** Every error code of the API with what belongs to it. Codes are stable; messages are not. This file imports nothing. */
export const errorCodes = {
  invalid_request: { status: 400, example: 'ttl_seconds: must be at least 60, got 30.' },
  invalid_idempotency_key: {
    status: 400,
    for_programs: true,
    example:
      'Idempotency-Key must be 1-255 printable ASCII characters without spaces. A UUID is a good choice.',
  },
  invalid_pairing_code: { status: 400, for_programs: true, example: 'This pairing code is not valid.' },
  invalid_refresh_token: { status: 400, for_programs: true, example: 'This refresh token is not valid.' },
  invalid_wallet_response: {
    status: 400,
    for_programs: true,
    example: 'This is not a response to the request: it cannot be decrypted.',
  },
  invalid_api_key: {
    status: 401,
    for_programs: true,
    example: 'Send a valid key as `Authorization: Bearer vk_…`.',
  },
  api_key_expired: { status: 401, for_programs: true, example: 'The API key has expired.' },
  not_signed_in: { status: 401 },
  sign_in_failed: { status: 401 },
  insufficient_scope: {
    status: 403,
    for_programs: true,
    example: 'This request needs the scope verifications:create.',
  },
  role_not_allowed: { status: 403, example: 'The role support does not allow this.' },
  confirmation_required: { status: 403 },
  wrong_origin: {
    status: 403,
    example: 'The origin of this page is not allowed. Add it to the allowed origins in the settings.',
  },
  not_found: { status: 404 },
  session_not_found: { status: 404, example: 'There is no such verification.' },
  device_not_found: { status: 404, example: 'There is no such device.' },
  invalid_response_code: {
    status: 404,
    for_programs: true,
    example: 'This code is wrong or was already redeemed.',
  },
  invalid_invitation: { status: 404 },
  key_not_found: { status: 404, example: 'There is no such key.' },
  delivery_not_found: { status: 404 },
  webhook_endpoint_not_found: { status: 404, example: 'There is no such webhook endpoint.' },
  template_not_found: { status: 404, example: 'There is no such template.' },
  member_not_found: { status: 404 },
  invitation_not_found: { status: 404 },
  passkey_not_found: { status: 404 },
  member_session_not_found: { status: 404 },
  anchor_not_found: { status: 404, example: 'The tenant has no such trust anchor.' },
  registration_not_found: { status: 404, example: 'There is no such registration.' },
  link_not_found: { status: 404, example: 'There is no such verification link.' },
  sealing_key_not_found: { status: 404, example: 'There is no such sealing key.' },
  openid_client_not_found: { status: 404, example: 'There is no such OpenID client.' },
  method_not_allowed: { status: 405, for_programs: true },
  session_already_responded: { status: 409, example: 'A wallet has already responded to this verification.' },
  idempotency_key_in_flight: {
    status: 409,
    for_programs: true,
    example: 'A request with this Idempotency-Key is still running.',
  },
  template_exists: { status: 409 },
  template_in_use: {
    status: 409,
    example: 'Devices may use this template: Till 3. Change their templates or revoke them first.',
  },
  registration_exists: { status: 409, example: 'The tenant has this registration already.' },
  registration_in_use: {
    status: 409,
    example: 'Templates name this registration: hotel_check_in. Choose another one for them first.',
  },
  device_revoked: { status: 409, example: 'This device is revoked. Register it again.' },
  key_not_usable: { status: 409 },
  openid_client_changed: {
    status: 409,
    example: 'The client was changed at the same time. Load it again.',
  },
  sealing_conflict: {
    status: 409,
    example:
      'Results cannot be sealed while OpenID clients would get their claims: “Shop”. Delete them first.',
  },
  receipt_not_ready: {
    status: 409,
    example: 'The audit entry of the outcome is not signed yet. Try again in a moment.',
  },
  last_owner: { status: 409 },
  last_sign_in_method: { status: 409 },
  too_many: {
    status: 409,
    example: 'A tenant can have 16 webhook endpoints in an environment. Delete one first.',
  },
  config_busy: {
    status: 409,
    for_programs: true,
    example: 'Another configuration is being applied. Try again in a moment.',
  },
  session_expired: { status: 410, example: 'This verification has expired.' },
  config_changed: {
    status: 412,
    for_programs: true,
    example: 'The configuration has changed since you read it. Export it again.',
  },
  unknown_template: {
    status: 422,
    example: 'There is no template age_over_81. Did you mean age_over_18?',
  },
  tenant_suspended: {
    status: 403,
    example: 'The operator of this service has suspended this account: the invoice of May is not paid.',
  },
  tenant_not_approved: {
    status: 403,
    example: 'The operator of this service has not approved live verifications of this account.',
  },
  invalid_template: {
    status: 422,
    for_programs: true,
    example: 'The template is not valid. query.credentials[0].format: must be dc+sd-jwt or mso_mdoc.',
  },
  unknown_persona: { status: 422, example: 'There is no persona adlut.' },
  registration_exceeded: {
    status: 422,
    example:
      'The query asks for more than you are registered for. query.credentials[0].claims[1]: is outside the registration',
  },
  registration_not_accepted: {
    status: 422,
    example: 'The registration was not accepted. It cannot be read.',
  },
  invalid_webhook_url: {
    status: 422,
    example: 'webhook_url must resolve to a public address.',
  },
  sealing_key_missing: {
    status: 422,
    example: 'Results are sealed, but there is no active sealing key. Register one.',
  },
  idempotency_key_reused: {
    status: 422,
    for_programs: true,
    example: 'This Idempotency-Key was used with a different body in the last 24 hours.',
  },
  rate_limit_exceeded: { status: 429, example: 'Too many requests. Try again in a moment.' },
  quota_exceeded: {
    status: 429,
    example: 'The daily quota is used up. It resets at 00:00 UTC.',
  },
  internal_error: { status: 500, example: 'Something went wrong on our side.' },
  overloaded: { status: 503, example: 'Too many requests are waiting. Try again in a moment.' },
  sign_in_unavailable: { status: 503 },
} as const satisfies Record<string, ErrorDescription>

type ErrorDescription = {
  status: number
  /** A message, for the reference. An error that a published route returns has one. */
  example?: string
  /** Never shown on the dashboard, which therefore has no text for it. */
  for_programs?: true
}

export type ErrorCode = keyof typeof errorCodes

/** The errors that the dashboard has a text for. */
export type ShownErrorCode = {
  [Code in ErrorCode]: (typeof errorCodes)[Code] extends { for_programs: true } ? never : Code
}[ErrorCode]
