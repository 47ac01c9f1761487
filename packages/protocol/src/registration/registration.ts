import type { ClaimsPath } from '../dcql/query.ts'
import type { StatusReference } from '../presentation.ts'

/**
 * A relying party's registration certificate (ETSI TS 119 475, `rc-wrp+jwt`), one for each intended use. Its signature holds;
 * `findings` says what else was found. The members of V1.1.1 and V1.2.1 are read into the same ones. The text of the
 * specification was not available here: the members are those that the EUDI reference wallet and published examples use.
 */
export type Registration = {
  /** The compact JWT, as wallets receive it. */
  token: string
  /** The trade name, which a wallet shows. */
  name?: string
  legal_name?: string
  /** The registered identifiers, such as `NTRNL-1234`. A wallet compares them with the access certificate. */
  identifiers: RegisteredIdentifier[]
  country?: string
  registry_uri?: string
  service: LocalizedText[]
  purpose: LocalizedText[]
  intended_use_id?: string
  entitlements: string[]
  privacy_policy?: string
  info_uri?: string
  /** Websites, mail addresses or telephone numbers, in their order. */
  support_uris: string[]
  supervisory_authority?: SupervisoryAuthority
  policy_ids: string[]
  certificate_policy?: string
  /** Who asks on behalf of the relying party. Then the access certificate is the intermediary's. */
  intermediary?: Intermediary
  /** What may be requested. */
  credentials: RegisteredCredential[]
  /** Seconds since 1970. */
  issued_at: number
  expires_at?: number
  /** Wallets warn of a certificate without one. */
  status_list?: StatusReference
  /** The registrar or provider that signed it. */
  issuer: RegistrationIssuer
  /** Whether the signer's path ends at an anchor of the role `registration`. False as well if there are none. */
  issuer_trusted: boolean
  findings: RegistrationFinding[]
}

/** `type` is a URI such as http://data.europa.eu/eudi/id/LEI; V1.2.1 does not give one. */
export type RegisteredIdentifier = { type?: string; identifier: string }
export type LocalizedText = { lang: string; value: string }
export type SupervisoryAuthority = {
  name?: string
  country?: string
  email?: string
  phone?: string
  uri?: string
}
export type Intermediary = { identifier: string; name?: string }

export type RegisteredCredential = {
  format: string
  /** The vcts, or the doctype. Empty if none is named: then it covers nothing. */
  types: string[]
  /** A path covers everything below it. Absent: every claim. */
  claims?: ClaimsPath[]
}

export type RegistrationIssuer = {
  common_name?: string
  organization?: string
  country?: string
  /** SHA-256 of the signer's certificate, hexadecimal. */
  fingerprint: string
  /** Of the anchor that its path ends at: its SHA-256, and the entity if the anchor names one. */
  anchor?: { fingerprint: string; entity?: string }
}

/** What was checked. `binding` and `status` are not found by `readRegistration`, but with its result. */
export type RegistrationCheck =
  /** The signer's path ends at an anchor of the role `registration`. */
  | 'issuer'
  /** It was issued, and has not expired. */
  | 'validity'
  /** It expires at most 12 months after it was issued (GEN-5.2.4-08). */
  | 'lifetime'
  /** It says where its status is published. */
  | 'status_reference'
  /** It is neither revoked nor suspended. */
  | 'status'
  /** It names the subject of the access certificate (GEN-5.1.1-03). */
  | 'binding'

/** `fail`: no wallet would accept it. `warning`: some wallets warn the holder, or it could not be checked. */
export type RegistrationFinding = {
  check: RegistrationCheck
  status: 'pass' | 'fail' | 'warning'
  detail?: string
}

/** Part of a query that a registration does not cover. */
export type UnregisteredRequest = {
  /** Of the credential in the query. */
  credential_id: string
  format: string
  /** The vct or doctype; absent if the query names none. */
  type?: string
  /** The claims outside the registration. Absent: the credential itself is not registered. */
  paths?: ClaimsPath[]
}

/** How `verifier_info` carries the certificate: base64url of the compact JWT (ETSI TS 119 472-2 §6.3.2.2), or the JWT itself. */
export type RegistrationEncoding = 'base64url' | 'jwt'

/** Who a certificate was issued to (ETSI TS 119 411-8; RFC 5280 §4.1.2.6). */
export type CertificateSubject = {
  common_name?: string
  organization?: string
  /** 2.5.4.97, of a legal person. */
  organization_identifier?: string
  /** 2.5.4.5, of a natural person. */
  serial_number?: string
  country?: string
}
