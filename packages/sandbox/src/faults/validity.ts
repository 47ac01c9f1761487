import { textMap } from '../cbor/encode.ts'
import type { CredentialCondition } from '../documents/credential.ts'
import { statusListSize, statusReference, type StatusListName } from '../issuer/status-lists.ts'
import { withStatusReference, withValidityPeriod } from './alteration-helpers.ts'
import { inBoth, type CheckName, type Fault } from './fault.ts'

/** Documents that are expired, not yet valid, revoked, or whose status cannot be determined (Token Status List §8.3). */
export const validityFaults: readonly Fault[] = [
  conditionFault('credential_expired', 'expired', 'the document expired yesterday', 'credential_validity'),
  conditionFault(
    'credential_not_yet_valid',
    'not_yet_valid',
    'the document becomes valid tomorrow',
    'credential_validity',
  ),
  {
    name: 'credential_expired_a_moment_ago',
    description: 'the document expired 90 seconds ago, more than the allowed clock skew',
    expect: inBoth('credential_validity'),
    alterations: withValidityPeriod({ until: -90 }),
  },
  {
    name: 'credential_valid_in_a_moment',
    description: 'the document becomes valid in 90 seconds, more than the allowed clock skew',
    expect: inBoth('credential_validity'),
    alterations: withValidityPeriod({ from: 90 }),
  },
  conditionFault('credential_revoked', 'revoked', 'the issuer has revoked the document', 'revocation'),
  conditionFault('credential_suspended', 'suspended', 'the issuer has suspended the document', 'revocation'),
  statusListFault('status_unreachable', 'absent', 'the status list cannot be fetched'),
  statusListFault('status_wrongly_signed', 'wrongly_signed', 'the status list is signed with another key'),
  statusListFault(
    'status_other_root',
    'other_root',
    'the status list is signed under the root of other documents',
  ),
  statusListFault(
    'status_other_signer',
    'other_signer',
    'the status list is signed by another signer under the same root that may not sign status lists',
  ),
  statusListFault('status_other_subject', 'other_subject', 'the status list was issued for another address'),
  statusListFault('status_other_type', 'other_type', 'the type of the status list token is wrong'),
  statusListFault('status_expired', 'expired', 'the status list has expired'),
  {
    name: 'status_index',
    description: "the document's index is beyond the end of the status list",
    expect: inBoth('status_list'),
    alterations: withStatusReference((context) => ({
      ...statusReference(context.issuer, context.credential),
      idx: statusListSize,
    })),
  },
  {
    name: 'status_http',
    description: 'the status list URI is not https',
    expect: inBoth('status_list'),
    alterations: withStatusReference((context) => {
      const { idx, uri } = statusReference(context.issuer, context.credential)
      return { idx, uri: uri.replace(/^https:/, 'http:') }
    }),
  },
  {
    name: 'status_unknown',
    description: 'the document uses an unknown status mechanism',
    expect: inBoth('status_list'),
    alterations: {
      issuer_payload: (original) => ({ ...original, status: { unknown_kind: {} } }),
      mso: (original) => new Map([...original, ['status', textMap({ unknown_kind: textMap({}) })]]),
    },
  },
]

function conditionFault(
  name: string,
  condition: CredentialCondition,
  description: string,
  check: CheckName,
): Fault {
  return {
    name,
    description,
    expect: inBoth(check),
    alterations: { credential: (original) => ({ ...original, condition }) },
  }
}

function statusListFault(name: string, list: StatusListName, description: string): Fault {
  return {
    name,
    description,
    expect: inBoth('status_list'),
    alterations: withStatusReference(({ issuer, credential }) => statusReference(issuer, credential, list)),
  }
}
