import type { Finding, PresentedCredential } from '../../presentation.ts'
import { matchClaims } from './match-claims.ts'
import type { ClaimsPath, CredentialQuery } from '../query.ts'

export type CredentialMatch = {
  /** Failures only; none when the credential answers the query. */
  findings: Finding[]
  /** What the query asked for, as far as the credential shows it whole. */
  paths: ClaimsPath[]
}

/** Holds one verified credential against the query it answers: format, type, authority, claims (OpenID4VP 1.0 §8.6). */
export function matchCredential(query: CredentialQuery, credential: PresentedCredential): CredentialMatch {
  const mismatch =
    matchFormat(query, credential) ?? matchType(query, credential) ?? matchAuthority(query, credential)
  if (mismatch !== undefined) return { findings: [mismatch], paths: [] }
  return matchClaims(query, credential)
}

function matchFormat(query: CredentialQuery, { format }: PresentedCredential): Finding | undefined {
  if (format === query.format) return undefined
  return { check: 'credential_format', status: 'fail', detail: `asked for ${query.format}, got ${format}` }
}

function matchType(
  { format, meta }: CredentialQuery,
  { doctype_or_vct, document_types = [doctype_or_vct] }: PresentedCredential,
): Finding | undefined {
  const requested = format === 'mso_mdoc' ? meta.doctype_value : meta.vct_values
  if (requested === undefined || document_types.some((type) => [requested].flat().includes(type)))
    return undefined
  return { check: 'credential_type', status: 'fail', detail: `asked for ${[requested].flat().join(' or ')}` }
}

/** The issuer's certificates must lead to one of the keys named. Other types of authority cannot be checked: no match. */
function matchAuthority(
  query: CredentialQuery,
  { authority_key_ids }: PresentedCredential,
): Finding | undefined {
  if (query.trusted_authorities === undefined) return undefined
  const keys = query.trusted_authorities.filter(({ type }) => type === 'aki').flatMap(({ values }) => values)
  if (keys.some((key) => authority_key_ids.includes(key))) return undefined
  return {
    check: 'trusted_authority',
    status: 'fail',
    detail: 'the issuer stands under none of the authorities named',
  }
}
