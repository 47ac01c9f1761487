// Generated from the contract by write-types.ts; a test compares. Change the contract, then run the build.

/**
 * An event that the service sends, by `type`.
 */
export type KnownWebhookEvent = WebhookPayload | WebhookErasurePayload | AlertPayload | WebhookTestPayload
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
  | 'link_not_found'
  | 'sealing_key_not_found'
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
  | 'sealing_conflict'
  | 'receipt_not_ready'
  | 'last_owner'
  | 'last_sign_in_method'
  | 'too_many'
  | 'config_busy'
  | 'session_expired'
  | 'config_changed'
  | 'unknown_template'
  | 'tenant_suspended'
  | 'tenant_not_approved'
  | 'invalid_template'
  | 'unknown_persona'
  | 'registration_exceeded'
  | 'registration_not_accepted'
  | 'invalid_webhook_url'
  | 'sealing_key_missing'
  | 'idempotency_key_reused'
  | 'rate_limit_exceeded'
  | 'quota_exceeded'
  | 'internal_error'
  | 'overloaded'
  | 'sign_in_unavailable'
/**
 * Why a verification failed, by the code of its `error`. A newer service can have others.
 */
export type FailureCode =
  | 'holder_declined'
  | 'wallet_error'
  | 'credential_malformed'
  | 'signature_invalid'
  | 'issuer_untrusted'
  | 'holder_binding_invalid'
  | 'credential_expired'
  | 'credential_revoked'
  | 'status_unavailable'
  | 'query_not_satisfied'
  | 'requirement_not_met'
/**
 * The key of a template that every tenant has.
 */
export type BuiltInTemplate = keyof BuiltInClaims

export interface AccessCertificate {
  /**
   * True for your own certificate, false for that of the service.
   */
  own: boolean
  /**
   * Whether the service made it itself, for tests.
   */
  self_made: boolean
  /**
   * Whom it names.
   */
  subject: string
  /**
   * Who issued it.
   */
  issuer: string
  /**
   * When it becomes valid.
   */
  valid_from: string
  /**
   * When it expires.
   */
  expires_at: string
  /**
   * SHA-256 of the leaf certificate, in hexadecimal.
   */
  fingerprint: string
  /**
   * How requests name you to wallets.
   */
  client_id: string
  /**
   * What the published rules for the wallets of the EU say against it.
   */
  findings: IdentityFinding[]
}
export interface IdentityFinding {
  /**
   * `refused`: wallets are known to refuse it.
   */
  severity: 'refused' | 'warning'
  /**
   * What the rules say against it, in English.
   */
  message: string
}
export interface ActivateSealingKey {
  /**
   * The text of the challenge, opened with the private key.
   */
  challenge: string
}
export interface AddRegistration {
  /**
   * The registration certificate: the compact JWT, or base64url of it.
   */
  certificate: string
  /**
   * The data set of the registrar, as JSON text.
   */
  dataset?: string | undefined
  /**
   * What to call it. Absent: the purpose or the intended use in the certificate.
   */
  name?: string | undefined
  /**
   * Whether to make it the default. Your first registration is the default in any case.
   */
  default?: boolean | undefined
}
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
export interface AlertWebhook {
  /**
   * Absent if alerts are sent nowhere.
   */
  webhook?:
    | {
        /**
         * Where alerts are sent.
         */
        url: string
        /**
         * When it was set up.
         */
        created_at: string
        /**
         * Events that are not delivered yet.
         */
        waiting: number
        /**
         * Until then the previous secret signs too.
         */
        previous_retires_at?: string | undefined
        /**
         * When something was last sent to it.
         */
        last_attempt_at?: string | undefined
        /**
         * What became of it, in English.
         */
        last_outcome?: string | undefined
      }
    | undefined
  /**
   * Starts with `whsec_`. Shown only once, when it is created.
   */
  secret?: string | undefined
}
export interface AlertWebhookState {
  /**
   * Absent if alerts are sent nowhere.
   */
  webhook?:
    | {
        /**
         * Where alerts are sent.
         */
        url: string
        /**
         * When it was set up.
         */
        created_at: string
        /**
         * Events that are not delivered yet.
         */
        waiting: number
        /**
         * Until then the previous secret signs too.
         */
        previous_retires_at?: string | undefined
        /**
         * When something was last sent to it.
         */
        last_attempt_at?: string | undefined
        /**
         * What became of it, in English.
         */
        last_outcome?: string | undefined
      }
    | undefined
}
export interface AnchorsInput {
  /**
   * One or more certificates as PEM.
   */
  pem: string
  /**
   * What they are trusted to do. Absent: to issue credentials.
   */
  role?: ('issuing' | 'revocation' | 'list_signing' | 'registration') | undefined
  /**
   * Who operates them. A status list may be signed under a revocation anchor of the same entity.
   */
  entity?: string | undefined
}
export interface ApiKey {
  /**
   * The id of the key.
   */
  id: string
  /**
   * Its name, for people.
   */
  name: string
  /**
   * The environment that it works in.
   */
  environment: 'test' | 'live'
  /**
   * How the key begins, to recognise it by.
   */
  prefix: string
  /**
   * What it may do.
   */
  scopes: (
    | 'verifications:create'
    | 'verifications:read'
    | 'verifications:delete'
    | 'devices:manage'
    | 'webhooks:manage'
    | 'links:manage'
    | 'config:read'
    | 'members:read'
    | 'requests:read'
    | 'audit:read'
    | 'templates:manage'
    | 'settings:manage'
    | 'trust:manage'
    | 'openid_clients:manage'
    | 'sealing:manage'
    | 'keys:manage'
  )[]
  /**
   * The member who created it. Absent if an operator did, or if it was not recorded.
   */
  created_by?: string | undefined
  /**
   * When it was created.
   */
  created_at: string
  /**
   * When it stops working. Absent if it never expires.
   */
  expires_at?: string | undefined
  /**
   * Whether it has expired.
   */
  expired: boolean
  /**
   * When it was revoked. Absent if it was not.
   */
  revoked_at?: string | undefined
  /**
   * When it was last used. Absent if it never was.
   */
  last_used_at?: string | undefined
  /**
   * The key that replaces it, if it was rolled.
   */
  replaced_by?: string | undefined
}
export interface ApiKeyList {
  /**
   * Newest first.
   *
   * @maxItems 1000
   */
  data: ApiKey[]
}
export interface AppliedConfig {
  /**
   * Whether the configuration is now as sent. False after a dry run.
   */
  applied: boolean
  /**
   * What differs, in the order in which it is changed.
   */
  changes: ConfigChange[]
  /**
   * How many parts are as sent already.
   */
  unchanged: number
  /**
   * How many are not in the document and stay, because `prune` was not given.
   */
  kept: number
  /**
   * The secrets of what was created.
   */
  secrets: {
    /**
     * What it is, in words.
     */
    resource: string
    /**
     * Its id, if it has one.
     */
    id?: string | undefined
    /**
     * Shown only once.
     */
    secret: string
  }[]
  /**
   * Why a change was not made. It and those after it are not applied; send the document again to complete it.
   */
  failure?:
    | {
        /**
         * What it is, in words.
         */
        resource: string
        /**
         * The error code.
         */
        code: string
        /**
         * What went wrong.
         */
        message: string
      }
    | undefined
}
export interface ConfigChange {
  /**
   * What happens to it.
   */
  action: 'create' | 'change' | 'delete'
  /**
   * What it is, in words.
   */
  resource: string
  /**
   * Its part of the configuration before. Absent if new.
   */
  before?: unknown
  /**
   * Its part afterwards. Absent if deleted.
   */
  after?: unknown
  /**
   * Whether this change was made.
   */
  applied: boolean
}
export interface AssignRegistration {
  /**
   * The registration. `null`: the template names none, and is asked under the default.
   */
  registration_id: string | null
}
export interface AuditEntry {
  /**
   * The number of the entry in the chain, from 1 without gaps.
   */
  seq: number
  /**
   * When it happened.
   */
  at: string
  /**
   * What happened. The reference of the audit log lists all.
   */
  action: string
  /**
   * Who did it: `operator`, `wallet`, `service`, or a kind and an id.
   */
  actor: string
  /**
   * Their name as recorded, or the present name of a key. Absent if it was erased or there is none.
   */
  actor_name?: string | undefined
  /**
   * What it was done to.
   */
  subject?: string | undefined
  /**
   * The present name of the key, device, member or OpenID client that is the subject. Absent if it was removed.
   */
  subject_name?: string | undefined
  /**
   * The OpenID client that is the actor or the subject. Absent if it was deleted.
   */
  client?:
    | {
        /**
         * The id of the client.
         */
        id: string
        /**
         * The environment of the client.
         */
        environment: 'test' | 'live'
      }
    | undefined
  /**
   * The reason that the holder was told.
   */
  purpose?: string | undefined
  /**
   * Details of the action.
   */
  detail?:
    | {
        [k: string]: unknown
      }
    | undefined
  /**
   * Whether its texts were erased.
   */
  erased: boolean
}
export interface AuditKey {
  /**
   * The key, as PEM.
   */
  public_key: string
  /**
   * The log that the key signs.
   */
  origin: string
  /**
   * The key in the format of transparency log tools.
   */
  verifier_key: string
  /**
   * The first key of the log, as PEM.
   */
  first_public_key: string
  /**
   * The notes with which the first key and its successors were replaced. They lead to `public_key`.
   */
  handovers: string[]
}
export interface AuditList {
  /**
   * Newest first.
   */
  data: AuditEntry[]
  /**
   * What to give as `before_seq` for the next page. Absent if there are no older entries.
   */
  next_before_seq?: number | undefined
  /**
   * Entries that are recorded but not yet in their chain. They are appended within a second or so.
   */
  waiting: number
}
export interface Brand {
  /**
   * Who asks.
   */
  display_name?: string | undefined
  /**
   * The colour of buttons.
   */
  colour?: string | undefined
  /**
   * The logo, as a data URL of a PNG, WebP or SVG image.
   */
  logo?: string | undefined
  /**
   * Your privacy policy.
   */
  privacy_url?: string | undefined
  /**
   * Where a holder without a wallet can proceed, unless the verification says otherwise.
   */
  alternative_url?: string | undefined
  /**
   * How many days you yourself keep what you get.
   */
  kept_days?: number | undefined
}
export interface ChangeDevice {
  /**
   * How you recognise the device.
   */
  name?: string | undefined
  /**
   * The keys of the templates that it may use. Each must exist.
   */
  allowed_templates?: (BuiltInTemplate | (string & {}))[] | undefined
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
export interface ChangeEcosystemIdentity {
  /**
   * The certificate with its private key. `null` removes the identity.
   */
  certificate: {
    /**
     * The certificate chain, leaf first, as PEM.
     */
    chain: string
    /**
     * The private key of the leaf, as PEM.
     */
    key: string
  } | null
  /**
   * For Google Wallet: `gw_rp_metadata_bytes`, as its registrar gave them.
   */
  rp_metadata?: string | undefined
}
export interface ChangeHolderPage {
  /**
   * The origins of your pages that may use the Digital Credentials API.
   */
  page_origins?: string[] | undefined
  /**
   * What the links that open a wallet begin with. The first is the main button; the others are offered as other wallets.
   */
  wallet_links?: string[] | undefined
  /**
   * Whether the EU age-verification app may respond.
   */
  age_app?: boolean | undefined
  /**
   * Whether the QR code of the page is replaced every 20 seconds.
   */
  moving_code?: boolean | undefined
  /**
   * Whether page, component and till offer no machine translations.
   */
  edited_languages_only?: boolean | undefined
  /**
   * What happens when a holder asks for an erasure with the code of a verification: nothing, you decide, or it is erased at once.
   */
  holder_erasure?: ('off' | 'ask_merchant' | 'automatic') | undefined
  /**
   * The template with which a holder without the code proves who they are, so that their results of about a day are compared with it. It must ask for names and birth date. `null` if they cannot.
   */
  erasure_template?: ((BuiltInTemplate | (string & {})) | null) | undefined
}
export interface ChangeIdentity {
  /**
   * The certificate with its private key. `null`: that of the service is used again.
   */
  certificate: {
    /**
     * The certificate chain, leaf first, as PEM.
     */
    chain: string
    /**
     * The private key of the leaf, as PEM.
     */
    key: string
  } | null
}
export interface ChangeOpenIdClient {
  /**
   * Its name, for people.
   */
  name?: string | undefined
  /**
   * Where browsers may be sent with a code. Compared character by character.
   */
  redirect_uris?: string[] | undefined
  /**
   * The templates that it may ask with, by the scope `vidimus:` and the key of the template.
   */
  templates?: (BuiltInTemplate | (string & {}))[] | undefined
  /**
   * What the holder is told about the reason. `null` removes it.
   */
  purpose?: (string | null) | undefined
  /**
   * The algorithm that signs its ID tokens.
   */
  id_token_algorithm?: ('RS256' | 'ES256') | undefined
  /**
   * The claim that tells people apart. `null` removes it.
   */
  subject_claim?: (string | null) | undefined
  /**
   * Whether a wallet on another device than the browser may respond, by a QR code. Only a client with a subject claim is restricted.
   */
  cross_device?: boolean | undefined
  /**
   * False: a request without PKCE is accepted if it has a nonce (RFC 9700 §2.1.1). Only for clients with a secret.
   */
  pkce_required?: boolean | undefined
}
export interface ChangePolicies {
  /**
   * After how many days results are deleted.
   */
  retention_days?: number | undefined
  /**
   * Whether a result is deleted once it is delivered.
   */
  forget_on_delivery?: boolean | undefined
  /**
   * Whether a result is held back until its one-time code is redeemed.
   */
  hold_back?: boolean | undefined
  /**
   * What follows if the status of a credential cannot be checked.
   */
  status_unavailable?: ('fail' | 'warning') | undefined
  /**
   * Where days begin when an age is counted from a birth date.
   */
  time_zone?: string | undefined
  /**
   * How many responses a verification takes, unless it says otherwise.
   */
  max_attempts?: number | undefined
  /**
   * Whether a query that violates DCQL is refused.
   */
  strict_queries?: boolean | undefined
}
export interface ChangeRegistration {
  /**
   * What to call it.
   */
  name?: string | undefined
  /**
   * True makes it the default instead of the current one; false leaves you without a default.
   */
  default?: boolean | undefined
}
export interface ChangeRegistrationSettings {
  /**
   * How requests carry the certificate: base64url of the compact JWT (ETSI TS 119 472-2), or the compact JWT itself.
   */
  encoding?: ('base64url' | 'jwt') | undefined
  /**
   * What happens when a query asks for more than its registration covers: the creation warns, or is refused.
   */
  policy?: ('warn' | 'refuse') | undefined
}
export interface ChangeRequestLog {
  /**
   * Whether requests are recorded.
   */
  enabled: boolean
}
export interface ChangeTrustPolicy {
  /**
   * `all`: the anchors of the environment and your own. `own`: only your own.
   */
  policy: 'all' | 'own'
}
export interface ChangeVerificationLink {
  /**
   * Its name, for your team. Visitors do not see it.
   */
  name?: string | undefined
  /**
   * The template that it asks with, as it is at the visit.
   */
  template?: (BuiltInTemplate | (string & {})) | undefined
  /**
   * What the visitor is told. `null` removes it.
   */
  purpose?: (string | null) | undefined
  /**
   * How many verifications it creates in a UTC day. One address gets a quarter of them, at least ten. By default 100, for single use 10.
   */
  daily_limit?: number | undefined
  /**
   * When it ends. `null`: never.
   */
  expires_at?: (string | null) | undefined
  /**
   * Where the visitor is sent afterwards. `null` removes it.
   */
  redirect_url?: (string | null) | undefined
  /**
   * Replaces all of it. `null` removes it.
   */
  metadata?:
    | ({
        [k: string]: string
      } | null)
    | undefined
  /**
   * Whether members that want it get a mail when somebody has responded, without claims.
   */
  mail_results?: boolean | undefined
  /**
   * False: it creates nothing until it is true again.
   */
  active?: boolean | undefined
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
    | (
        | 'verification.completed'
        | 'verification.failed'
        | 'verification.expired'
        | 'verification.cancelled'
        | 'erasure.requested'
        | 'erasure.executed'
      )[]
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
export interface ConfigAnchor {
  /**
   * The environment that it belongs to. A test key sees and changes only what belongs to `test`.
   */
  environment: 'test' | 'live'
  /**
   * The certificate as PEM. Several in one text become several anchors.
   */
  pem: string
  /**
   * What it is trusted to do.
   */
  role?: ('issuing' | 'revocation' | 'list_signing' | 'registration') | undefined
  /**
   * Who operates it.
   */
  entity?: string | undefined
  /**
   * The document types that it is trusted for. Absent: all types.
   */
  document_types?: string[] | undefined
}
export interface ConfigOpenIdClient {
  /**
   * Its name, for people.
   */
  name: string
  /**
   * Where browsers may be sent with a code. Compared character by character.
   *
   * @minItems 1
   * @maxItems 20
   */
  redirect_uris: string[]
  /**
   * The templates that it may ask with, by the scope `vidimus:` and the key of the template.
   *
   * @minItems 1
   * @maxItems 20
   */
  templates: (BuiltInTemplate | (string & {}))[]
  /**
   * What the holder is told about the reason. It never comes from the browser.
   */
  purpose?: string | undefined
  /**
   * How the client authenticates: with its secret, or only with PKCE where no secret can be kept. It never changes.
   */
  authentication?: ('secret' | 'none') | undefined
  /**
   * The algorithm that signs its ID tokens.
   */
  id_token_algorithm?: ('RS256' | 'ES256') | undefined
  /**
   * The claim that tells people apart. Without it every verification has a new subject.
   */
  subject_claim?: string | undefined
  /**
   * Whether a wallet on another device than the browser may respond, by a QR code. Only a client with a subject claim is restricted.
   */
  cross_device?: boolean | undefined
  /**
   * False: a request without PKCE is accepted if it has a nonce (RFC 9700 §2.1.1). Only for clients with a secret.
   */
  pkce_required?: boolean | undefined
  /**
   * The environment that it belongs to. A test key sees and changes only what belongs to `test`.
   */
  environment: 'test' | 'live'
}
export interface ConfigRegistration {
  /**
   * The registration certificate: the compact JWT, or base64url of it.
   */
  certificate: string
  /**
   * The data set of the registrar, as JSON text.
   */
  dataset?: string | undefined
  /**
   * What you call it. Templates refer to it by this name.
   */
  name: string
  /**
   * Whether other templates are asked under it.
   */
  default?: boolean | undefined
}
export interface ConfigTemplate {
  /**
   * The template. Absent for a built-in one that names a registration.
   */
  template?:
    | {
        [k: string]: unknown
      }
    | undefined
  /**
   * The name of the registration that it is asked under, or the SHA-256 of its certificate if several have that name. Absent: the default.
   */
  registration?: string | undefined
}
export interface ConfigWebhookEndpoint {
  /**
   * The environment that it belongs to. A test key sees and changes only what belongs to `test`.
   */
  environment: 'test' | 'live'
  /**
   * Where to send events. http or https, on a public address, without user name or password.
   */
  url: string
  /**
   * The events that it gets.
   *
   * @minItems 1
   * @maxItems 6
   */
  events: (
    | 'verification.completed'
    | 'verification.failed'
    | 'verification.expired'
    | 'verification.cancelled'
    | 'erasure.requested'
    | 'erasure.executed'
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
export interface CreateApiKey {
  /**
   * A name for people.
   */
  name: string
  /**
   * What the key may do. A key can give only scopes that it has itself, and none that manage.
   *
   * @minItems 1
   * @maxItems 16
   */
  scopes: (
    | 'verifications:create'
    | 'verifications:read'
    | 'verifications:delete'
    | 'devices:manage'
    | 'webhooks:manage'
    | 'links:manage'
    | 'config:read'
    | 'members:read'
    | 'requests:read'
    | 'audit:read'
    | 'templates:manage'
    | 'settings:manage'
    | 'trust:manage'
    | 'openid_clients:manage'
    | 'sealing:manage'
    | 'keys:manage'
  )[]
  /**
   * After how many days it expires. Absent: never. A key that manages has at most 90 days.
   */
  lifetime_days?: (30 | 90 | 365) | undefined
}
/**
 * Give exactly one of `template` and `query`.
 */
export interface CreateVerification {
  /**
   * The key of a built-in template or one of your own.
   */
  template?: (BuiltInTemplate | (string & {})) | undefined
  /**
   * Values for the parameters of the template, such as the age of `age_over`. Those that it gives a default may be left out. `GET /v1/templates` lists them.
   */
  parameters?:
    | {
        [k: string]: number | string
      }
    | undefined
  /**
   * What you expect of the claims that the template compares. The result says yes or no for each, never the claim. Kept encrypted, only while the verification is pending.
   */
  expected?:
    | {
        [k: string]: string
      }
    | undefined
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
export interface CreateVerificationLink {
  /**
   * Its name, for your team. Visitors do not see it.
   */
  name: string
  /**
   * The template that it asks with, as it is at the visit.
   */
  template: BuiltInTemplate | (string & {})
  /**
   * What the visitor is told about the reason.
   */
  purpose?: string | undefined
  /**
   * Whether it ends with the first verification that completes. Opening it, and attempts that fail, do not use it up. It never changes.
   */
  single_use?: boolean | undefined
  /**
   * How many verifications it creates in a UTC day. One address gets a quarter of them, at least ten. By default 100, for single use 10.
   */
  daily_limit?: number | undefined
  /**
   * From then on it creates nothing.
   */
  expires_at?: string | undefined
  /**
   * Where the visitor is sent afterwards, with a one-time code to redeem in the fragment. It never comes from the address that was opened.
   */
  redirect_url?: string | undefined
  /**
   * Copied into each of its verifications, with `link_id` and, if the address had `?ref=`, `link_ref`: anybody can set that, so prove nothing by it.
   */
  metadata?:
    | {
        [k: string]: string
      }
    | undefined
  /**
   * Whether members that want it get a mail when somebody has responded, without claims.
   */
  mail_results?: boolean | undefined
  /**
   * False: it creates nothing until it is true again.
   */
  active?: boolean | undefined
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
   * @maxItems 6
   */
  events: (
    | 'verification.completed'
    | 'verification.failed'
    | 'verification.expired'
    | 'verification.cancelled'
    | 'erasure.requested'
    | 'erasure.executed'
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
export interface CreatedApiKey {
  key: ApiKey
  /**
   * The key itself. Shown only once.
   */
  secret: string
}
export interface CreatedOpenIdClient {
  client: OpenIdClient
  /**
   * Shown only once. Absent if the client has no secret.
   */
  secret?: string | undefined
}
export interface OpenIdClient {
  /**
   * The `client_id`.
   */
  id: string
  /**
   * The environment of its verifications.
   */
  environment: 'test' | 'live'
  /**
   * The address of the OpenID provider that it is registered with.
   */
  issuer: string
  /**
   * Where the provider describes itself.
   */
  discovery_url: string
  /**
   * A scope for each template. A request has `openid` and one of them.
   */
  scopes: string[]
  /**
   * Its name, for people.
   */
  name: string
  /**
   * Where browsers may be sent with a code.
   */
  redirect_uris: string[]
  /**
   * The templates that it may ask with.
   */
  templates: string[]
  /**
   * What the holder is told about the reason.
   */
  purpose?: string | undefined
  /**
   * How the client authenticates: with its secret, or only with PKCE where no secret can be kept. It never changes.
   */
  authentication: 'secret' | 'none'
  /**
   * The algorithm that signs its ID tokens.
   */
  id_token_algorithm: 'RS256' | 'ES256'
  /**
   * The claim that tells people apart. Without it every verification has a new subject.
   */
  subject_claim?: string | undefined
  /**
   * Whether a wallet on another device than the browser may respond. Present with a subject claim.
   */
  cross_device?: boolean | undefined
  /**
   * False: a request without PKCE is accepted if it has a nonce (RFC 9700 §2.1.1). Only for clients with a secret.
   */
  pkce_required: boolean
  /**
   * Those of its templates that no longer exist.
   */
  missing_templates?: string[] | undefined
  /**
   * Until then the secret before the newest one works too.
   */
  previous_secret_expires_at?: string | undefined
  /**
   * Why the last request of its site was refused. Absent if one has succeeded since.
   */
  last_problem?:
    | {
        /**
         * When it was refused.
         */
        at: string
        /**
         * The reason, in English.
         */
        description: string
      }
    | undefined
  /**
   * When it was created.
   */
  created_at: string
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
export interface DeliveryEvent {
  /**
   * The verification that the event is about.
   */
  verification_id: string
  /**
   * The number of the attempt, from 1.
   */
  attempt: number
  /**
   * When it was sent.
   */
  attempted_at: string
  /**
   * What became of it. `unknown`: it may have been delivered before a restore of the database, and was not sent again.
   */
  outcome: 'delivered' | 'failed' | 'refused' | 'timed_out' | 'interrupted' | 'unknown'
  /**
   * The HTTP status of the receiver’s response, if there was one.
   */
  status?: number | undefined
  /**
   * How long it took.
   */
  duration_ms?: number | undefined
  /**
   * Why it failed, in English.
   */
  error?: string | undefined
  /**
   * The endpoint. Absent for attempts to the verification’s own `webhook_url`.
   */
  endpoint_id?: string | undefined
  /**
   * Where it was sent. Its query may be masked. Absent for attempts from before it was recorded.
   */
  url?: string | undefined
  /**
   * The event.
   */
  event_type?:
    | ('verification.completed' | 'verification.failed' | 'verification.expired' | 'verification.cancelled')
    | undefined
  /**
   * What becomes of the event. `exhausted`: no attempt follows.
   */
  state: 'delivered' | 'waiting' | 'sending' | 'exhausted' | 'unknown'
  /**
   * When the next attempt follows.
   */
  next_attempt_at?: string | undefined
  /**
   * The attempts, newest first, 20 at most.
   */
  attempts: {
    /**
     * The number of the attempt, from 1.
     */
    attempt: number
    /**
     * When it was sent.
     */
    attempted_at: string
    /**
     * What became of it. `unknown`: it may have been delivered before a restore of the database, and was not sent again.
     */
    outcome: 'delivered' | 'failed' | 'refused' | 'timed_out' | 'interrupted' | 'unknown'
    /**
     * The HTTP status of the receiver’s response, if there was one.
     */
    status?: number | undefined
    /**
     * How long it took.
     */
    duration_ms?: number | undefined
    /**
     * Why it failed, in English.
     */
    error?: string | undefined
  }[]
}
export interface DeliveryList {
  /**
   * Events with their attempts, and events that were forwarded to `vidimus listen`, newest first.
   */
  data: (DeliveryEvent | ForwardedEvent)[]
  /**
   * The delays between the attempts of an event: there is one attempt more than there are delays.
   */
  backoff_seconds: number[]
}
export interface ForwardedEvent {
  /**
   * The id of what was forwarded to `vidimus listen`.
   */
  forward_id: string
  /**
   * The verification that the event is about.
   */
  verification_id: string
  /**
   * When it was forwarded.
   */
  attempted_at: string
  /**
   * As reported by the listener; `unreported` until it reports.
   */
  outcome: 'delivered' | 'failed' | 'unreported'
  /**
   * The HTTP status of the local receiver’s response.
   */
  status?: number | undefined
  /**
   * How long it took.
   */
  duration_ms?: number | undefined
  /**
   * Why it failed, in English.
   */
  error?: string | undefined
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
  allowed_templates: (BuiltInTemplate | (string & {}))[]
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
export interface EcosystemIdentity {
  /**
   * Whose wallets it is for.
   */
  ecosystem: 'apple' | 'google' | 'iso'
  /**
   * The environment that it is used in.
   */
  environment: 'test' | 'live'
  /**
   * True for your own, false for that of the operator.
   */
  own: boolean
  /**
   * Whom it names.
   */
  subject: string
  /**
   * When it expires.
   */
  expires_at: string
  /**
   * SHA-256 of the leaf certificate, in hexadecimal.
   */
  fingerprint: string
  /**
   * What the published rules of the ecosystem say against it.
   */
  findings: IdentityFinding[]
}
export interface EmptyResponse {}
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
export interface ErasureRequest {
  /**
   * The verification. Erase it with `DELETE /v1/verifications/{id}`, and your copies.
   */
  verification_id: string
  /**
   * When its holder asked, for the first time.
   */
  requested_at: string
  /**
   * A month later: the time that GDPR article 12(3) gives you.
   */
  due_at: string
  /**
   * Whether that time is over and you have not answered.
   */
  overdue: boolean
  /**
   * When you refused. Absent while the request waits.
   */
  refused_at?: string | undefined
}
export interface ErasureRequestPage {
  /**
   * The request that is due first comes first.
   */
  data: ErasureRequest[]
  /**
   * Give it as `after` for the next page. Absent on the last page.
   */
  next_after?: string | undefined
}
export interface FailedResend {
  /**
   * Events that failed for good at or after this time.
   */
  since: string
  /**
   * Only events to this endpoint. Absent: to all.
   */
  endpoint_id?: string | undefined
  /**
   * When it was requested.
   */
  requested_at: string
  /**
   * How many events were queued so far.
   */
  queued: number
  /**
   * When all were queued. Absent until then.
   */
  finished_at?: string | undefined
}
export interface HolderCancellation {
  /**
   * Where the holder returns to, without a code.
   */
  return_url?: string | undefined
}
export interface HolderPageSettings {
  /**
   * The origins of your pages that may use the Digital Credentials API.
   *
   * @maxItems 10
   */
  page_origins: string[]
  /**
   * What the links that open a wallet begin with. The first is the main button; the others are offered as other wallets.
   *
   * @minItems 1
   * @maxItems 5
   */
  wallet_links: string[]
  /**
   * Whether the EU age-verification app may respond.
   */
  age_app: boolean
  /**
   * Whether the QR code of the page is replaced every 20 seconds.
   */
  moving_code: boolean
  /**
   * Whether page, component and till offer no machine translations.
   */
  edited_languages_only: boolean
  /**
   * What happens when a holder asks for an erasure with the code of a verification: nothing, you decide, or it is erased at once.
   */
  holder_erasure: 'off' | 'ask_merchant' | 'automatic'
  /**
   * The template with which a holder without the code proves who they are, so that their results of about a day are compared with it. It must ask for names and birth date. `null` if they cannot.
   */
  erasure_template: (BuiltInTemplate | (string & {})) | null
}
export interface HolderVerification {
  /**
   * `opened`: a wallet has fetched the request. `try_again`: a new verification may succeed. `not_accepted`: it probably would not.
   */
  phase:
    | 'pending'
    | 'opened'
    | 'completed'
    | 'declined'
    | 'try_again'
    | 'not_accepted'
    | 'expired'
    | 'cancelled'
    | 'used'
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
  /**
   * The page has a card to keep at `/verify/{id}/card`, with a code by which the holder can have it deleted. Present once there is a result.
   */
  card?: true | undefined
  /**
   * Only where the holder asks for deletion: the merchant gets nothing, and `retention` says what happens instead.
   */
  done?:
    | {
        /**
         * What completion is called.
         */
        title: string
        /**
         * What the link to the card is called.
         */
        card: string
      }
    | undefined
  /**
   * After a verification link: a short code that the merchant sees too. Present once it completed.
   */
  confirmation_code?: string | undefined
}
export interface LatestResend {
  /**
   * Absent if there was none.
   */
  latest?: FailedResend | undefined
}
export interface LocalText {
  /**
   * The language.
   */
  lang: string
  /**
   * The text in that language.
   */
  value: string
}
export interface LoggedRequest {
  /**
   * The number of the entry.
   */
  id: string
  /**
   * When the request was received.
   */
  at: string
  /**
   * The `X-Request-Id` of the response.
   */
  request_id: string
  /**
   * The HTTP method.
   */
  method: string
  /**
   * The pattern of the path.
   */
  route: string
  /**
   * The status of the response. 499: the caller disconnected before it was sent.
   */
  status: number
  /**
   * The error code of the response.
   */
  error_code?: string | undefined
  /**
   * The header `X-Service-Warning` of its response.
   */
  warning?: string | undefined
  /**
   * How long the request took.
   */
  duration_ms: number
  /**
   * What became of a request with an `Idempotency-Key`.
   */
  idempotency?: ('new' | 'replayed' | 'conflict') | undefined
  /**
   * The API key that sent it.
   */
  key_id?: string | undefined
  /**
   * The device that sent it.
   */
  device_id?: string | undefined
  /**
   * The member whose request in the dashboard failed.
   */
  member_id?: string | undefined
}
export interface MaskedCredential {
  /**
   * The credential format: ISO 18013-5 mdoc or SD-JWT VC.
   */
  format: 'mso_mdoc' | 'dc+sd-jwt'
  /**
   * The document type of an mdoc, or the `vct` of an SD-JWT VC.
   */
  doctype_or_vct: string
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
  /**
   * The names of the claims that it disclosed.
   */
  claim_names: string[]
}
export interface Member {
  /**
   * The id of the member.
   */
  id: string
  /**
   * Their name.
   */
  name: string
  /**
   * Their e-mail address.
   */
  email: string
  /**
   * What they may do.
   */
  role: 'owner' | 'admin' | 'developer' | 'support' | 'auditor'
  /**
   * When they accepted their invitation.
   */
  joined_at: string
  /**
   * When they last used the dashboard. Absent if they never did.
   */
  last_seen_at?: string | undefined
  /**
   * How many passkeys they have.
   */
  passkeys: number
  /**
   * Whether they can sign in with the identity provider of their organisation.
   */
  oidc_linked: boolean
  /**
   * Whether this member is the caller. Always false for an API key.
   */
  you: boolean
}
export interface OpenIdClientInput {
  /**
   * Its name, for people.
   */
  name: string
  /**
   * Where browsers may be sent with a code. Compared character by character.
   *
   * @minItems 1
   * @maxItems 20
   */
  redirect_uris: string[]
  /**
   * The templates that it may ask with, by the scope `vidimus:` and the key of the template.
   *
   * @minItems 1
   * @maxItems 20
   */
  templates: (BuiltInTemplate | (string & {}))[]
  /**
   * What the holder is told about the reason. It never comes from the browser.
   */
  purpose?: string | undefined
  /**
   * How the client authenticates: with its secret, or only with PKCE where no secret can be kept. It never changes.
   */
  authentication?: ('secret' | 'none') | undefined
  /**
   * The algorithm that signs its ID tokens.
   */
  id_token_algorithm?: ('RS256' | 'ES256') | undefined
  /**
   * The claim that tells people apart. Without it every verification has a new subject.
   */
  subject_claim?: string | undefined
  /**
   * Whether a wallet on another device than the browser may respond, by a QR code. Only a client with a subject claim is restricted.
   */
  cross_device?: boolean | undefined
  /**
   * False: a request without PKCE is accepted if it has a nonce (RFC 9700 §2.1.1). Only for clients with a secret.
   */
  pkce_required?: boolean | undefined
}
export interface OpenIdClientList {
  /**
   * Newest first.
   *
   * @maxItems 50
   */
  data: OpenIdClient[]
}
export interface PendingInvitation {
  /**
   * The id of the invitation.
   */
  id: string
  /**
   * Who is invited.
   */
  email: string
  /**
   * The role that they will have.
   */
  role: 'owner' | 'admin' | 'developer' | 'support' | 'auditor'
  /**
   * Who invited them.
   */
  invited_by: string
  /**
   * When they were invited.
   */
  created_at: string
  /**
   * Until when the link works.
   */
  expires_at: string
  /**
   * Whether the link has expired.
   */
  expired: boolean
  /**
   * The mail with the link. Absent if none was sent, because there is no mail server.
   */
  mail?: ('waiting' | 'sent' | 'failed') | undefined
  /**
   * Why the mail failed, as the server said it: a short code.
   */
  mail_failure?: string | undefined
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
export interface PolicySettings {
  /**
   * After how many days results are deleted.
   */
  retention_days: number
  /**
   * Whether a result is deleted once it is delivered.
   */
  forget_on_delivery: boolean
  /**
   * Whether a result is held back until its one-time code is redeemed.
   */
  hold_back: boolean
  /**
   * What follows if the status of a credential cannot be checked.
   */
  status_unavailable: 'fail' | 'warning'
  /**
   * Where days begin when an age is counted from a birth date.
   */
  time_zone: string
  /**
   * How many responses a verification takes, unless it says otherwise.
   */
  max_attempts: number
  /**
   * Whether a query that violates DCQL is refused.
   */
  strict_queries: boolean
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
export interface PutTemplateResult {
  /**
   * False if a problem prevents it.
   */
  saved: boolean
  /**
   * Problems that prevent saving, or that are worth knowing.
   */
  lints: TemplateLint[]
}
export interface TemplateLint {
  /**
   * Only an `error` prevents saving.
   */
  level: 'error' | 'warning' | 'hint'
  /**
   * The rule that found it. Rules are stable.
   */
  rule:
    | 'invalid'
    | 'fails_on_base_pid'
    | 'asks_more_than_needed'
    | 'optional_claim_in_flat_list'
    | 'missing_other_format'
    | 'all_sets_optional'
    | 'outside_registration'
  /**
   * Where in the template.
   */
  place: string
  /**
   * An explanation for people, in English.
   */
  message: string
}
export interface ReaderRequest {
  /**
   * The DeviceRequest in base64url, with reader authentication if you have a certificate of your own. Send it over your session with the wallet.
   */
  device_request: string
}
export interface Receipt {
  /**
   * What the service states, as the text that was hashed: a JSON object.
   */
  body: string
  /**
   * Hashed before the body: 32 bytes, hexadecimal.
   */
  salt: string
  /**
   * The audit entry that has the hash, and the proof that it is in the signed log.
   */
  proof: {
    [k: string]: unknown
  }
}
export interface ReceiptPage {
  /**
   * In the order of the ids.
   */
  data: Receipt[]
  /**
   * Receipts of this page that are missing because they are not signed yet.
   */
  waiting: number
  /**
   * Where the next page begins. Absent on the last page.
   */
  next_after?: string | undefined
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
  allowed_templates: (BuiltInTemplate | (string & {}))[]
  /**
   * How long the pairing code works, in seconds.
   */
  pairing_ttl_seconds?: number | undefined
}
export interface RegisterSealingKey {
  /**
   * The public key, P-256, as a JWK.
   */
  jwk: {
    /**
     * The type of the key.
     */
    kty: 'EC'
    /**
     * The curve.
     */
    crv: 'P-256'
    /**
     * The first coordinate.
     */
    x: string
    /**
     * The second coordinate.
     */
    y: string
    [k: string]: unknown
  }
  /**
   * Its name, for your team.
   */
  name?: string | undefined
}
export interface RegisteredCredential {
  /**
   * The credential format.
   */
  format: string
  /**
   * The `vct` values or the doctype. Empty: any type.
   */
  types: string[]
  /**
   * The paths of the registered claims. Absent: all of its claims.
   */
  claims?: (string | number | null)[][] | undefined
}
export interface RegisteredDevice {
  device: Device
  /**
   * `VD-XXXX-XXXX`. Shown only once.
   */
  pairing_code: string
}
export interface RegisteredSealingKey {
  key: SealingKey
  /**
   * A text that only the private key opens (JWE, RFC 7516). Answer it within 60 minutes.
   */
  challenge: SealedText
}
export interface SealingKey {
  /**
   * The thumbprint of the key (RFC 7638 with SHA-256).
   */
  kid: string
  /**
   * The environment whose results are sealed to it.
   */
  environment: 'test' | 'live'
  /**
   * Its name, for your team.
   */
  name?: string | undefined
  /**
   * `pending` until the challenge is answered. `active`: results are sealed to it. `retired`: only earlier results are.
   */
  state: 'pending' | 'active' | 'retired'
  /**
   * The public key.
   */
  jwk: SealingJwk
  /**
   * When it was registered.
   */
  created_at: string
  /**
   * When the challenge was answered.
   */
  activated_at?: string | undefined
  /**
   * When it was retired.
   */
  retired_at?: string | undefined
  /**
   * Stored results that its private key opens. Nobody can read those that only a lost key opens. Present in lists.
   */
  results?:
    | {
        /**
         * Counted up to 1000.
         */
        count: number
        /**
         * Whether there may be more than were counted.
         */
        more: boolean
      }
    | undefined
}
export interface SealingJwk {
  /**
   * The type of the key.
   */
  kty: 'EC'
  /**
   * The curve.
   */
  crv: 'P-256'
  /**
   * The first coordinate.
   */
  x: string
  /**
   * The second coordinate.
   */
  y: string
}
export interface SealedText {
  /**
   * The protected header, base64url.
   */
  protected: string
  /**
   * One for each key that opens it.
   */
  recipients: {
    /**
     * Which key it is for, and how its key is wrapped.
     */
    header?:
      | {
          [k: string]: unknown
        }
      | undefined
    /**
     * The wrapped key, base64url.
     */
    encrypted_key: string
  }[]
  /**
   * base64url.
   */
  iv: string
  /**
   * base64url.
   */
  ciphertext: string
  /**
   * base64url.
   */
  tag: string
}
export interface RegisteredUse {
  /**
   * The registered identifier of the relying party.
   */
  identifier: string
  /**
   * Its trade name, or else its legal name.
   */
  name?: string | undefined
  /**
   * Its legal name.
   */
  legal_name?: string | undefined
  /**
   * Its country, as two letters.
   */
  country?: string | undefined
  /**
   * Through whom the relying party asks, if the certificate names an intermediary.
   */
  intermediary?:
    | {
        /**
         * Its registered identifier.
         */
        identifier: string
        /**
         * Its name.
         */
        name?: string | undefined
      }
    | undefined
  /**
   * The id of the intended use.
   */
  intended_use?: string | undefined
  /**
   * The purpose of the intended use.
   */
  purpose: LocalText[]
  /**
   * What the relying party offers.
   */
  service: LocalText[]
  /**
   * What the relying party is entitled to.
   */
  entitlements: string[]
  /**
   * What may be asked for.
   */
  credentials: RegisteredCredential[]
  /**
   * The register that it is in.
   */
  registry_uri?: string | undefined
  /**
   * The privacy policy.
   */
  privacy_policy?: string | undefined
  /**
   * Where the relying party describes itself.
   */
  info_uri?: string | undefined
  /**
   * When the certificate was issued.
   */
  issued_at?: string | undefined
  /**
   * When the certificate expires.
   */
  expires_at?: string | undefined
}
export interface Registration {
  /**
   * The id of the registration.
   */
  id: string
  /**
   * What you call it.
   */
  name: string
  /**
   * Whether it is asked under wherever no other is named. At most one registration is the default.
   */
  default: boolean
  /**
   * The worst that its last check found.
   */
  state: 'ok' | 'warning' | 'fail'
  /**
   * The registered identifier of the relying party.
   */
  identifier?: string | undefined
  /**
   * The id of the intended use.
   */
  intended_use?: string | undefined
  /**
   * When the certificate expires.
   */
  expires_at?: string | undefined
  /**
   * The keys of the templates that name it.
   */
  templates: (BuiltInTemplate | (string & {}))[]
  /**
   * When it was added.
   */
  created_at: string
  /**
   * When it was last checked.
   */
  checked_at?: string | undefined
}
export interface RegistrationDetail {
  /**
   * The id of the registration.
   */
  id: string
  /**
   * What you call it.
   */
  name: string
  /**
   * Whether it is asked under wherever no other is named. At most one registration is the default.
   */
  default: boolean
  /**
   * The worst that its last check found.
   */
  state: 'ok' | 'warning' | 'fail'
  /**
   * The registered identifier of the relying party.
   */
  identifier?: string | undefined
  /**
   * The id of the intended use.
   */
  intended_use?: string | undefined
  /**
   * When the certificate expires.
   */
  expires_at?: string | undefined
  /**
   * The keys of the templates that name it.
   */
  templates: (BuiltInTemplate | (string & {}))[]
  /**
   * When it was added.
   */
  created_at: string
  /**
   * When it was last checked.
   */
  checked_at?: string | undefined
  /**
   * What the certificate says.
   */
  use: RegisteredUse
  /**
   * What the last check found.
   */
  findings: RegistrationFinding[]
  /**
   * SHA-256 of the certificate, in hexadecimal.
   */
  fingerprint: string
  /**
   * The `verifier_info` of requests, as JSON text.
   */
  verifier_info: string
  /**
   * Whether the data set of the registrar was given.
   */
  has_dataset: boolean
}
export interface RegistrationFinding {
  /**
   * What was found. Codes are stable.
   */
  code:
    | 'format_invalid'
    | 'signature_valid'
    | 'signature_invalid'
    | 'issuer_trusted'
    | 'issuer_unknown'
    | 'issuer_untrusted'
    | 'lifetime_valid'
    | 'lifetime_ends_soon'
    | 'lifetime_too_long'
    | 'lifetime_without_end'
    | 'lifetime_not_begun'
    | 'lifetime_ended'
    | 'binding_matches'
    | 'binding_unknown'
    | 'binding_differs'
    | 'status_valid'
    | 'status_missing'
    | 'status_unavailable'
    | 'status_invalid'
    | 'status_revoked'
    | 'dataset_matches'
    | 'dataset_differs'
    | 'support_matches'
    | 'support_differs'
  /**
   * `fail`: it is not accepted, or wallets will not accept it any more. `warning`: it is used, but wallets may warn their holders.
   */
  status: 'pass' | 'warning' | 'fail'
  /**
   * What only this case knows, for people.
   */
  detail?: string | undefined
}
export interface RegistrationList {
  /**
   * The default first.
   */
  data: Registration[]
  /**
   * How registrations are used.
   */
  settings: RegistrationSettings
  /**
   * How many registrations you can have.
   */
  limit: number
}
export interface RegistrationSettings {
  /**
   * How requests carry the certificate: base64url of the compact JWT (ETSI TS 119 472-2), or the compact JWT itself.
   */
  encoding: 'base64url' | 'jwt'
  /**
   * What happens when a query asks for more than its registration covers: the creation warns, or is refused.
   */
  policy: 'warn' | 'refuse'
}
export interface RenewPairingCode {
  /**
   * How long the pairing code works, in seconds.
   */
  pairing_ttl_seconds?: number | undefined
}
export interface Report {
  /**
   * The first UTC day.
   */
  from: string
  /**
   * The last UTC day.
   */
  to: string
  /**
   * Verifications by day, template version and outcome. Erased ones are not in it.
   */
  counts: {
    /**
     * The UTC day of creation.
     */
    day: string
    /**
     * The template. Absent for queries of your own.
     */
    template?: string | undefined
    /**
     * The hash of the content that the template had.
     */
    version?: string | undefined
    /**
     * How they ended.
     */
    status: string
    /**
     * Why, if they failed.
     */
    error_code?: string | undefined
    /**
     * How many.
     */
    verifications: number
  }[]
  /**
   * Changes of templates, policies, trust, identities, registrations and sealing keys, newest first. They apply to both environments.
   */
  changes: {
    /**
     * The number of the audit entry.
     */
    seq: number
    /**
     * When.
     */
    at: string
    /**
     * What was done.
     */
    action: string
    /**
     * To what.
     */
    subject?: string | undefined
    /**
     * Details of the entry.
     */
    detail?:
      | {
          [k: string]: unknown
        }
      | undefined
  }[]
  /**
   * Whether there are more than 500.
   */
  more_changes: boolean
  /**
   * Receipts that were picked at random.
   */
  sample: Receipt[]
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
export interface RequestLogSettings {
  /**
   * Whether requests are recorded.
   */
  enabled: boolean
  /**
   * False if the operator has switched the log off for everyone.
   */
  available: boolean
}
export interface RequestPage {
  /**
   * Newest first. It may have fewer entries than `limit`, even none.
   */
  data: LoggedRequest[]
  /**
   * What to give as `before` for the next page. Absent on the last page.
   */
  next_before?: string | undefined
  /**
   * Requests in the time of this page that were not recorded, because there were too many at once.
   */
  omitted: number
  /**
   * Whether requests are recorded now. `unavailable`: the operator has switched it off.
   */
  recording: 'on' | 'off' | 'unavailable'
}
export interface ResendFailed {
  /**
   * Events that failed for good at or after this time.
   */
  since: string
  /**
   * Only events to this endpoint. Absent: to all.
   */
  endpoint_id?: string | undefined
}
export interface RollClientSecret {
  /**
   * For how long the secret before keeps working: not at all, an hour, a day or a week.
   */
  overlap_seconds: 0 | 3600 | 86400 | 604800
}
export interface SealingKeyList {
  /**
   * Oldest first.
   */
  data: SealingKey[]
}
export interface ServiceAnchors {
  /**
   * In the order in which they were added.
   */
  data: ServiceTrustAnchor[]
  /**
   * What to give as `after` for the next page. Absent on the last page.
   */
  next_after?: string | undefined
}
export interface ServiceTrustAnchor {
  /**
   * Whom it names.
   */
  subject: string
  /**
   * When it expires.
   */
  expires_at: string
  /**
   * SHA-256 in hexadecimal.
   */
  fingerprint: string
  /**
   * What it is trusted to do.
   */
  role: 'issuing' | 'revocation' | 'list_signing' | 'registration'
  /**
   * Who operates it: anchors of one entity vouch for each other. Absent: it belongs to no entity.
   */
  entity?: string | undefined
  /**
   * The document types that it is trusted for. Absent: all types.
   */
  document_types?: string[] | undefined
  /**
   * `operator`: added by hand. `sandbox`: the issuer of the sandbox. Otherwise the URL of a trust list.
   */
  source: string
  /**
   * True if its list has expired, so that it is not trusted until the list is refreshed.
   */
  expired: boolean
}
export interface SetAlertWebhook {
  /**
   * Where to send alerts: http or https, on a public address.
   */
  url: string
}
export interface Settings {
  /**
   * How you appear to holders.
   */
  brand: Brand
  /**
   * What happens to results.
   */
  policies: PolicySettings
  /**
   * How holders may respond.
   */
  holder_page: HolderPageSettings
  /**
   * The page where holders ask for an erasure. Register it as `supportURI`, before any other website.
   */
  erasure_url: string
  /**
   * Whether requests are recorded.
   */
  request_log: RequestLogSettings
  /**
   * The certificate that signs requests.
   */
  certificate: AccessCertificate
  /**
   * Further identities, each for the wallets of one ecosystem.
   */
  identities: EcosystemIdentity[]
  /**
   * Whom you trust besides the service.
   */
  own_trust: TenantTrust
  /**
   * The trust lists of the service.
   */
  trust_lists: TrustListState[]
}
export interface TenantTrust {
  /**
   * `all`: the anchors of the environment and your own. `own`: only your own.
   */
  policy: 'all' | 'own'
  /**
   * Your own anchors.
   */
  anchors: TenantTrustAnchor[]
}
export interface TenantTrustAnchor {
  /**
   * Whom it names.
   */
  subject: string
  /**
   * When it expires.
   */
  expires_at: string
  /**
   * SHA-256 in hexadecimal.
   */
  fingerprint: string
  /**
   * What it is trusted to do.
   */
  role: 'issuing' | 'revocation' | 'list_signing' | 'registration'
  /**
   * Who operates it: anchors of one entity vouch for each other. Absent: it belongs to no entity.
   */
  entity?: string | undefined
  /**
   * The document types that it is trusted for. Absent: all types.
   */
  document_types?: string[] | undefined
  /**
   * The environment that it is used in.
   */
  environment: 'test' | 'live'
}
export interface TrustListState {
  /**
   * The environment that it is used in.
   */
  environment: 'test' | 'live'
  /**
   * Where the list is fetched.
   */
  url: string
  /**
   * How many certificates of it are trusted.
   */
  anchors: number
  /**
   * When its publisher will replace it.
   */
  next_update?: string | undefined
  /**
   * Until when it is trusted if it cannot be refreshed.
   */
  trusted_until?: string | undefined
  /**
   * When it was last fetched.
   */
  refreshed_at?: string | undefined
  /**
   * Whether it should have been replaced by now.
   */
  stale: boolean
  /**
   * Whether it is no longer trusted.
   */
  expired: boolean
  /**
   * Why the last attempt to fetch it failed, in English. Absent if it succeeded.
   */
  fault?: string | undefined
}
export interface Team {
  /**
   * Everybody who can sign in to the dashboard.
   */
  members: Member[]
  /**
   * Invitations that nobody has accepted yet.
   */
  invitations: PendingInvitation[]
}
export interface TemplateDetail {
  /**
   * What you give as `template` when you create a verification.
   */
  key: BuiltInTemplate | (string & {})
  /**
   * A short name for people.
   */
  name: string
  /**
   * What it asks and how.
   */
  description: string
  /**
   * Whether the template is part of the service. Otherwise it is your own.
   */
  built_in: boolean
  /**
   * When you last changed it. Absent if built in.
   */
  updated_at?: string | undefined
  /**
   * The template: its name, description, DCQL query, claims and rules, and as `clear_claims` the names of those results, each true or false, that stay readable when results are sealed.
   */
  template: {
    [k: string]: unknown
  }
  /**
   * The registration that it is asked under. Absent if you have none for it.
   */
  registration?: TemplateRegistration | undefined
}
export interface TemplateRegistration {
  /**
   * The id of the registration.
   */
  id: string
  /**
   * What you call it.
   */
  name: string
  /**
   * Whether the template names it. Otherwise it is the default.
   */
  assigned: boolean
}
export interface TemplateInput {
  /**
   * The template: its name, description, DCQL query, claims and rules, and as `clear_claims` the names of those results, each true or false, that stay readable when results are sealed.
   */
  template: {
    [k: string]: unknown
  }
}
export interface TemplateLintInput {
  /**
   * The template: its name, description, DCQL query, claims and rules, and as `clear_claims` the names of those results, each true or false, that stay readable when results are sealed.
   */
  template: {
    [k: string]: unknown
  }
  /**
   * The registration to compare it with. `null` or absent: the default.
   */
  registration_id?: (string | null) | undefined
}
export interface TemplateLintList {
  /**
   * What was found. Empty if nothing was.
   */
  data: TemplateLint[]
}
export interface TemplateParameter {
  /**
   * What its value is.
   */
  type: 'integer' | 'string'
  /**
   * The lowest integer.
   */
  min?: number | undefined
  /**
   * The highest integer.
   */
  max?: number | undefined
  /**
   * The strings that it accepts.
   */
  enum?: string[] | undefined
  /**
   * Used if you give none. Absent if you have to.
   */
  default?: (number | string) | undefined
}
export interface TemplateTrial {
  /**
   * The test verification.
   */
  verification_id: string
  /**
   * How it ended.
   */
  status: 'pending' | 'completed' | 'failed' | 'expired'
  /**
   * What a completed verification has. Included because the person is fictitious.
   */
  claims?:
    | {
        [k: string]: unknown
      }
    | undefined
  /**
   * Why it failed. Present only if it did.
   */
  error?:
    | {
        /**
         * Stable. Listed in the error reference.
         */
        code: string
        /**
         * An explanation for people.
         */
        message: string
      }
    | undefined
  /**
   * The presented credentials with their checks.
   */
  credentials: MaskedCredential[]
}
export interface TenantConfig {
  /**
   * The version of this format.
   */
  version: 1
  /**
   * How you appear to holders. Members that are left out are removed.
   */
  brand?: Brand1 | undefined
  /**
   * Retention and other rules for results. Members that are left out stay.
   */
  policies?: ChangePolicies | undefined
  /**
   * How holders may respond, and from which pages. Members that are left out stay.
   */
  holder_page?: ChangeHolderPage1 | undefined
  /**
   * Whether the requests of your keys are recorded.
   */
  request_log?:
    | {
        /**
         * True if they are.
         */
        enabled: boolean
      }
    | undefined
  /**
   * Where alerts are sent, or `null`.
   */
  alert_webhook?:
    | ({
        /**
         * The address.
         */
        url: string
      } | null)
    | undefined
  /**
   * Which issuers you trust.
   */
  trust?:
    | {
        /**
         * Whom you trust besides your own anchors.
         */
        policy?: ('all' | 'own') | undefined
        /**
         * Your own anchors, recognised by environment, certificate and role.
         */
        anchors?: ConfigAnchor[] | undefined
      }
    | undefined
  /**
   * Under which registrations you ask.
   */
  registrations?:
    | {
        /**
         * How requests carry registrations, and what happens to a query that exceeds one.
         */
        settings?: ChangeRegistrationSettings1 | undefined
        /**
         * Your registrations, recognised by their certificates.
         */
        items?: ConfigRegistration[] | undefined
      }
    | undefined
  /**
   * Your templates by their keys, and built-in ones that name a registration.
   */
  templates?:
    | {
        [k: string]: ConfigTemplate
      }
    | undefined
  /**
   * Your webhook endpoints, recognised by environment and URL. Only for keys with `webhooks:manage`.
   */
  webhook_endpoints?: ConfigWebhookEndpoint[] | undefined
  /**
   * Your OpenID clients, recognised by environment, name and authentication.
   */
  openid_clients?: ConfigOpenIdClient[] | undefined
}
export interface Brand1 {
  /**
   * Who asks.
   */
  display_name?: string | undefined
  /**
   * The colour of buttons.
   */
  colour?: string | undefined
  /**
   * The logo, as a data URL of a PNG, WebP or SVG image.
   */
  logo?: string | undefined
  /**
   * Your privacy policy.
   */
  privacy_url?: string | undefined
  /**
   * Where a holder without a wallet can proceed, unless the verification says otherwise.
   */
  alternative_url?: string | undefined
  /**
   * How many days you yourself keep what you get.
   */
  kept_days?: number | undefined
}
export interface ChangeHolderPage1 {
  /**
   * The origins of your pages that may use the Digital Credentials API.
   */
  page_origins?: string[] | undefined
  /**
   * What the links that open a wallet begin with. The first is the main button; the others are offered as other wallets.
   */
  wallet_links?: string[] | undefined
  /**
   * Whether the EU age-verification app may respond.
   */
  age_app?: boolean | undefined
  /**
   * Whether the QR code of the page is replaced every 20 seconds.
   */
  moving_code?: boolean | undefined
  /**
   * Whether page, component and till offer no machine translations.
   */
  edited_languages_only?: boolean | undefined
  /**
   * What happens when a holder asks for an erasure with the code of a verification: nothing, you decide, or it is erased at once.
   */
  holder_erasure?: ('off' | 'ask_merchant' | 'automatic') | undefined
  /**
   * The template with which a holder without the code proves who they are, so that their results of about a day are compared with it. It must ask for names and birth date. `null` if they cannot.
   */
  erasure_template?: ((BuiltInTemplate | (string & {})) | null) | undefined
}
export interface ChangeRegistrationSettings1 {
  /**
   * How requests carry the certificate: base64url of the compact JWT (ETSI TS 119 472-2), or the compact JWT itself.
   */
  encoding?: ('base64url' | 'jwt') | undefined
  /**
   * What happens when a query asks for more than its registration covers: the creation warns, or is refused.
   */
  policy?: ('warn' | 'refuse') | undefined
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
export interface TryTemplate {
  /**
   * The key of a saved template.
   */
  template: BuiltInTemplate | (string & {})
  /**
   * Values for its parameters.
   */
  parameters?:
    | {
        [k: string]: number | string
      }
    | undefined
  /**
   * What it compares claims with.
   */
  expected?:
    | {
        [k: string]: string
      }
    | undefined
  /**
   * The fictitious person whose wallet responds. The guide to testing lists them.
   */
  persona: string
}
export interface UsableTemplate {
  /**
   * What you give as `template` when you create a verification.
   */
  key: BuiltInTemplate | (string & {})
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
   * The names of the claims that a completed verification can contain. `{age}` in a name stands for a parameter.
   */
  claims: string[]
  /**
   * What you can give as `parameters` when you create a verification. Absent if there is nothing to give.
   */
  parameters?:
    | {
        [k: string]: TemplateParameter
      }
    | undefined
  /**
   * The claims that it compares: what you have to give as `expected`. Absent if there are none.
   */
  expected?: string[] | undefined
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
  template?: (BuiltInTemplate | (string & {})) | undefined
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
        code: FailureCode | (string & {})
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
export interface VerificationLink {
  /**
   * Its id, also in the metadata of its verifications.
   */
  id: string
  /**
   * The address to hand out. Whoever has it can start a verification. Add `?ref=` to tell apart where it was opened.
   */
  url: string
  /**
   * The environment of its verifications.
   */
  environment: 'test' | 'live'
  /**
   * Its name, for your team.
   */
  name: string
  /**
   * The template that it asks with.
   */
  template: string
  /**
   * What the visitor is told about the reason.
   */
  purpose?: string | undefined
  /**
   * Whether it ends with the first verification that completes. Opening it, and attempts that fail, do not use it up. It never changes.
   */
  single_use: boolean
  /**
   * How many verifications it creates in a UTC day.
   */
  daily_limit: number
  /**
   * How many it has created today.
   */
  created_today: number
  /**
   * Where the visitor is sent afterwards.
   */
  redirect_url?: string | undefined
  /**
   * Copied into each of its verifications.
   */
  metadata?:
    | {
        [k: string]: string
      }
    | undefined
  /**
   * Whether members that want it get a mail when somebody has responded, without claims.
   */
  mail_results: boolean
  /**
   * False: it creates nothing until it is true again.
   */
  active: boolean
  /**
   * What a visitor meets: it works, you deactivated it, it has expired, or its single use is over.
   */
  state: 'active' | 'inactive' | 'expired' | 'used'
  /**
   * When it ends. Absent: never.
   */
  expires_at?: string | undefined
  /**
   * When the one verification of a single use completed.
   */
  used_at?: string | undefined
  /**
   * When it was created.
   */
  created_at: string
}
export interface VerificationLinkPage {
  /**
   * Newest first.
   */
  data: VerificationLink[]
  /**
   * Where the next page begins. Absent on the last page.
   */
  next_before?: string | undefined
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
    | 'verification.completed'
    | 'verification.failed'
    | 'verification.expired'
    | 'verification.cancelled'
    | 'erasure.requested'
    | 'erasure.executed'
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
export interface WebhookErasurePayload {
  /**
   * `erasure.requested`: erase the verification, or refuse. `erasure.executed`: it is erased here; erase your copies.
   */
  type: 'erasure.requested' | 'erasure.executed'
  /**
   * What is or was erased.
   */
  erasure: {
    /**
     * The verification.
     */
    verification_id: string
    /**
     * Its environment.
     */
    environment: 'test' | 'live'
    /**
     * When its holder asked.
     */
    requested_at: string
    /**
     * Until when you answer. Only of a request.
     */
    due_at?: string | undefined
    /**
     * When it was erased. Only once it is.
     */
    executed_at?: string | undefined
  }
  /**
   * The time of this attempt.
   */
  sent_at: string
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
/**
 * The claims of a completed verification, by built-in template.
 */
export interface BuiltInClaims {
  address: {
    street_address?: unknown
    postal_code?: unknown
    locality?: unknown
    country?: unknown
    formatted_address?: unknown
  }
  age_over: {[age: `age_over_${number}`]: true}
  age_over_16: {age_over_16?: true}
  age_over_16_strict: {age_over_16?: true}
  age_over_18: {age_over_18?: true}
  age_over_18_photo: {age_over_18?: true; portrait?: unknown}
  age_over_18_strict: {age_over_18?: true}
  age_over_21: {age_over_21?: true}
  age_over_21_strict: {age_over_21?: true}
  driving_licence: {
    family_name?: unknown
    given_name?: unknown
    birth_date?: unknown
    document_number?: unknown
    driving_privileges?: unknown
    issue_date?: unknown
    expiry_date?: unknown
    issuing_country?: unknown
    issuing_authority?: unknown
    un_distinguishing_sign?: unknown
  }
  identity_basic: {given_name?: unknown; family_name?: unknown; birth_date?: unknown}
  pid_full: {
    family_name?: unknown
    given_name?: unknown
    birth_date?: unknown
    place_of_birth?: unknown
    nationalities?: unknown
    issuing_authority?: unknown
    issuing_country?: unknown
    street_address?: unknown
    locality?: unknown
    postal_code?: unknown
    country?: unknown
    formatted_address?: unknown
    sex?: unknown
    birth_family_name?: unknown
    birth_given_name?: unknown
    personal_administrative_number?: unknown
    document_number?: unknown
    expiry_date?: unknown
    issue_date?: unknown
    email?: unknown
    phone_number?: unknown
    portrait?: unknown
  }
  'preview.ehic': {
    personal_administrative_number?: unknown
    document_number?: unknown
    issuing_country?: unknown
    authentic_source_id?: unknown
    authentic_source_name?: unknown
    expiry_date?: unknown
  }
  'preview.iban': {iban?: unknown; registered_given_name?: unknown; registered_family_name?: unknown}
  'preview.learning_credential': {
    family_name?: unknown
    given_name?: unknown
    achievement_title?: unknown
    issuing_authority?: unknown
    issue_date?: unknown
  }
  'preview.residence': {
    family_name?: unknown
    given_name?: unknown
    residence_address?: unknown
    issuing_country?: unknown
    issuing_authority?: unknown
    expiry_date?: unknown
  }
  'preview.student': {home_organization?: unknown; primary_affiliation?: unknown}
  'preview.us_mdl_age_21': {age_over_21?: true}
  'preview.us_mdl_real_id': {
    given_name?: unknown
    family_name?: unknown
    portrait?: unknown
    document_number?: unknown
    issue_date?: unknown
    expiry_date?: unknown
    issuing_authority?: unknown
    dhs_compliance?: unknown
  }
}
/**
 * What `call` can do, by the name of the operation in the API reference.
 */
export interface Operations {
  /**
   * Get a template.
   */
  getTemplate: {
    input: {
      /**
       * The key of the template.
       */
      key: BuiltInTemplate | (string & {})
    }
    result: TemplateDetail
  }
  /**
   * Create or change a template; existing verifications keep the version they were created with.
   */
  putTemplate: {
    input: {
      /**
       * The key of the template.
       */
      key: BuiltInTemplate | (string & {})
      body: TemplateInput
    }
    result: PutTemplateResult
  }
  /**
   * Delete a template; existing verifications keep the version they were created with.
   */
  deleteTemplate: {
    input: {
      /**
       * The key of the template.
       */
      key: BuiltInTemplate | (string & {})
    }
    result: EmptyResponse
  }
  /**
   * Check a template for errors, possible improvements and claims outside its registration.
   */
  lintTemplate: {
    input: {
      body: TemplateLintInput
    }
    result: TemplateLintList
  }
  /**
   * Try a template with a persona in the test environment.
   */
  tryTemplate: {
    input: {
      body: TryTemplate
    }
    result: TemplateTrial
  }
  /**
   * Choose the registration that a template is asked under, or the default.
   */
  assignRegistration: {
    input: {
      /**
       * The key of the template.
       */
      key: BuiltInTemplate | (string & {})
      body: AssignRegistration
    }
    result: TemplateDetail
  }
  /**
   * Get brand, policies, certificate and trust lists.
   */
  getSettings: {
    input: {}
    result: Settings
  }
  /**
   * Change how the tenant appears to holders; omitted members are removed.
   */
  changeBrand: {
    input: {
      body: Brand
    }
    result: Settings
  }
  /**
   * Change retention, hold-back and status policy for future responses.
   */
  changePolicies: {
    input: {
      body: ChangePolicies
    }
    result: Settings
  }
  /**
   * Change which origins may use the Digital Credentials API, and whether the EU age app may respond.
   */
  changeHolderPage: {
    input: {
      body: ChangeHolderPage
    }
    result: Settings
  }
  /**
   * Switch the request log on or off.
   */
  changeRequestLog: {
    input: {
      body: ChangeRequestLog
    }
    result: Settings
  }
  /**
   * Trust all anchors of the environment, or only the tenant’s own; applies to future responses.
   */
  changeTrustPolicy: {
    input: {
      body: ChangeTrustPolicy
    }
    result: Settings
  }
  /**
   * Change the access certificate for new verifications.
   */
  changeIdentity: {
    input: {
      body: ChangeIdentity
    }
    result: Settings
  }
  /**
   * Change the identity for the wallets of Apple, of Google or of ISO/IEC 18013-5 in general.
   */
  changeEcosystemIdentity: {
    input: {
      /**
       * Whose wallets the identity is for.
       */
      ecosystem: 'apple' | 'google' | 'iso'
      body: ChangeEcosystemIdentity
    }
    result: Settings
  }
  /**
   * List the certificates that the service trusts, with their role, operator and source.
   */
  listServiceAnchors: {
    input: {
      query?:
        | {
            /**
             * The `next_after` of the previous page.
             */
            after?: string | undefined
          }
        | undefined
    }
    result: ServiceAnchors
  }
  /**
   * Trust certificates for the tenant’s verifications.
   */
  addAnchors: {
    input: {
      body: AnchorsInput
    }
    result: Settings
  }
  /**
   * Stop trusting one of the tenant’s own certificates.
   */
  removeAnchor: {
    input: {
      /**
       * SHA-256 of the certificate, in hexadecimal.
       */
      fingerprint: string
    }
    result: Settings
  }
  /**
   * List the registrations, the default first.
   */
  listRegistrations: {
    input: {}
    result: RegistrationList
  }
  /**
   * Check a registration certificate and store it for new verifications.
   */
  addRegistration: {
    input: {
      body: AddRegistration
    }
    result: RegistrationDetail
  }
  /**
   * Get a registration with what its last check found.
   */
  getRegistration: {
    input: {
      /**
       * The id of the registration.
       */
      id: string
    }
    result: RegistrationDetail
  }
  /**
   * Rename a registration or make it the default; absent members stay unchanged.
   */
  changeRegistration: {
    input: {
      /**
       * The id of the registration.
       */
      id: string
      body: ChangeRegistration
    }
    result: RegistrationDetail
  }
  /**
   * Remove a registration that no template names; open verifications keep it.
   */
  removeRegistration: {
    input: {
      /**
       * The id of the registration.
       */
      id: string
    }
    result: RegistrationList
  }
  /**
   * Check a registration again now: its end, its status list, and the access certificate it belongs to.
   */
  checkRegistration: {
    input: {
      /**
       * The id of the registration.
       */
      id: string
    }
    result: RegistrationDetail
  }
  /**
   * Change how requests carry registrations, and what happens when a query asks for more than one covers.
   */
  changeRegistrationSettings: {
    input: {
      body: ChangeRegistrationSettings
    }
    result: RegistrationList
  }
  /**
   * List OpenID clients, newest first.
   */
  listOpenIdClients: {
    input: {}
    result: OpenIdClientList
  }
  /**
   * Create an OpenID client; its secret is shown only once.
   */
  createOpenIdClient: {
    input: {
      body: OpenIdClientInput
    }
    result: CreatedOpenIdClient
  }
  /**
   * Change an OpenID client; absent members stay unchanged.
   */
  changeOpenIdClient: {
    input: {
      /**
       * The id of the client.
       */
      id: string
      body: ChangeOpenIdClient
    }
    result: OpenIdClient
  }
  /**
   * Delete an OpenID client with its secrets.
   */
  deleteOpenIdClient: {
    input: {
      /**
       * The id of the client.
       */
      id: string
    }
    result: EmptyResponse
  }
  /**
   * Give an OpenID client a new secret, shown only once; the one before works until the overlap ends.
   */
  rollOpenIdClientSecret: {
    input: {
      /**
       * The id of the client.
       */
      id: string
      body: RollClientSecret
    }
    result: CreatedOpenIdClient
  }
  /**
   * List verification links, newest first.
   */
  listLinks: {
    input: {
      query?:
        | {
            /**
             * The maximum number of links.
             */
            limit?: number | undefined
            /**
             * Only links created before this time: `next_before` of the previous page.
             */
            before?: string | undefined
          }
        | undefined
    }
    result: VerificationLinkPage
  }
  /**
   * Create a verification link.
   */
  createLink: {
    input: {
      body: CreateVerificationLink
    }
    result: VerificationLink
  }
  /**
   * Get a verification link.
   */
  getLink: {
    input: {
      /**
       * The id of the link.
       */
      id: string
    }
    result: VerificationLink
  }
  /**
   * Change, deactivate or activate a verification link; absent members stay unchanged.
   */
  changeLink: {
    input: {
      /**
       * The id of the link.
       */
      id: string
      body: ChangeVerificationLink
    }
    result: VerificationLink
  }
  /**
   * Delete a verification link; the verifications that it created stay.
   */
  deleteLink: {
    input: {
      /**
       * The id of the link.
       */
      id: string
    }
    result: EmptyResponse
  }
  /**
   * List the keys that results are sealed to.
   */
  listSealingKeys: {
    input: {}
    result: SealingKeyList
  }
  /**
   * Register a public key; it seals nothing before its challenge is answered.
   */
  registerSealingKey: {
    input: {
      body: RegisterSealingKey
    }
    result: RegisteredSealingKey
  }
  /**
   * Answer the challenge of a key; results are then sealed to it.
   */
  activateSealingKey: {
    input: {
      /**
       * The thumbprint of the key (RFC 7638 with SHA-256).
       */
      kid: string
      body: ActivateSealingKey
    }
    result: SealingKey
  }
  /**
   * Stop sealing to a key; it still opens earlier results.
   */
  retireSealingKey: {
    input: {
      /**
       * The thumbprint of the key (RFC 7638 with SHA-256).
       */
      kid: string
      query?:
        | {
            /**
             * Required for the last active key: from then on claims are stored unsealed.
             */
            end_sealing?: boolean | undefined
          }
        | undefined
    }
    result: SealingKeyList
  }
  /**
   * List what holders ask to be erased, what is due first.
   */
  listErasureRequests: {
    input: {
      query?:
        | {
            /**
             * Those that wait for you, or those that you have refused.
             */
            state?: ('waiting' | 'refused') | undefined
            /**
             * How many requests to list at most.
             */
            limit?: number | undefined
            /**
             * Only requests after the one about this verification.
             */
            after?: string | undefined
          }
        | undefined
    }
    result: ErasureRequestPage
  }
  /**
   * Refuse to erase what a holder asked for; the verification stays.
   */
  refuseErasureRequest: {
    input: {
      /**
       * The id of the verification.
       */
      id: string
    }
    result: EmptyResponse
  }
  /**
   * Get the receipt of a verification, for an inspector; without claims.
   */
  getReceipt: {
    input: {
      /**
       * The id of the verification.
       */
      id: string
    }
    result: Receipt
  }
  /**
   * List the receipts of the verifications of one day.
   */
  listReceipts: {
    input: {
      query?:
        | {
            /**
             * The UTC day on which the verifications were created. By default today.
             */
            day?: string | undefined
            /**
             * The maximum number of receipts.
             */
            limit?: number | undefined
            /**
             * `next_after` of the previous page.
             */
            after?: string | undefined
          }
        | undefined
    }
    result: ReceiptPage
  }
  /**
   * Report a period: counts, changes and a sample of receipts.
   */
  getReport: {
    input: {
      query?:
        | {
            /**
             * The first UTC day. By default 29 days before the last. A period has at most 92 days.
             */
            from?: string | undefined
            /**
             * The last UTC day. By default today.
             */
            to?: string | undefined
          }
        | undefined
    }
    result: Report
  }
  /**
   * List API keys, newest first.
   */
  listKeys: {
    input: {}
    result: ApiKeyList
  }
  /**
   * Create an API key; it is shown only once.
   */
  createKey: {
    input: {
      body: CreateApiKey
    }
    result: CreatedApiKey
  }
  /**
   * Revoke an API key.
   */
  revokeKey: {
    input: {
      /**
       * The id of the key.
       */
      id: string
    }
    result: ApiKey
  }
  /**
   * List members and open invitations.
   */
  listTeam: {
    input: {}
    result: Team
  }
  /**
   * Get the tenant's webhook for alerts.
   */
  getAlertWebhook: {
    input: {}
    result: AlertWebhookState
  }
  /**
   * Set the URL of the tenant's webhook for alerts. The secret of a new one is shown once.
   */
  setAlertWebhook: {
    input: {
      body: SetAlertWebhook
    }
    result: AlertWebhook
  }
  /**
   * Remove the tenant's webhook for alerts.
   */
  removeAlertWebhook: {
    input: {}
    result: AlertWebhookState
  }
  /**
   * List webhook events with their delivery attempts, by the latest attempt, newest first.
   */
  listDeliveries: {
    input: {
      query?:
        | {
            /**
             * How many events to list at most.
             */
            limit?: number | undefined
            /**
             * Only events before this time.
             */
            before?: string | undefined
            /**
             * Only events about this verification.
             */
            verification_id?: string | undefined
            /**
             * Only events whose latest attempt had this outcome. `unsuccessful`: all that were not delivered.
             */
            outcome?:
              | (
                  | 'succeeded'
                  | 'unsuccessful'
                  | 'delivered'
                  | 'failed'
                  | 'refused'
                  | 'timed_out'
                  | 'interrupted'
                  | 'unknown'
                )
              | undefined
            /**
             * An endpoint, or `verification` for the verifications’ own `webhook_url`.
             */
            endpoint_id?: string | undefined
            /**
             * Only this event.
             */
            event_type?:
              | (
                  | 'verification.completed'
                  | 'verification.failed'
                  | 'verification.expired'
                  | 'verification.cancelled'
                )
              | undefined
            /**
             * Only events after this time.
             */
            after?: string | undefined
          }
        | undefined
    }
    result: DeliveryList
  }
  /**
   * Resend the event immediately.
   */
  resendWebhook: {
    input: {
      /**
       * The id of the verification.
       */
      id: string
      query?:
        | {
            /**
             * Which receiver of the event: an endpoint. Absent: the verification’s own `webhook_url`.
             */
            endpoint_id?: string | undefined
          }
        | undefined
    }
    result: EmptyResponse
  }
  /**
   * Resend every event that failed for good since a time, in the background.
   */
  resendFailed: {
    input: {
      body: ResendFailed
    }
    result: FailedResend
  }
  /**
   * Get the latest request to resend what failed, with its progress.
   */
  getResend: {
    input: {}
    result: LatestResend
  }
  /**
   * List the API requests of the last seven days, newest first.
   */
  listRequests: {
    input: {
      query?:
        | {
            /**
             * How many requests a page has at most.
             */
            limit?: number | undefined
            /**
             * The `next_before` of the previous page.
             */
            before?: string | undefined
            /**
             * Only responses with such a status.
             */
            status?: ('2xx' | '3xx' | '4xx' | '5xx') | undefined
            /**
             * A part of method and route.
             */
            route?: string | undefined
            /**
             * Only this error code.
             */
            error_code?: string | undefined
            /**
             * Only requests of this API key.
             */
            key_id?: string | undefined
            /**
             * Only requests of this device.
             */
            device_id?: string | undefined
            /**
             * Exactly this request; the other filters are ignored.
             */
            request_id?: string | undefined
            /**
             * The requests about this verification; the other filters are ignored.
             */
            verification_id?: string | undefined
            /**
             * Only requests at or after this time.
             */
            from?: string | undefined
            /**
             * Only requests before this time.
             */
            to?: string | undefined
          }
        | undefined
    }
    result: RequestPage
  }
  /**
   * List audit entries, newest first.
   */
  listAudit: {
    input: {
      query?:
        | {
            /**
             * How many entries a page has at most.
             */
            limit?: number | undefined
            /**
             * The `next_before_seq` of the previous page.
             */
            before_seq?: number | undefined
            /**
             * Only this action.
             */
            action?: string | undefined
            /**
             * Only this actor, or every actor of a kind.
             */
            actor?: string | undefined
            /**
             * Only this subject.
             */
            subject?: string | undefined
            /**
             * Only entries at or after this time.
             */
            from?: string | undefined
            /**
             * Only entries before this time.
             */
            to?: string | undefined
          }
        | undefined
    }
    result: AuditList
  }
  /**
   * Export the whole signed chain as JSON lines that can be verified anywhere.
   */
  exportAudit: {
    input: {}
    result: string
  }
  /**
   * Get the key that signs checkpoints.
   */
  getAuditKey: {
    input: {}
    result: AuditKey
  }
}
