import type { Alterations, PresentationContext } from '../alterations.ts'
import { textMap } from '../cbor/encode.ts'
import {
  identifierReference,
  type IdentifierListName,
  type IdentifierReference,
} from '../issuer/identifier-lists.ts'
import { inMdoc, inSdJwt, type Fault } from './fault.ts'

/** Documents in a list of revoked identifiers, and such lists that cannot be used (ISO/IEC 18013-5 second edition §12.3.6). */
export const identifierListFaults: readonly Fault[] = [
  {
    name: 'identifier_revoked',
    description: 'the list of revoked identifiers names the document',
    expect: inMdoc('revocation'),
    alterations: withIdentifierReference(({ issuer, credential }) =>
      identifierReference(issuer, { ...credential, condition: 'revoked' }),
    ),
  },
  listFault('identifier_list_unreachable', 'absent', 'the identifier list cannot be fetched'),
  listFault(
    'identifier_list_other_signer',
    'other_signer',
    'the identifier list is signed by another signer under the same root that may not sign such lists',
  ),
  listFault(
    'identifier_list_wrongly_signed',
    'wrongly_signed',
    'the identifier list is signed with another key',
  ),
  listFault(
    'identifier_list_other_subject',
    'other_subject',
    'the identifier list was issued for another address',
  ),
  listFault(
    'identifier_list_other_type',
    'other_type',
    'the type of the identifier list is that of a status list',
  ),
  listFault('identifier_list_expired', 'expired', 'the identifier list has expired'),
  listFault('identifier_list_endless', 'endless', 'the identifier list does not say when it expires'),
  {
    name: 'identifier_not_bytes',
    description: 'the identifier of the document is text instead of a byte string',
    expect: inMdoc('status_list'),
    alterations: {
      mso: (original, { issuer, credential }) => {
        const { uri } = identifierReference(issuer, credential)
        return new Map([...original, ['status', textMap({ identifier_list: textMap({ id: 'one', uri }) })]])
      },
    },
  },
  {
    name: 'identifier_list_in_json',
    description: 'an SD-JWT VC refers to an identifier list, which is defined for mdocs only',
    expect: inSdJwt('status_list'),
    alterations: {
      issuer_payload: (original, { issuer, credential }) => {
        const { id, uri } = identifierReference(issuer, credential)
        const identifier_list = { id: Buffer.from(id).toString('base64url'), uri }
        return { ...original, status: { identifier_list } }
      },
    },
  },
]

/** Replaces the status list by an identifier list. */
export function withIdentifierReference(
  reference: (context: PresentationContext) => IdentifierReference,
): Alterations {
  return {
    mso: (original, context) =>
      new Map([...original, ['status', textMap({ identifier_list: textMap(reference(context)) })]]),
  }
}

function listFault(name: string, list: IdentifierListName, description: string): Fault {
  return {
    name,
    description,
    expect: inMdoc('status_list'),
    alterations: withIdentifierReference(({ issuer, credential }) =>
      identifierReference(issuer, credential, list),
    ),
  }
}
