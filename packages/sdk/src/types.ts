// Generated from the contract by write-types.ts; a test compares. Change the contract, then run the build.

/**
 * An event that the service sends, by `type`.
 */
export type KnownWebhookEvent = WebhookPayload | AlertPayload | WebhookTestPayload
/**
 * The error codes of the API. Codes are stable.
 */
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

export interface Alert {
  /**
   * The id of the alert.
   */
  id: string
  /**
   * What happened.
   */
  kind:
    | 'endpoint_failing'
    | 'endpoint_disabled'
    | 'webhook_url_failing'
    | 'quota'
    | 'certificate_expires'
    | 'registration_expires'
    | 'registration_refused'
    | 'trust_list_stale'
    | 'device_revoked_by_reuse'
    | 'access_changed'
  /**
   * The environment. Absent if the alert concerns the whole tenant.
   */
  environment?: ('test' | 'live') | undefined
  /**
   * What it is about, by kind: the id of the endpoint or device, the day of the quota, the fingerprint of the certificate, the id of the registration, the URL of the trust list, or an id of the change.
   */
  subject: string
  /**
   * More about it. The members depend on the kind; ignore those that you do not know.
   */
  details: {
    [k: string]: string | number
  }
  /**
   * When it was raised.
   */
  raised_at: string
  /**
   * When its cause was gone. Absent while it is open.
   */
  resolved_at?: string | undefined
}
export interface AlertPayload {
  /**
   * What happened.
   */
  type: 'alert.raised' | 'alert.resolved'
  alert: Alert
  /**
   * The time of this attempt.
   */
  sent_at: string
}
export interface ChangeDevice {
  /**
   * How you recognise the device.
   */
  name?: string | undefined
  /**
   * The keys of the templates that it may use. Each must exist.
   */
  allowed_templates?: string[] | undefined
  /**
   * What protects the end of a shift and the settings of the till. `null` removes it. It is never shown.
   */
  pin?: (string | null) | undefined
  /**
   * Whether the screen stays on between checks.
   */
  keep_awake?: boolean | undefined
  /**
   * Why the till asks, as its customers read it. `null` removes it.
   */
  purpose?: (string | null) | undefined
}
export interface ChangeWebhookEndpoint {
  /**
   * Where to send events from now on, also those that are being retried.
   */
  url?: string | undefined
  /**
   * The events that it gets from now on.
   */
  events?:
    | ('verification.completed' | 'verification.failed' | 'verification.expired' | 'verification.cancelled')[]
    | undefined
  /**
   * A note for yourself.
   */
  description?: string | undefined
  /**
   * False stops everything that is sent to it. True starts again, whyever it was disabled.
   */
  enabled?: boolean | undefined
}
export interface CheckPin {
  /**
   * What was typed.
   */
  pin: string
}
export interface ComparePhoto {
  /**
   * Whether the photo shows the person who is present.
   */
  same_person: boolean
}
/**
 * Give exactly one of `template` and `query`.
 */
export interface CreateVerification {
  /**
   * The key of a built-in template or one of your own.
   */
  template?: string | undefined
  /**
   * A DCQL query (OpenID4VP 1.0) of at most 32768 characters as JSON.
   */
  query?:
    | {
        /**
         * The requested credentials, as in DCQL.
         *
         * @minItems 1
         * @maxItems 20
         */
        credentials: {
          [k: string]: unknown
        }[]
        /**
         * Which combinations of them are acceptable. Without it, all are required.
         */
        credential_sets?:
          | {
              [k: string]: unknown
            }[]
          | undefined
      }
    | undefined
  /**
   * Where the result is posted. Must be a public address. Use https; http is accepted with a warning.
   */
  webhook_url?: string | undefined
  /**
   * Where the holder is sent after responding, with a one-time code to redeem in the fragment. Must not have a fragment itself. An app has a scheme with its domain name, such as `com.shop.app:/return`.
   */
  redirect_url?: string | undefined
  /**
   * How long a wallet can respond, in seconds.
   */
  ttl_seconds?: number | undefined
  /**
   * How many responses may fail before the verification does. By default what your policies say, at first 1.
   */
  max_attempts?: number | undefined
  /**
   * Where a holder without a wallet can proceed. The page offers it as another way to verify.
   */
  alternative_url?: string | undefined
  /**
   * At most 50 members. Names and values together have at most 8192 bytes as UTF-8.
   */
  metadata?:
    | {
        [k: string]: string
      }
    | undefined
  /**
   * The reason, as the holder is told.
   */
  purpose?: string | undefined
}
export interface CreateWebhookEndpoint {
  /**
   * Where to send events. http or https, on a public address, without user name or password.
   */
  url: string
  /**
   * The events that it gets.
   *
   * @minItems 1
   * @maxItems 4
   */
  events: (
    'verification.completed' | 'verification.failed' | 'verification.expired' | 'verification.cancelled'
  )[]
  /**
   * A note for yourself.
   */
  description?: string | undefined
  /**
   * Whether to send events to it from now on.
   */
  enabled?: boolean | undefined
}
export interface CredentialResult {
  /**
   * The credential format: ISO 18013-5 mdoc or SD-JWT VC.
   */
  format: 'mso_mdoc' | 'dc+sd-jwt'
  /**
   * The document type of an mdoc, or the `vct` of an SD-JWT VC.
   */
  doctype_or_vct: string
  /**
   * The verified claims of this credential.
   */
  claims: {
    [k: string]: unknown
  }
  /**
   * Who signed the credential.
   */
  issuer: {
    /**
     * The common name in the certificate that signed the credential.
     */
    common_name?: string | undefined
    /**
     * The country in that certificate, as two letters.
     */
    country?: string | undefined
  }
  /**
   * Whether the issuer is on a trusted list.
   */
  trusted: boolean
  /**
   * Whether the issuer's signature is valid.
   */
  signature_valid: boolean
  /**
   * Whether the wallet proved, for this request, that it holds the key of the credential.
   */
  holder_binding_valid: boolean
  /**
   * The checks that did not pass.
   */
  findings: Finding[]
}
export interface Finding {
  /**
   * The name of the check. Names are stable and listed in the error reference.
   */
  check: string
  /**
   * `fail`: the verification failed because of this check. `warning`: it did not.
   */
  status: 'pass' | 'fail' | 'warning' | 'skipped'
  /**
   * An explanation for people. The wording may change.
   */
  detail?: string | undefined
}
export interface Device {
  /**
   * The id of the device.
   */
  id: string
  /**
   * The name that you gave it.
   */
  name: string
  /**
   * `pending` until it is paired, then `active`. A new pairing code makes it `pending` again. A `revoked` device never becomes active again.
   */
  status: 'pending' | 'active' | 'revoked'
  /**
   * The templates that it may use.
   */
  allowed_templates: string[]
  /**
   * When it was registered.
   */
  created_at: string
  /**
   * Until when the pairing code works. Present only while pending.
   */
  pairing_expires_at?: string | undefined
  /**
   * When it was paired.
   */
  enrolled_at?: string | undefined
  /**
   * When it last sent a request, to within a minute.
   */
  last_seen_at?: string | undefined
  /**
   * When it was revoked.
   */
  revoked_at?: string | undefined
}
export interface DeviceList {
  /**
   * Newest first.
   */
  data: Device[]
}
export interface EnrollDevice {
  /**
   * The code from the registration. Upper and lower case are the same.
   */
  pairing_code: string
}
export interface Erasure {
  /**
   * The id of the erased verification.
   */
  id: string
  /**
   * The number of deleted rows of each kind.
   */
  deleted: {
    /**
     * Deleted verifications: 1.
     */
    verification_sessions: number
    /**
     * Deleted results: 1 if a wallet had responded.
     */
    verification_results: number
    /**
     * Deleted entries of the webhook log.
     */
    webhook_deliveries: number
  }
  /**
   * When it was erased.
   */
  erased_at: string
}
export interface HolderCancellation {
  /**
   * Where the holder returns to, without a code.
   */
  return_url?: string | undefined
}
export interface HolderVerification {
  /**
   * `opened`: a wallet has fetched the request. `try_again`: a new verification may succeed. `not_accepted`: it probably would not.
   */
  phase:
    'pending' | 'opened' | 'completed' | 'declined' | 'try_again' | 'not_accepted' | 'expired' | 'cancelled'
  /**
   * The service's clock, for the remaining time.
   */
  now: string
  /**
   * Until when a wallet can respond.
   */
  expires_at: string
  /**
   * Whether the verification belongs to the test environment.
   */
  test: boolean
  /**
   * The language of the texts.
   */
  lang: string
  /**
   * Who asks.
   */
  merchant: {
    /**
     * The merchant's name.
     */
    name: string
    /**
     * The name that the wallet shows: from the certificate that signs the request, or from the registration if an intermediary asks.
     */
    legal_name?: string | undefined
    /**
     * Who asks on behalf of the merchant, from the certificate that signs the request. Absent if the merchant asks itself.
     */
    intermediary?: string | undefined
    /**
     * The merchant's colour.
     */
    colour?: string | undefined
    /**
     * A data URL.
     */
    logo?: string | undefined
    /**
     * The merchant's privacy notice.
     */
    privacy_url?: string | undefined
    /**
     * How many days the merchant itself keeps what it got, as it declares.
     */
    kept_days?: number | undefined
  }
  /**
   * The reason that the merchant gave.
   */
  purpose?: string | undefined
  /**
   * What the holder is asked to do, by what is requested.
   */
  headline: string
  /**
   * The most important of what is requested, in one line.
   */
  summary: string
  /**
   * What is requested, in words.
   */
  asks: {
    /**
     * Any one of these documents will do.
     */
    documents: string[]
    /**
     * What is read from it.
     */
    claims: string[]
    /**
     * Whether the holder may leave it out.
     */
    optional: boolean
  }[]
  /**
   * How long the result is kept, in words.
   */
  retention: string
  /**
   * The link for a wallet on this device, with the first of the merchant's schemes. Present only while open.
   */
  wallet_uri?: string | undefined
  /**
   * The link with each of the merchant's schemes, for wallets that do not know the first.
   */
  links?:
    | {
        /**
         * The scheme, or the host of an https link.
         */
        name: string
        /**
         * The link.
         */
        uri: string
      }[]
    | undefined
  /**
   * Wallets that the holder can choose by name.
   */
  wallets?:
    | {
        /**
         * The name of the wallet.
         */
        name: string
        /**
         * The link in its own form.
         */
        uri: string
        /**
         * Where it is used, as two letters each. Absent: everywhere.
         */
        countries?: string[] | undefined
        /**
         * Where the calling device can get it.
         */
        stores?:
          | {
              /**
               * The name of the store.
               */
              name: string
              /**
               * Its page about the wallet.
               */
              uri: string
            }[]
          | undefined
      }[]
    | undefined
  /**
   * The countries of these wallets, by their names.
   */
  countries?:
    | {
        /**
         * Two letters.
         */
        code: string
        /**
         * Its name in the language of the texts.
         */
        name: string
      }[]
    | undefined
  /**
   * Which of them the languages of the browser suggest.
   */
  country?: string | undefined
  /**
   * The content of a QR code for another device. Its response causes no redirect. Present only while open.
   */
  screen_uri?: string | undefined
  /**
   * The link for the EU age verification app.
   */
  age_app_uri?: string | undefined
  /**
   * The content of the QR code for the EU age verification app.
   */
  age_app_screen_uri?: string | undefined
  /**
   * Whether the calling page may use the Digital Credentials API.
   */
  dc_api?: boolean | undefined
  /**
   * The QR code comes from the event stream with `code=moving`; `screen_uri` works for about a minute.
   */
  moving_code?: true | undefined
  /**
   * The response that failed last, if one did.
   */
  attempt?:
    | {
        /**
         * What came of it.
         */
        outcome: 'declined' | 'try_again' | 'not_accepted'
        /**
         * Why, unless the reason would tell a claim.
         */
        reason?: ('expired' | 'withdrawn' | 'unknown_issuer') | undefined
        /**
         * How often the holder may try again in this verification.
         */
        left: number
      }
    | undefined
  /**
   * How the holder can proceed at the merchant without a wallet.
   */
  alternative_url?: string | undefined
  /**
   * Where the holder returns to, without a code. Present only at the end.
   */
  return_url?: string | undefined
}
export interface PhotoComparison {
  /**
   * The id of the verification.
   */
  id: string
  /**
   * What was decided first. It stays.
   */
  same_person: boolean
}
export interface PinCheck {
  /**
   * Whether it is the PIN. Always true for a device without one.
   */
  correct: boolean
  /**
   * How many wrong ones may follow.
   */
  tries_left: number
  /**
   * How long no PIN is accepted. Present only after the last try.
   */
  locked_seconds?: number | undefined
}
export interface PresentFromReader {
  /**
   * DeviceEngagement in base64url: what follows `mdoc:` in the QR code of the wallet, or what the NFC handover carries.
   */
  device_engagement: string
  /**
   * The public part of the ephemeral key of your reader, a COSE_Key in base64url. Make a new one for each session.
   */
  reader_key: string
  /**
   * The messages of the NFC handover, in base64url. Leave it out after a QR code.
   */
  handover?:
    | {
        /**
         * The Handover Select message of the wallet.
         */
        select: string
        /**
         * The Handover Request message of your reader, if the handover was negotiated.
         */
        request?: string | undefined
      }
    | undefined
  /**
   * The DeviceResponse of the wallet in base64url, decrypted.
   */
  device_response: string
  /**
   * The private part of `reader_key` in base64url. Send it only if the device authenticated with a MAC.
   */
  reader_private_key?: string | undefined
}
export interface ReaderRequest {
  /**
   * The DeviceRequest in base64url, with reader authentication if you have a certificate of your own. Send it over your session with the wallet.
   */
  device_request: string
}
export interface RedeemResponseCode {
  /**
   * From the fragment of the redirect, `#response_code=…`. Works once.
   */
  response_code: string
}
export interface RefreshDeviceToken {
  /**
   * The latest refresh token. Sending one a second time revokes the device.
   */
  refresh_token: string
}
export interface RegisterDevice {
  /**
   * How you recognise the device.
   */
  name: string
  /**
   * The keys of the templates that it may use. Each must exist.
   *
   * @minItems 1
   * @maxItems 20
   */
  allowed_templates: string[]
  /**
   * How long the pairing code works, in seconds.
   */
  pairing_ttl_seconds?: number | undefined
}
export interface RegisteredDevice {
  device: Device
  /**
   * `VD-XXXX-XXXX`. Shown only once.
   */
  pairing_code: string
}
export interface RenewPairingCode {
  /**
   * How long the pairing code works, in seconds.
   */
  pairing_ttl_seconds?: number | undefined
}
export interface RequestFromReader {
  /**
   * DeviceEngagement in base64url: what follows `mdoc:` in the QR code of the wallet, or what the NFC handover carries.
   */
  device_engagement: string
  /**
   * The public part of the ephemeral key of your reader, a COSE_Key in base64url. Make a new one for each session.
   */
  reader_key: string
  /**
   * The messages of the NFC handover, in base64url. Leave it out after a QR code.
   */
  handover?:
    | {
        /**
         * The Handover Select message of the wallet.
         */
        select: string
        /**
         * The Handover Request message of your reader, if the handover was negotiated.
         */
        request?: string | undefined
      }
    | undefined
}
export interface TillSettings {
  /**
   * Who asks.
   */
  merchant: {
    /**
     * The merchant's name.
     */
    name: string
    /**
     * The merchant's colour.
     */
    colour?: string | undefined
    /**
     * A data URL.
     */
    logo?: string | undefined
  }
  /**
   * Whether the device belongs to the test environment.
   */
  test: boolean
  /**
   * Whether its screen stays on between checks.
   */
  keep_awake: boolean
  /**
   * Whether a PIN protects the end of a shift and the settings.
   */
  pin: boolean
  /**
   * Whether it offers only languages that are no machine translations.
   */
  edited_languages_only: boolean
  /**
   * Why it asks. The till shows it and creates its verifications with it.
   */
  purpose?: string | undefined
}
export interface TokenPair {
  /**
   * Starts with `vd_`. Send it as a bearer token.
   */
  access_token: string
  /**
   * Starts with `vdr_`. Works once.
   */
  refresh_token: string
  /**
   * How to send the access token.
   */
  token_type: 'Bearer'
  /**
   * The lifetime of the access token in seconds.
   */
  expires_in: number
  /**
   * The lifetime of the refresh token in seconds.
   */
  refresh_expires_in: number
  device: Device
}
export interface UsableTemplate {
  /**
   * What you give as `template` when you create a verification.
   */
  key: string
  /**
   * A short name for people.
   */
  name: string
  /**
   * What it asks and how.
   */
  description: string
  /**
   * Changes whenever the template changes. A verification keeps the version it was created with.
   */
  version: string
  /**
   * Whether the template is part of the service. Otherwise it is your own.
   */
  built_in: boolean
  /**
   * The names of the claims that a completed verification can contain.
   */
  claims: string[]
  /**
   * When you last changed it. Absent if built in.
   */
  updated_at?: string | undefined
}
export interface UsableTemplateList {
  /**
   * Ordered by key, the built-in ones first.
   */
  data: UsableTemplate[]
}
export interface Usage {
  /**
   * Today in UTC.
   */
  day: string
  /**
   * Verifications created today.
   */
  verifications_created: number
  /**
   * How many can be created per day.
   */
  daily_quota: number
  /**
   * How many can still be created today.
   */
  remaining: number
  /**
   * The last days on which any were created, newest first.
   *
   * @maxItems 30
   */
  recent: {
    /**
     * A day in UTC.
     */
    day: string
    /**
     * Verifications created on that day.
     */
    verifications_created: number
  }[]
}
export interface Verification {
  /**
   * The id of the verification. Whoever knows it can poll the status.
   */
  id: string
  /**
   * `pending` until a wallet responds. `completed`: every check passed. `failed`: see `error`. `expired`: nobody responded in time.
   */
  status: 'pending' | 'completed' | 'failed' | 'expired'
  /**
   * The template, if the verification was created with one.
   */
  template?: string | undefined
  /**
   * Show it as a QR code or a link. Present only while pending.
   */
  wallet_uri?: string | undefined
  /**
   * Where the wallet fetches the signed request. Present only while pending.
   */
  request_uri?: string | undefined
  /**
   * The verified claims of all credentials, merged. Present only if completed.
   */
  claims?:
    | {
        [k: string]: unknown
      }
    | undefined
  /**
   * The presented credentials with their checks. Present once a wallet has responded.
   */
  credentials?: CredentialResult[] | undefined
  /**
   * Why the verification failed. Present only if failed.
   */
  error?:
    | {
        /**
         * Stable. Listed in the error reference.
         */
        code: string
        /**
         * For people. The wording may change.
         */
        message: string
      }
    | undefined
  /**
   * What you gave at creation.
   */
  metadata?:
    | {
        [k: string]: string
      }
    | undefined
  /**
   * The reason, as the holder is told.
   */
  purpose?: string | undefined
  /**
   * Where the holder is sent afterwards.
   */
  redirect_url?: string | undefined
  /**
   * When it was created.
   */
  created_at: string
  /**
   * Until when a wallet can respond.
   */
  expires_at: string
  /**
   * When a wallet responded. Absent while nobody has.
   */
  responded_at?: string | undefined
}
export interface VerificationList {
  /**
   * Newest first. For the next page, give the last `created_at` as `before`.
   */
  data: Verification[]
  /**
   * Only with a filter: give it as `before` for the next page. A filtered page can have fewer verifications than `limit`, even none, and more can follow. Absent on the last page.
   */
  next_before?: string | undefined
}
export interface VerificationStatus {
  /**
   * The id of the verification. Whoever knows it can poll the status.
   */
  id: string
  /**
   * `pending` until a wallet responds. `completed`: every check passed. `failed`: see `error`. `expired`: nobody responded in time.
   */
  status: 'pending' | 'completed' | 'failed' | 'expired'
}
export interface WebhookEndpoint {
  /**
   * The id of the endpoint.
   */
  id: string
  /**
   * Where events are sent.
   */
  url: string
  /**
   * The environment of the key that created it.
   */
  environment: 'test' | 'live'
  /**
   * The events that it gets.
   */
  events: (
    'verification.completed' | 'verification.failed' | 'verification.expired' | 'verification.cancelled'
  )[]
  /**
   * Your note, or an empty text.
   */
  description: string
  /**
   * Whether events are sent to it.
   */
  enabled: boolean
  /**
   * Why it is disabled: you asked for it, or every attempt of five days failed.
   */
  disabled_reason?: ('by_request' | 'failing') | undefined
  /**
   * When it was disabled.
   */
  disabled_at?: string | undefined
  /**
   * The first failed attempt since the last that succeeded. Absent while it works.
   */
  failing_since?: string | undefined
  /**
   * When its signing secret was created.
   */
  secret_created_at: string
  /**
   * Until then the previous secret signs too.
   */
  previous_secret_retires_at?: string | undefined
  /**
   * When it was created.
   */
  created_at: string
}
export interface WebhookEndpointList {
  /**
   * Newest first, at most 16.
   */
  data: WebhookEndpoint[]
}
export interface WebhookEndpointSecret {
  endpoint: WebhookEndpoint
  /**
   * Starts with `whsec_`. Shown only once.
   */
  secret: string
}
export interface WebhookPayload {
  /**
   * What happened. Only an endpoint that asks for it gets `verification.expired` or `verification.cancelled`.
   */
  type: 'verification.completed' | 'verification.failed' | 'verification.expired' | 'verification.cancelled'
  verification: Verification
  /**
   * The time of this attempt.
   */
  sent_at: string
}
export interface WebhookTestPayload {
  /**
   * Always `webhook.test`.
   */
  type: 'webhook.test'
  /**
   * Always `test`.
   */
  environment: 'test'
  /**
   * When it was sent.
   */
  sent_at: string
}
