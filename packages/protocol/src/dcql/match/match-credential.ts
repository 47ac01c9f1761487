import type { Finding, PresentedCredential } from '../../presentation.ts'
import type { ClaimsPath, CredentialQuery } from '../query.ts'
import { matchClaims } from './match-claims.ts'

export type CredentialMatch = {
  /** Failures only; empty if the credential matches the query. */
  findings: Finding[]
  /** The requested paths of the satisfied claim set. */
  paths: ClaimsPath[]
}

/** Matches one verified credential against its query: format, type, authority, claims (OpenID4VP 1.0 §8.6). */
export function matchCredential(query: CredentialQuery, credential: PresentedCredential): CredentialMatch {
  const mismatch =
    matchFormat(query, credential) ?? matchType(query, credential) ?? matchAuthority(query, credential)
  if (mismatch !== undefined) return { findings: [mismatch], paths: [] }
  return matchClaims(query, credential)
}

function matchFormat(query: CredentialQuery, { format }: PresentedCredential): Finding | undefined {
  if (format === query.format) return undefined
  return { check: 'credential_format', status: 'fail', detail: `requested ${query.format}, got ${format}` }
}

function matchType(
  { format, meta }: CredentialQuery,
  { doctype_or_vct, document_types = [doctype_or_vct] }: PresentedCredential,
): Finding | undefined {
  const requested = format === 'mso_mdoc' ? meta.doctype_value : meta.vct_values
  if (requested === undefined || document_types.some((type) => [requested].flat().includes(type)))
    return undefined
  return { check: 'credential_type', status: 'fail', detail: `requested ${[requested].flat().join(' or ')}` }
}

/**
 * The issuer's certificates must lead to one of the named keys, or to an entry of one of the named trust lists or of a list that it points
 * to (OpenID4VP 1.0 §6.1.1). Other types of authority cannot be checked and never match.
 */
function matchAuthority(
  query: CredentialQuery,
  { authority_key_ids, trust_lists = [] }: PresentedCredential,
): Finding | undefined {
  const { trusted_authorities: authorities } = query
  if (authorities === undefined) return undefined
  const named = (wanted: string) =>
    authorities.filter(({ type }) => type === wanted).flatMap(({ values }) => values)
  if (named('aki').some((key) => authority_key_ids.includes(key))) return undefined
  const lists = trust_lists.map(canonicalUrl)
  if (named('etsi_tl').some((url) => lists.includes(canonicalUrl(url)))) return undefined
  return {
    check: 'trusted_authority',
    status: 'fail',
    detail: 'the issuer is not certified by any of the named authorities',
  }
}

/** A URL may be written in several ways. */
function canonicalUrl(url: string): string {
  return URL.parse(url)?.href ?? url
}
