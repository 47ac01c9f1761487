import type { CheckName } from './checks.ts'
import type { AnyQuery, CredentialFormat } from './dcql/query.ts'
import type { FailureCode } from './failures.ts'
import type { Json, JsonObject } from './json.ts'
import type { TemplateRules } from './template/template.ts'
import type { Certificate } from './x509/read-certificate.ts'

export type Finding = {
  check: CheckName
  status: 'pass' | 'fail' | 'warning' | 'skipped'
  detail?: string
}

/** One credential as a merchant sees it (RESULT-1): these members and no others. */
export type CredentialResult = {
  format: CredentialFormat
  doctype_or_vct: string
  /** As the credential names them; those of an mdoc by namespace, its bytes in base64url (RFC 8949 §6.1). */
  claims: JsonObject
  issuer: { common_name?: string; country?: string }
  trusted: boolean
  signature_valid: boolean
  holder_binding_valid: boolean
  findings: Finding[]
}

/** What the verifier of one format found. Its claims may be unverified: only `verifyPresentation` decides what leaves. */
export type PresentedCredential = CredentialResult & {
  /** The AuthorityKeyIdentifier of each certificate of the validated path, base64url (OpenID4VP 1.0 §6.1.1.1). */
  authority_key_ids: string[]
  /**
   * The types it is accepted as: those of the query that it has, or its own where it has none of them. Its anchor vouches
   * for one of them. Absent means its own.
   */
  document_types?: readonly string[]
  /** Whoever signed it; absent when no path holds. */
  signer?: Certificate
  /** SHA-256 fingerprint of the anchor that the issuer's path ends at; absent when no path holds. */
  anchor?: string
  /** Where the issuer keeps the status, for `checkStatus` once everything else holds; absent when it keeps none. */
  status_list?: StatusReference
  /**
   * For each array of `claims` that lost elements because they were not disclosed: the index that each remaining one had
   * when it was issued. A claims path pointer counts by these (OpenID4VP 1.0 §7.1.1).
   */
  issued_indexes?: ReadonlyMap<Json[], readonly number[]>
}

/** Token Status List §6: the list and the place in it. */
export type StatusReference = { uri: string; idx: number }

/** The request that the wallet answers, as far as the answer is bound to it. Times are seconds since 1970. */
export type VerifierRequest = {
  client_id: string
  nonce: string
  state: string
  response_uri: string
  created_at: number
  dcql_query: AnyQuery
  /** Of the template the session was created with, if any. */
  template?: TemplateRules
  /** RFC 7638 SHA-256 thumbprint of the session's encryption key, base64url. */
  encryption_key_thumbprint: string
}

export type Anchor = {
  /** DER. */
  certificate: Uint8Array
  /** The doctypes and vcts it vouches for; absent means all. */
  document_types?: readonly string[]
}

export type StatusListToken = { token: string | Uint8Array; media: 'jwt' | 'cwt' }

export type TrustContext = {
  anchors: readonly Anchor[]
  /** Undefined when the list cannot be had. Never rejects. */
  lookUpStatus: (uri: string) => Promise<StatusListToken | undefined>
  /** What an unavailable status means (TRUST-4). */
  status_unavailable: 'fail' | 'warning'
}

/** What a credential is verified against. `now` in seconds since 1970. */
export type VerificationContext = {
  request: VerifierRequest
  trust: TrustContext
  now: number
  /** The types that the query asks for; absent means any. */
  requested_types?: readonly string[]
}

export type Outcome = {
  status: 'completed' | 'failed'
  /** Empty unless completed. */
  claims: JsonObject
  credentials: CredentialResult[]
  error?: { code: FailureCode; message: string }
}
