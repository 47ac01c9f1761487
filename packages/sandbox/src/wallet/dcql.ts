/** A DCQL query (OpenID4VP 1.0 §6). */
export type DcqlQuery = {
  readonly credentials: readonly CredentialQuery[]
  readonly credential_sets?: readonly CredentialSetQuery[]
}

export type CredentialQuery = {
  readonly id: string
  readonly format: string
  readonly meta: { readonly vct_values?: readonly string[]; readonly doctype_value?: string }
  readonly multiple?: boolean
  readonly trusted_authorities?: readonly { readonly type: string; readonly values: readonly string[] }[]
  readonly claims?: readonly ClaimsQuery[]
  readonly claim_sets?: readonly (readonly string[])[]
}

export type ClaimsQuery = {
  readonly id?: string
  readonly path: ClaimsPath
  readonly values?: readonly (string | number | boolean)[]
}

type CredentialSetQuery = {
  readonly options: readonly (readonly string[])[]
  readonly required?: boolean
  readonly purpose?: string
}

/** A string selects a member, a number an array element, null all array elements (§7). */
export type ClaimsPath = readonly (string | number | null)[]

/** A path without null: it selects one claim. */
export type ConcretePath = readonly (string | number)[]
