import { InputError } from '../input-error.ts'
import type { Certificate } from '../x509/read-certificate.ts'
import { derTags, readChildren, readDer } from '../x509/read-der.ts'
import { readFullName } from '../x509/read-extensions.ts'

/** The certificates that a revocation list covers (RFC 5280 §5.2.5). */
export type CrlScope = {
  /** It covers only certificates that name one of these places. */
  uris?: string[]
  only?: 'signers' | 'authorities'
}

const tags = {
  distribution_point: 0xa0,
  only_user: 0x81,
  only_authorities: 0x82,
  only_some_reasons: 0x83,
  indirect: 0x84,
  only_attributes: 0x85,
} as const

/** Throws an InputError, also for a list that could not be complete: for some reasons only, or of several issuers. */
export function readScope(value: Buffer): CrlScope {
  const scope: CrlScope = {}
  for (const member of readChildren(readDer(value, derTags.sequence))) {
    // DER leaves out a flag that is false, but not every authority does.
    const isSet = member.content[0] !== 0
    switch (member.tag) {
      case tags.distribution_point:
        scope.uris = readFullName(member)
        break
      case tags.only_user:
        if (isSet) scope.only = 'signers'
        break
      case tags.only_authorities:
        if (isSet) scope.only = 'authorities'
        break
      case tags.only_some_reasons:
        throw new InputError('the revocation list covers some reasons only')
      case tags.indirect:
        if (isSet) throw new InputError('the revocation list is indirect')
        break
      case tags.only_attributes:
        if (isSet) throw new InputError('the revocation list covers attribute certificates only')
        break
      default:
        throw new InputError('the scope of the revocation list cannot be read')
    }
  }
  return scope
}

/** RFC 5280 §6.3.3 (b)(2). */
export function isInScope({ uris, only }: CrlScope, { extensions }: Certificate): boolean {
  if (only === 'signers' && extensions.authority) return false
  if (only === 'authorities' && !extensions.authority) return false
  return uris === undefined || uris.some((uri) => extensions.crl_uris?.includes(uri))
}
