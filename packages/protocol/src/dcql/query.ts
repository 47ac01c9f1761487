/** The query that a merchant sends (CREATE-5): any objects. It can be satisfied only if `checkQuery` reports no violation. */
export type AnyQuery = {
  credentials: Record<string, unknown>[]
  credential_sets?: Record<string, unknown>[]
}

export type CredentialFormat = 'mso_mdoc' | 'dc+sd-jwt'

/** A valid credential query (OpenID4VP 1.0 §6.1). An empty `meta` means any type of the format. */
export type CredentialQuery = {
  id: string
  format: CredentialFormat
  meta: { vct_values?: string[]; doctype_value?: string }
  multiple?: boolean
  require_cryptographic_holder_binding?: boolean
  trusted_authorities?: TrustedAuthorities[]
  claims?: ClaimsQuery[]
  claim_sets?: string[][]
}

export type TrustedAuthorities = { type: string; values: string[] }

/** A string selects a member, an integer an array element, null all elements (OpenID4VP 1.0 §7.1). */
export type ClaimsPath = (string | number | null)[]

export type ClaimsQuery = {
  id?: string
  path: ClaimsPath
  values?: (string | number | boolean)[]
  intent_to_retain?: boolean
}

/** A valid credential set (OpenID4VP 1.0 §6.2). */
export type CredentialSetQuery = { options: string[][]; required?: boolean }

/** Where a query violates a rule, and which rule. Both are printable ASCII and contain nothing of the query but indexes. */
export type Violation = { place: string; rule: string }
