import { textMap } from '../cbor/encode.ts'
import type { Condition } from '../documents/holding.ts'
import { listSize, statusReference, type ListName } from '../issuer/status-lists.ts'
import { withStatus, withTerm } from './alter.ts'
import { inBoth, type Check, type Fault } from './fault.ts'

/** Documents out of date, revoked, or of a status that cannot be learned (Token Status List §8.3). */
export const validityFaults: readonly Fault[] = [
  inCondition('credential_expired', 'expired', 'the document lapsed yesterday', 'credential_validity'),
  inCondition(
    'credential_not_yet_valid',
    'not_yet_valid',
    'the document is valid tomorrow',
    'credential_validity',
  ),
  {
    name: 'credential_expired_a_moment_ago',
    description: 'the document lapsed 90 seconds ago, which is more than clocks may differ',
    expect: inBoth('credential_validity'),
    alterations: withTerm({ until: -90 }),
  },
  {
    name: 'credential_valid_in_a_moment',
    description: 'the document is valid in 90 seconds, which is more than clocks may differ',
    expect: inBoth('credential_validity'),
    alterations: withTerm({ from: 90 }),
  },
  inCondition('credential_revoked', 'revoked', 'the issuer has revoked the document', 'revocation'),
  inCondition('credential_suspended', 'suspended', 'the issuer has suspended the document', 'revocation'),
  inList('status_unreachable', 'absent', 'the status list is nowhere to be had'),
  inList('status_wrongly_signed', 'wrongly_signed', 'the status list is signed with another key'),
  inList('status_other_root', 'other_root', 'the status list is signed below the root of other documents'),
  inList(
    'status_other_signer',
    'other_signer',
    'the status list is signed by another signer below the same root, who may not sign status lists',
  ),
  inList('status_other_subject', 'other_subject', 'the status list was issued for another address'),
  inList('status_other_type', 'other_type', 'the status list does not say that it is one'),
  inList('status_lapsed', 'lapsed', 'the status list has lapsed'),
  {
    name: 'status_index',
    description: 'the status list does not reach as far as the document',
    expect: inBoth('status_list'),
    alterations: withStatus((facts) => ({ ...statusReference(facts.issuer, facts.holding), idx: listSize })),
  },
  {
    name: 'status_http',
    description: 'the status list lies at an address without TLS',
    expect: inBoth('status_list'),
    alterations: withStatus((facts) => {
      const { idx, uri } = statusReference(facts.issuer, facts.holding)
      return { idx, uri: uri.replace(/^https:/, 'http:') }
    }),
  },
  {
    name: 'status_unknown',
    description: 'the document keeps its status in a way that nobody knows',
    expect: inBoth('status_list'),
    alterations: {
      issuer_payload: (right) => ({ ...right, status: { another_way: {} } }),
      mso: (right) => new Map([...right, ['status', textMap({ another_way: textMap({}) })]]),
    },
  },
]

function inCondition(name: string, condition: Condition, description: string, check: Check): Fault {
  return {
    name,
    description,
    expect: inBoth(check),
    alterations: { holding: (right) => ({ ...right, condition }) },
  }
}

function inList(name: string, list: ListName, description: string): Fault {
  return {
    name,
    description,
    expect: inBoth('status_list'),
    alterations: withStatus(({ issuer, holding }) => statusReference(issuer, holding, list)),
  }
}
