import type { Cbor } from '../cbor/encode.ts'
import type { UnsignedCredential } from '../documents/credential.ts'
import type { Json } from '../keys/sign-jws.ts'
import type { ClaimsQuery, ConcretePath, CredentialQuery, DcqlQuery } from './dcql.ts'
import { locateClaims } from './locate-claims.ts'

/** A credential that satisfies one credential query, and the paths to disclose. */
export type Selection = {
  readonly query: CredentialQuery
  readonly credential: UnsignedCredential
  readonly disclosed: readonly ConcretePath[]
}

/** The authorities of a credential's signer, as `aki` values (OpenID4VP 1.0 §6.1.1.1). */
export type ListAuthorities = (credential: UnsignedCredential) => readonly string[]

/** Selects the credentials to present (OpenID4VP 1.0 §6.4). Undefined if the query cannot be satisfied. */
export function selectCredentials(
  query: DcqlQuery,
  credentials: readonly UnsignedCredential[],
  listAuthorities: ListAuthorities,
): Selection[] | undefined {
  const candidates = new Map(
    query.credentials.map((each) => [each.id, candidatesFor(each, credentials, listAuthorities)]),
  )
  const ids = idsToPresent(query, (id) => (candidates.get(id) ?? []).length > 0)
  return ids?.flatMap((id) => candidates.get(id) ?? [])
}

/** §6.4.2: the first option of each set that can be satisfied. Optional sets are included if possible. */
function idsToPresent({ credentials, credential_sets }: DcqlQuery, isAvailable: (id: string) => boolean) {
  if (credential_sets === undefined) {
    const ids = credentials.map(({ id }) => id)
    return ids.every(isAvailable) ? ids : undefined
  }
  const chosen = new Set<string>()
  for (const { options, required = true } of credential_sets) {
    const option = options.find((ids) => ids.every(isAvailable))
    if (option === undefined && required) return undefined
    for (const id of option ?? []) chosen.add(id)
  }
  return [...chosen]
}

function candidatesFor(
  query: CredentialQuery,
  credentials: readonly UnsignedCredential[],
  listAuthorities: ListAuthorities,
): Selection[] {
  const matching = credentials
    .filter(
      (credential) =>
        hasRequestedType(query, credential) && hasRequestedAuthority(query, listAuthorities(credential)),
    )
    .flatMap((credential): Selection[] => {
      const disclosed = pathsToDisclose(query, credential)
      return disclosed === undefined ? [] : [{ query, credential, disclosed }]
    })
  return query.multiple === true ? matching : matching.slice(0, 1)
}

function hasRequestedType({ format, meta }: CredentialQuery, credential: UnsignedCredential): boolean {
  if (format !== credential.format) return false
  if (credential.format === 'mso_mdoc') return (meta.doctype_value ?? credential.type) === credential.type
  return meta.vct_values?.includes(credential.type) ?? true
}

/** One matching authority is enough. This wallet reads no trust lists, so it leaves them to the verifier, and supports no other type than `aki`. */
function hasRequestedAuthority(
  { trusted_authorities }: CredentialQuery,
  authorities: readonly string[],
): boolean {
  if (trusted_authorities === undefined) return true
  return trusted_authorities.some(
    ({ type, values }) =>
      type === 'etsi_tl' || (type === 'aki' && values.some((value) => authorities.includes(value))),
  )
}

/** §6.4.1. Undefined if a claim is missing or has none of the requested values. */
function pathsToDisclose(
  { claims, claim_sets }: CredentialQuery,
  credential: UnsignedCredential,
): ConcretePath[] | undefined {
  if (claims === undefined) return []
  if (claim_sets === undefined) return findAllPaths(claims, credential)
  for (const set of claim_sets) {
    const paths = findAllPaths(
      claims.filter(({ id }) => id !== undefined && set.includes(id)),
      credential,
    )
    if (paths !== undefined) return paths
  }
  return undefined
}

function findAllPaths(
  claims: readonly ClaimsQuery[],
  credential: UnsignedCredential,
): ConcretePath[] | undefined {
  const found = claims.map((claim) => findPaths(claim, credential))
  return found.every((paths) => paths.length > 0) ? found.flat() : undefined
}

function findPaths({ path, values }: ClaimsQuery, credential: UnsignedCredential): ConcretePath[] {
  return locateClaims(credential, path)
    .filter(
      ({ value }) =>
        values === undefined || values.some((requested) => requested === toComparableValue(value)),
    )
    .map((located) => located.path)
}

/** The value that DCQL compares: for a CBOR date, its text (RFC 8949 §6.1). */
function toComparableValue(value: Json | Cbor): unknown {
  return typeof value === 'object' && value !== null && 'tag' in value ? value.value : value
}
