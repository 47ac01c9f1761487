import type { Wallet } from '../wallet/build-response.ts'
import type { ClaimsPath, DcqlQuery } from '../wallet/dcql.ts'
import type { Fault } from './fault.ts'

/** The wallet that commits a fault: with the documents that it can be made with, and no others. */
export function applyFault(fault: Fault, wallet: Wallet): Wallet {
  return {
    ...wallet,
    credentials: wallet.credentials.filter(
      ({ document, format }) =>
        fault.expect[format] !== undefined && (fault.document ?? document) === document,
    ),
    alterations: fault.alterations,
  }
}

/** Whether a query has what a fault needs to show. Without it the answer would be a right one. */
export function isApplicable({ needs }: Fault, { credentials }: DcqlQuery): boolean {
  const claims = credentials.flatMap((credential) => credential.claims ?? [])
  switch (needs) {
    case undefined:
      return true
    case 'values':
      return claims.some(({ values }) => values !== undefined)
    case 'trusted_authorities':
      return credentials.some(({ trusted_authorities }) => trusted_authorities !== undefined)
    case 'template_requirement':
      return claims.some(({ path }) => requestsAge(path))
    default:
      return needs satisfies never
  }
}

function requestsAge(path: ClaimsPath): boolean {
  return path.some((step) => typeof step === 'string' && /^(?:age_over_|age_equal_or_over$|birth)/.test(step))
}
