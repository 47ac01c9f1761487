import type { AnyQuery, CredentialQuery, Violation } from '../query.ts'
import { isCredentialSet } from './check-credential-set.ts'

/** What DCQL allows but this verifier never accepts (WRES-6): a wallet may respond, but the verification will fail. */
export function findCredentialWarnings(credential: CredentialQuery, place: string): Violation[] {
  return [...findBindingWarnings(credential, place), ...findAuthorityWarnings(credential, place)]
}

function findBindingWarnings(credential: CredentialQuery, place: string): Violation[] {
  if (credential.require_cryptographic_holder_binding !== false) return []
  return [
    {
      place: `${place}.require_cryptographic_holder_binding`,
      rule: 'must not be false: only credentials with holder binding are accepted here',
    },
  ]
}

/** One matching authority is enough, so other types beside one that is checked are harmless (OpenID4VP 1.0 §6.1.1). */
function findAuthorityWarnings({ trusted_authorities }: CredentialQuery, place: string): Violation[] {
  if (trusted_authorities?.every(({ type }) => type !== 'aki' && type !== 'etsi_tl') !== true) return []
  return [
    {
      place: `${place}.trusted_authorities`,
      rule: 'names no authority of type aki or etsi_tl, the only types checked here',
    },
  ]
}

/** Reports what a query allows but its author rarely intends: any one credential satisfies sets that are all optional (§6.4.2). */
export function findQueryWarnings({ credential_sets: sets }: AnyQuery): Violation[] {
  const allOptional =
    Array.isArray(sets) &&
    sets.length > 0 &&
    sets.every((set) => isCredentialSet(set) && set.required === false)
  if (!allOptional) return []
  return [
    {
      place: 'query.credential_sets',
      rule: 'every set is optional, so any one credential completes the verification',
    },
  ]
}
