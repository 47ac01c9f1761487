import type { Cbor } from '../cbor/encode.ts'
import type { Holding } from '../documents/holding.ts'
import type { Json } from '../keys/sign-jws.ts'
import type { ClaimsQuery, ConcretePath, CredentialQuery, DcqlQuery } from './dcql.ts'
import { locateClaims } from './locate-claims.ts'

/** A document that answers one credential query, and what of it is disclosed. */
export type Selection = {
  readonly query: CredentialQuery
  readonly holding: Holding
  readonly disclosed: readonly ConcretePath[]
}

/** The authorities above a document's signer, as `aki` values (OpenID4VP 1.0 §6.1.1.1). */
export type AuthoritiesOf = (holding: Holding) => readonly string[]

/** Chooses what to present (OpenID4VP 1.0 §6.4). Undefined when the query cannot be satisfied: nothing is presented then. */
export function selectCredentials(
  query: DcqlQuery,
  holdings: readonly Holding[],
  authoritiesOf: AuthoritiesOf,
): Selection[] | undefined {
  const candidates = new Map(
    query.credentials.map((each) => [each.id, candidatesFor(each, holdings, authoritiesOf)]),
  )
  const ids = idsToPresent(query, (id) => (candidates.get(id) ?? []).length > 0)
  return ids?.flatMap((id) => candidates.get(id) ?? [])
}

/** §6.4.2: the first option of each set that can be satisfied. A set that is not required is answered when it can be. */
function idsToPresent({ credentials, credential_sets }: DcqlQuery, has: (id: string) => boolean) {
  if (credential_sets === undefined) {
    const ids = credentials.map(({ id }) => id)
    return ids.every(has) ? ids : undefined
  }
  const chosen = new Set<string>()
  for (const { options, required = true } of credential_sets) {
    const option = options.find((ids) => ids.every(has))
    if (option === undefined && required) return undefined
    for (const id of option ?? []) chosen.add(id)
  }
  return [...chosen]
}

function candidatesFor(
  query: CredentialQuery,
  holdings: readonly Holding[],
  authoritiesOf: AuthoritiesOf,
): Selection[] {
  const matching = holdings
    .filter((holding) => hasAskedType(query, holding) && hasAskedAuthority(query, authoritiesOf(holding)))
    .flatMap((holding): Selection[] => {
      const disclosed = pathsToDisclose(query, holding)
      return disclosed === undefined ? [] : [{ query, holding, disclosed }]
    })
  return query.multiple === true ? matching : matching.slice(0, 1)
}

function hasAskedType({ format, meta }: CredentialQuery, holding: Holding): boolean {
  if (format !== holding.format) return false
  if (holding.format === 'mso_mdoc') return (meta.doctype_value ?? holding.type) === holding.type
  return meta.vct_values?.includes(holding.type) ?? true
}

/** One of the authorities is enough. Types other than `aki` are none that this wallet can judge. */
function hasAskedAuthority(
  { trusted_authorities }: CredentialQuery,
  authorities: readonly string[],
): boolean {
  if (trusted_authorities === undefined) return true
  return trusted_authorities.some(
    ({ type, values }) => type === 'aki' && values.some((value) => authorities.includes(value)),
  )
}

/** §6.4.1. Undefined when a claim is missing or has another value than those asked for. */
function pathsToDisclose(
  { claims, claim_sets }: CredentialQuery,
  holding: Holding,
): ConcretePath[] | undefined {
  if (claims === undefined) return []
  if (claim_sets === undefined) return pathsOfAll(claims, holding)
  for (const set of claim_sets) {
    const paths = pathsOfAll(
      claims.filter(({ id }) => id !== undefined && set.includes(id)),
      holding,
    )
    if (paths !== undefined) return paths
  }
  return undefined
}

function pathsOfAll(claims: readonly ClaimsQuery[], holding: Holding): ConcretePath[] | undefined {
  const found = claims.map((claim) => pathsOf(claim, holding))
  return found.every((paths) => paths.length > 0) ? found.flat() : undefined
}

function pathsOf({ path, values }: ClaimsQuery, holding: Holding): ConcretePath[] {
  return locateClaims(holding, path)
    .filter(({ value }) => values === undefined || values.some((asked) => asked === plainValue(value)))
    .map((located) => located.path)
}

/** A value as DCQL compares it: a CBOR date by its text (RFC 8949 §6.1). */
function plainValue(value: Json | Cbor): unknown {
  return typeof value === 'object' && value !== null && 'tag' in value ? value.value : value
}
