import type { AnchorRole } from '../presentation.ts'

/**
 * Service types of the EU profiles (ETSI TS 119 602 annexes D to H) end in what the service does: `…/SvcType/PID/Issuance`,
 * `…/SvcType/PID/Revocation`. The text of TS 119 602 could not be had; the URIs are those of the EUDI reference library
 * `eudi-lib-kmp-etsi-1196x2`, so the settings of a list can name another role.
 */
const registrationType = 'http://uri.etsi.org/19602/SvcType/WRPRC/Issuance'
const revocationPattern = /\/Revocation$/i

/** Wallet providers, issuers of access certificates, and registers: nothing that they sign is verified here. */
const unrelatedPattern = /\/SvcType\/(?:WalletSolution|WRPAC|Register)(?:\/|$)/i

/** The role of a service type. Undefined if it has none here, so that its certificates are not taken for those of issuers. */
export function findServiceRole(serviceType: string): AnchorRole | undefined {
  if (unrelatedPattern.test(serviceType)) return undefined
  if (serviceType === registrationType) return 'registration'
  return revocationPattern.test(serviceType) ? 'revocation' : 'issuing'
}
