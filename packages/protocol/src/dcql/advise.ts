import type { CredentialQuery, Violation } from './query.ts'

/** What DCQL allows and this verifier never accepts (WRES-6): the wallet may answer, the verification will fail. */
export function adviseOnCredential(credential: CredentialQuery, place: string): Violation[] {
  return [...adviseOnBinding(credential, place), ...adviseOnAuthorities(credential, place)]
}

function adviseOnBinding(credential: CredentialQuery, place: string): Violation[] {
  if (credential.require_cryptographic_holder_binding !== false) return []
  return [
    {
      place: `${place}.require_cryptographic_holder_binding`,
      rule: 'asks for no holder binding; only a credential with it is accepted here',
    },
  ]
}

/** One authority that matches is enough, so that others beside an `aki` do no harm (OpenID4VP 1.0 §6.1.1). */
function adviseOnAuthorities({ trusted_authorities }: CredentialQuery, place: string): Violation[] {
  if (trusted_authorities?.every(({ type }) => type !== 'aki') !== true) return []
  return [
    {
      place: `${place}.trusted_authorities`,
      rule: 'names no authority of type aki, the only one checked here',
    },
  ]
}
