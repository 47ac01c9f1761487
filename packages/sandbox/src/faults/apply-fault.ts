import type { WalletRequest } from '../wallet/authorization-request.ts'
import type { ClaimsPath, DcqlQuery } from '../wallet/dcql.ts'
import type { Wallet } from '../wallet/wallet.ts'
import { listChannels } from './channels.ts'
import type { Fault } from './fault.ts'

/** A wallet with a fault. It holds only the credentials that the fault applies to. */
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

/** Whether a fault has an effect on this request. If not, the response would be correct. */
export function isApplicable(fault: Fault, { channel, dcql_query }: WalletRequest): boolean {
  return listChannels(fault).includes(channel) && hasWhatIsNeeded(fault, dcql_query)
}

function hasWhatIsNeeded({ needs }: Fault, { credentials }: DcqlQuery): boolean {
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
