import type { Config } from '../../../engine/config/index.ts'

type RequiredStrength = Pick<Config, 'OIDC_STEP_UP_ACR' | 'OIDC_STEP_UP_AMR'>

/** What a fresh sign-in asks of the provider. It may ignore that (OpenID Connect Core 1.0 §3.1.2.1), so the ID token is checked. */
export function requestedStrength({ OIDC_STEP_UP_ACR: acr }: RequiredStrength): { acr_values?: string } {
  return acr.length === 0 ? {} : { acr_values: acr.join(' ') }
}

/** The claim of an ID token that does not have what the operator requires of a fresh sign-in: one of the levels, and one of the methods. */
export function findMissingStrength(
  { OIDC_STEP_UP_ACR, OIDC_STEP_UP_AMR }: RequiredStrength,
  claims: Readonly<Record<string, unknown>>,
): 'acr' | 'amr' | undefined {
  const { acr, amr } = claims
  if (OIDC_STEP_UP_ACR.length > 0 && !OIDC_STEP_UP_ACR.some((value) => value === acr)) return 'acr'
  const methods: unknown[] = Array.isArray(amr) ? amr : []
  if (OIDC_STEP_UP_AMR.length > 0 && !OIDC_STEP_UP_AMR.some((value) => methods.includes(value))) return 'amr'
  return undefined
}
