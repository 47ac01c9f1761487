import type { PresentedCredential } from '../src/presentation.ts'

/** A credential that passed all checks, with the given members replaced. */
export function makePresentedCredential(members: Partial<PresentedCredential> = {}): PresentedCredential {
  return {
    format: 'dc+sd-jwt',
    doctype_or_vct: 'urn:eudi:pid:1',
    claims: {},
    issuer: { common_name: 'PID issuer', country: 'DE' },
    trusted: true,
    signature_valid: true,
    holder_binding_valid: true,
    findings: [],
    authority_key_ids: [],
    ...members,
  }
}

/** The names of the failed checks, in the order of the findings. */
export function listFailures({ findings }: Pick<PresentedCredential, 'findings'>): string[] {
  return findings.filter(({ status }) => status === 'fail').map(({ check }) => check)
}
