import { readJws, readX5c, type Jws } from '../crypto/read-jws.ts'
import { InputError } from '../input-error.ts'
import { isNonEmptyString } from '../json.ts'
import { expectNumericDates } from '../lifetime.ts'
import type { TypeReference } from '../presentation.ts'
import { makeTypeReference } from './types/read-type-metadata.ts'

/** A parsed SD-JWT with key binding (RFC 9901 §4). Nothing in it is verified. */
export type SdJwt = {
  issuer_jwt: Jws
  /** DER, the signer's first. */
  chain: Buffer[]
  vct: string
  /** Further types that the issuer assigns to it. */
  aka_vcts: string[]
  /** Where the type is described; undefined if its integrity is not protected. */
  type_metadata: TypeReference | undefined
  disclosures: string[]
  /** Everything up to the last tilde: the text that `sd_hash` covers. */
  sd_hash_input: string
  /** Empty if the wallet included none. */
  key_binding_jwt: string
}

/** Enough for a portrait, and within the 2 MiB of a wallet response (GEN-11). */
const limits = { characters: 1024 * 1024, disclosures: 500, other_types: 50 } as const

/** Throws an InputError. */
export function readSdJwt(presentation: string): SdJwt {
  if (presentation.length > limits.characters) throw new InputError('the SD-JWT is too large')
  const parts = presentation.split('~', limits.disclosures + 3)
  const key_binding_jwt = parts.pop()
  const [issuerJwt, ...disclosures] = parts
  if (issuerJwt === undefined || key_binding_jwt === undefined) throw new InputError('this is not an SD-JWT')
  if (disclosures.length > limits.disclosures) throw new InputError('the SD-JWT has too many disclosures')

  const issuer_jwt = readJws(issuerJwt)
  const { typ, crit } = issuer_jwt.header
  // SD-JWT VC §2.2.1. A header with critical extensions must be refused (RFC 7515 §4.1.11).
  if (typ !== 'dc+sd-jwt') throw new InputError('the typ of the credential is not dc+sd-jwt')
  if (crit !== undefined)
    throw new InputError('the header of the credential requires an unsupported extension')

  const { vct } = issuer_jwt.payload
  if (!isNonEmptyString(vct)) throw new InputError('the credential has no vct')
  const aka_vcts = readOtherTypes(issuer_jwt.payload)
  const type_metadata = makeTypeReference(vct, issuer_jwt.payload['vct#integrity'])
  expectNumericDates(issuer_jwt.payload)
  const sd_hash_input = presentation.slice(0, presentation.length - key_binding_jwt.length)
  const chain = readX5c(issuer_jwt.header)
  return {
    issuer_jwt,
    chain,
    vct,
    aka_vcts,
    type_metadata,
    disclosures,
    sd_hash_input,
    key_binding_jwt,
  }
}

/** SD-JWT VC §2.2.2.1. */
function readOtherTypes({ aka_vcts = [] }: Record<string, unknown>): string[] {
  if (!Array.isArray(aka_vcts) || aka_vcts.length > limits.other_types || !aka_vcts.every(isNonEmptyString))
    throw new InputError('aka_vcts is not a list of types')
  return aka_vcts
}
