import { expectMap } from '../cbor/expect.ts'
import { toByteKey } from '../cbor/read.ts'
import { catchInputError, InputError, type ReadResult } from '../input-error.ts'
import type { StatusListToken } from '../presentation.ts'
import { verifyListSignature } from './open.ts'
import { readCwt, type ListHead } from './read-token.ts'

/** A list of revoked documents by their identifiers, signed by its own certificate. */
export type IdentifierList = ListHead & { identifiers: ReadonlySet<unknown> }

const listClaim = 65530
export const maxIdentifiers = 100_000
/** A key and an empty map for each identifier, and the claims around them. */
const maxItems = 2 * maxIdentifiers + 100

const openedLists = new WeakMap<StatusListToken, ReadResult<IdentifierList>>()

/**
 * Parses and verifies an identifier list (ISO/IEC 18013-5 second edition §12.3.6.4). Only the form of a CWT is specified. The text of the
 * standard was not at hand: the form is that of Multipaz and of OpenWallet Foundation's mdoc library, which agree.
 */
export function openIdentifierList(token: StatusListToken): ReadResult<IdentifierList> {
  const known = openedLists.get(token)
  if (known !== undefined) return known
  const list = catchInputError(() => readIdentifierList(token))
  openedLists.set(token, list)
  return list
}

export function listsIdentifier({ identifiers }: IdentifierList, identifier: Uint8Array): boolean {
  return identifiers.has(toByteKey(identifier))
}

function readIdentifierList({ token, media }: StatusListToken): IdentifierList {
  if (media !== 'cwt') throw new InputError('the identifier list is not a CWT')
  const options = { byte_keys: true, max_items: maxItems }
  const { claims, algorithm, signed, signature, ...list } = readCwt(
    token,
    'application/identifierlist+cwt',
    options,
  )
  verifyListSignature(list, { algorithm, signed, signature })
  if (list.expires_at === undefined) throw new InputError('the identifier list has no exp')
  const { identifiers } = Object.fromEntries(expectMap(claims.get(listClaim), 'the identifier list'))
  return { ...list, identifiers: new Set(expectMap(identifiers, 'identifiers').keys()) }
}
