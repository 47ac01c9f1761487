import { isCredentialSet } from './check-credential-set.ts'
import type { AnyQuery, CredentialQuery, Violation } from '../query.ts'

/** What DCQL allows and this verifier never accepts (WRES-6): the wallet may answer, the verification will fail. */
export function findCredentialWarnings(credential: CredentialQuery, place: string): Violation[] {
  return [...findBindingWarnings(credential, place), ...findAuthorityWarnings(credential, place)]
}

function findBindingWarnings(credential: CredentialQuery, place: string): Violation[] {
  if (credential.require_cryptographic_holder_binding !== false) return []
  return [
    {
      place: `${place}.require_cryptographic_holder_binding`,
      rule: 'asks for no holder binding; only a credential with it is accepted here',
    },
  ]
}

/** One authority that matches is enough, so that others beside an `aki` do no harm (OpenID4VP 1.0 §6.1.1). */
function findAuthorityWarnings({ trusted_authorities }: CredentialQuery, place: string): Violation[] {
  if (trusted_authorities?.every(({ type }) => type !== 'aki') !== true) return []
  return [
    {
      place: `${place}.trusted_authorities`,
      rule: 'names no authority of type aki, the only one checked here',
    },
  ]
}

/** What a query allows although its author hardly wants it: sets that are all optional are satisfied by nothing at all (§6.4.2). */
export function findQueryWarnings({ credential_sets: sets }: AnyQuery): Violation[] {
  const allOptional =
    Array.isArray(sets) &&
    sets.length > 0 &&
    sets.every((set) => isCredentialSet(set) && set.required === false)
  if (!allOptional) return []
  return [
    {
      place: 'query.credential_sets',
      rule: 'every set is optional, so an answer without any credential completes the verification',
    },
  ]
}
