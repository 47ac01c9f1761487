import type { CheckName } from './checks.ts'
import type { AnyQuery, CredentialFormat } from './dcql/query.ts'
import type { FailureCode } from './failures.ts'
import type { ReadResult } from './input-error.ts'
import type { Json, JsonObject } from './json.ts'
import type { ReaderKey } from './proximity/read-session.ts'
import type { TemplateRules } from './template/template.ts'
import type { Certificate } from './x509/read-certificate.ts'

export type Finding = {
  check: CheckName
  status: 'pass' | 'fail' | 'warning' | 'skipped'
  detail?: string
}

/** One credential as returned to the merchant (RESULT-1): these members and no others. */
export type CredentialResult = {
  format: CredentialFormat
  doctype_or_vct: string
  /** Under the names of the credential; for an mdoc by namespace, with byte strings in base64url (RFC 8949 §6.1). */
  claims: JsonObject
  issuer: { common_name?: string; country?: string }
  trusted: boolean
  signature_valid: boolean
  holder_binding_valid: boolean
  findings: Finding[]
}

/** The findings of one format's verifier. Its claims may be unverified: only `verifyPresentation` decides what is returned. */
export type PresentedCredential = CredentialResult & {
  /** The AuthorityKeyIdentifier of each certificate in the validated path, base64url (OpenID4VP 1.0 §6.1.1.1). */
  authority_key_ids: string[]
  /** The URLs of the trust lists that name a certificate of the validated path as an issuer's, and of those that point to them (§6.1.1.2). */
  trust_lists?: readonly string[]
  /**
   * The types it is accepted as: its types that the query requests, or its own type if none matches. Its anchor is trusted
   * for one of them. Absent means its own type.
   */
  document_types?: readonly string[]
  /** Where its type is described, if none of its types is requested but it may extend one that is. */
  type_metadata?: TypeReference
  /** The signer's certificate; absent if no path is valid. */
  signer?: Certificate
  /** SHA-256 fingerprint of the anchor of the issuer's path; absent if no path is valid. */
  anchor?: string
  /** The entity under which that anchor is trusted, if it has one. */
  anchor_entity?: string
  /** Where the issuer publishes the status, for `checkStatus` after all other checks passed; absent if it publishes none. */
  status_list?: StatusReference
  /** The same for a list of identifiers. */
  identifier_list?: IdentifierReference
  /** The validated path, from the signer to the anchor; absent if none is valid. */
  path?: readonly Certificate[]
  /**
   * For each array in `claims` with undisclosed elements: the issued index of each remaining element. A claims path
   * pointer refers to these indexes (OpenID4VP 1.0 §7.1.1).
   */
  issued_indexes?: ReadonlyMap<Json[], readonly number[]>
  /** It could not be read as a credential of its format: none of its signatures was looked at. */
  unreadable?: true
}

/** Token Status List §6: the list and the index in it. */
export type StatusReference = { uri: string; idx: number }

/** ISO/IEC 18013-5 (second edition) §12.3.6: the list, and the identifier that it names if the document is revoked. */
export type IdentifierReference = { uri: string; id: Uint8Array }

/** Where a type is described, and the hash of the description (W3C Subresource Integrity). */
export type TypeReference = { uri: string; integrity: string }

/** The part of a Type Metadata document that is used. Only `readTypeMetadata` makes one, after it verified the integrity. */
export type TypeMetadata = {
  /** The type that this one extends. */
  extends?: string
  extends_integrity?: string
}

/** Undefined if the document is unavailable, an error if it does not match its reference. Never rejects. */
export type LookUpType = (reference: TypeReference) => Promise<ReadResult<TypeMetadata> | undefined>

/** What a wallet response must be bound to: the parts of the request, by the channel it was sent on. */
export type ResponseBinding = RedirectBinding | DcApiBinding | AnnexCBinding | ProximityBinding

/** A link, a QR code or the request of the EU age-verification app (OpenID4VP 1.0 §B.2.6.1, §14.1.2). */
export type RedirectBinding = {
  channel: 'redirect'
  client_id: string
  response_uri: string
  nonce: string
  /** RFC 7638 SHA-256 thumbprint of the verification's encryption key, base64url; absent if responses are not encrypted. */
  encryption_key_thumbprint?: string
}

/** OpenID4VP over the Digital Credentials API (OpenID4VP 1.0 §A.4, §B.2.6.2). */
export type DcApiBinding = {
  channel: 'dc_api'
  /** Of the page that called the API, as the browser writes it. */
  origin: string
  nonce: string
  encryption_key_thumbprint: string
}

/** ISO/IEC TS 18013-7 Annex C. The nonce and the encryption key are inside `encryption_info`. */
export type AnnexCBinding = { channel: 'annex_c'; origin: string; encryption_info: string }

/** A reader's session with a wallet nearby (ISO/IEC 18013-5). The key is needed for a MAC only. */
export type ProximityBinding = {
  channel: 'proximity'
  transcript: Uint8Array
  reader_key?: ReaderKey | undefined
}

/** The request that a wallet response is verified against. Times are seconds since 1970. */
export type VerifierRequest = {
  binding: ResponseBinding
  created_at: number
  dcql_query: AnyQuery
  /** The rules of the template that the verification was created with, if any. */
  template?: TemplateRules
  /** The calendar day (YYYY-MM-DD) on which ages are counted: a birth date has no time zone. By default the day in UTC. */
  today?: string
  /** What the template compares claims with, by their names. */
  expected?: Readonly<Record<string, string>>
}

/**
 * What an anchor is trusted to do: to issue credentials; to sign status lists of the credentials of its entity; to sign trust
 * lists; to sign registration certificates of relying parties (ETSI TS 119 475).
 */
export type AnchorRole = 'issuing' | 'revocation' | 'list_signing' | 'registration'

export type Anchor = {
  /** DER. */
  certificate: Uint8Array
  /** The doctypes and vcts it is trusted for; absent means all. */
  document_types?: readonly string[]
  /** Absent means issuing. */
  role?: AnchorRole
  /** Who operates it, unique across all sources. Anchors of one entity vouch for each other. Absent: it belongs to no entity. */
  entity?: string
  /** The URLs of the trust list that names it and of the one that points to that list; absent if no list does. */
  lists?: readonly string[]
}

/** A signed list as it was fetched: a status list, an identifier list (CWT only), a certificate revocation list or an OCSP response (DER). */
export type StatusListToken = { token: string | Uint8Array; media: 'jwt' | 'cwt' | 'crl' | 'ocsp' }

/** The steps of a verification, in their order. With several credentials, the first three repeat. */
export type VerificationStep =
  | 'trust'
  | 'signature'
  | 'disclosures'
  | 'key binding'
  | 'checks'
  | 'status'
  | 'outcome'
export type EndStep = (step: VerificationStep) => void

export type TrustContext = {
  anchors: readonly Anchor[]
  /**
   * Looks up the status list or identifier list at a URI or, given the certificate (DER) of the authority that signs it, the
   * certificate revocation list or the OCSP response (`readOcspUri`). Undefined if it is unavailable. Never rejects.
   */
  lookUpStatus: (uri: string, crl_issuer?: Uint8Array) => Promise<StatusListToken | undefined>
  /** Absent: what a type extends is not considered. */
  lookUpType?: LookUpType
  /** Called at the end of each step, to measure them. A step begins where the one before it ended. */
  endStep?: EndStep
  /** The status of the finding if one of these lists is unavailable (TRUST-4). */
  status_unavailable: 'fail' | 'warning'
}

/** What a credential is verified against. `now` is in seconds since 1970. */
export type VerificationContext = {
  request: VerifierRequest
  trust: TrustContext
  now: number
  /** The types that the query requests; absent means any. */
  requested_types?: readonly string[]
  /** The types that the credential's own type extends, once they are known. */
  extended_types?: readonly string[]
}

export type Outcome = {
  status: 'completed' | 'failed'
  /** Empty unless completed. */
  claims: JsonObject
  /**
   * The issuer of each claim, by its name (`findIssuerScope`): a value that tells people apart does so among the values of that issuer.
   * Without the claims whose issuer is not known, and absent unless completed.
   */
  claim_issuers?: Record<string, string>
  credentials: CredentialResult[]
  error?: { code: FailureCode; message: string }
  /** Nothing that failed could be read, so that nothing about the holder was decided. */
  unreadable?: true
}
