// Generated from the contract by write-types.ts; a test compares. Change the contract, then run the build.

export type Alert = {
  id: string
  kind: 'endpoint_failing' | 'endpoint_disabled' | 'quota' | 'certificate_expires' | 'registration_expires' | 'registration_refused' | 'trust_list_stale' | 'device_revoked_by_reuse'
  environment?: 'test' | 'live' | undefined
  subject: string
  details: Record<string, string | number>
  raised_at: string
  resolved_at?: string | undefined
}

export type AlertPayload = {
  type: 'alert.raised' | 'alert.resolved'
  alert: Alert
  sent_at: string
}

export type ChangeDevice = {
  name?: string | undefined
  allowed_templates?: string[] | undefined
}

export type ChangeWebhookEndpoint = {
  url?: string | undefined
  events?: 'verification.completed' | 'verification.failed' | 'verification.expired'[] | undefined
  enabled?: boolean | undefined
}

/** Give exactly one of `template` and `query`. */
export type CreateVerification = {
  /** The key of a built-in template or one of your own. */
  template?: string | undefined
  /** A DCQL query (OpenID4VP 1.0) of at most 32768 characters as JSON. */
  query?: {
    /** The requested credentials, as in DCQL. */
    credentials: Record<string, unknown>[]
    /** Which combinations of them are acceptable. Without it, all are required. */
    credential_sets?: Record<string, unknown>[] | undefined
  } | undefined
  /** Where the result is posted. Must be a public address. Use https; http is accepted with a warning. */
  webhook_url?: string | undefined
  /** Where the holder is sent after responding, with a one-time code to redeem in the fragment. Must not have a fragment itself. */
  redirect_url?: string | undefined
  /** How long a wallet can respond, in seconds. */
  ttl_seconds?: number | undefined
  /** At most 50 members. Names and values together have at most 8192 bytes as UTF-8. */
  metadata?: Record<string, string> | undefined
  /** The reason, as the holder is told. */
  purpose?: string | undefined
}

export type CreateWebhookEndpoint = {
  url: string
  events: 'verification.completed' | 'verification.failed' | 'verification.expired'[]
  enabled?: boolean | undefined
}

export type CredentialResult = {
  format: 'mso_mdoc' | 'dc+sd-jwt'
  doctype_or_vct: string
  claims: Record<string, unknown>
  issuer: {
    common_name?: string | undefined
    country?: string | undefined
  }
  trusted: boolean
  signature_valid: boolean
  holder_binding_valid: boolean
  findings: Finding[]
}

export type Device = {
  id: string
  name: string
  status: 'pending' | 'active' | 'revoked'
  allowed_templates: string[]
  created_at: string
  pairing_expires_at?: string | undefined
  enrolled_at?: string | undefined
  last_seen_at?: string | undefined
  revoked_at?: string | undefined
}

export type DeviceList = {
  data: Device[]
}

export type EnrollDevice = {
  pairing_code: string
}

export type Erasure = {
  id: string
  deleted: {
    verification_sessions: number
    verification_results: number
    webhook_deliveries: number
  }
  erased_at: string
}

export type Finding = {
  check: string
  status: 'pass' | 'fail' | 'warning' | 'skipped'
  detail?: string | undefined
}

export type RedeemResponseCode = {
  response_code: string
}

export type RefreshDeviceToken = {
  refresh_token: string
}

export type RegisterDevice = {
  name: string
  allowed_templates: string[]
  pairing_ttl_seconds?: number | undefined
}

export type RegisteredDevice = {
  device: Device
  /** `VD-XXXX-XXXX`. Shown only once. */
  pairing_code: string
}

export type RenewPairingCode = {
  pairing_ttl_seconds?: number | undefined
}

export type TokenPair = {
  /** Starts with `vd_`. Send it as a bearer token. */
  access_token: string
  /** Starts with `vdr_`. Works once. */
  refresh_token: string
  /** How to send the access token. */
  token_type: 'Bearer'
  /** The lifetime of the access token in seconds. */
  expires_in: number
  /** The lifetime of the refresh token in seconds. */
  refresh_expires_in: number
  device: Device
}

export type UsableTemplate = {
  key: string
  name: string
  version: string
  built_in: boolean
  claims: string[]
  updated_at?: string | undefined
}

export type UsableTemplateList = {
  data: UsableTemplate[]
}

export type Usage = {
  day: string
  verifications_created: number
  daily_quota: number
  remaining: number
  recent: {
    day: string
    verifications_created: number
  }[]
}

export type Verification = {
  id: string
  status: 'pending' | 'completed' | 'failed' | 'expired'
  template?: string | undefined
  wallet_uri?: string | undefined
  request_uri?: string | undefined
  claims?: Record<string, unknown> | undefined
  credentials?: CredentialResult[] | undefined
  error?: {
    code: string
    message: string
  } | undefined
  metadata?: Record<string, string> | undefined
  purpose?: string | undefined
  redirect_url?: string | undefined
  created_at: string
  expires_at: string
  responded_at?: string | undefined
}

export type VerificationList = {
  data: Verification[]
  next_before?: string | undefined
}

export type VerificationStatus = {
  id: string
  status: 'pending' | 'completed' | 'failed' | 'expired'
}

export type WebhookEndpoint = {
  id: string
  url: string
  environment: 'test' | 'live'
  events: 'verification.completed' | 'verification.failed' | 'verification.expired'[]
  enabled: boolean
  disabled_reason?: 'by_request' | 'failing' | undefined
  disabled_at?: string | undefined
  failing_since?: string | undefined
  secret_created_at: string
  previous_secret_retires_at?: string | undefined
  created_at: string
}

export type WebhookEndpointList = {
  data: WebhookEndpoint[]
}

export type WebhookEndpointSecret = {
  endpoint: WebhookEndpoint
  secret: string
}

export type WebhookPayload = {
  type: 'verification.completed' | 'verification.failed' | 'verification.expired'
  verification: Verification
  sent_at: string
}

export type WebhookTestPayload = {
  type: 'webhook.test'
  environment: 'test'
  sent_at: string
}

/** The error codes of the API. Codes are stable. */
export type ErrorCode =
  | 'invalid_request'
  | 'invalid_idempotency_key'
  | 'invalid_pairing_code'
  | 'invalid_refresh_token'
  | 'invalid_wallet_response'
  | 'invalid_api_key'
  | 'api_key_expired'
  | 'not_signed_in'
  | 'sign_in_failed'
  | 'insufficient_scope'
  | 'role_not_allowed'
  | 'confirmation_required'
  | 'wrong_origin'
  | 'not_found'
  | 'session_not_found'
  | 'device_not_found'
  | 'invalid_response_code'
  | 'invalid_invitation'
  | 'key_not_found'
  | 'delivery_not_found'
  | 'webhook_endpoint_not_found'
  | 'template_not_found'
  | 'member_not_found'
  | 'invitation_not_found'
  | 'passkey_not_found'
  | 'member_session_not_found'
  | 'anchor_not_found'
  | 'registration_not_found'
  | 'openid_client_not_found'
  | 'method_not_allowed'
  | 'session_already_responded'
  | 'idempotency_key_in_flight'
  | 'template_exists'
  | 'template_in_use'
  | 'registration_exists'
  | 'registration_in_use'
  | 'device_revoked'
  | 'key_not_usable'
  | 'openid_client_changed'
  | 'last_owner'
  | 'last_sign_in_method'
  | 'too_many'
  | 'session_expired'
  | 'unknown_template'
  | 'unknown_persona'
  | 'registration_exceeded'
  | 'registration_not_accepted'
  | 'invalid_webhook_url'
  | 'idempotency_key_reused'
  | 'rate_limit_exceeded'
  | 'quota_exceeded'
  | 'internal_error'
  | 'overloaded'
  | 'sign_in_unavailable'
