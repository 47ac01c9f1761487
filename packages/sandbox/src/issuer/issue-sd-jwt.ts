import { unaltered, type Alter, type PresentationDrafts } from '../alterations.ts'
import type { Holding } from '../documents/holding.ts'
import { signJws, type JsonObject } from '../keys/sign-jws.ts'
import { publicJwk, type SigningKey } from '../keys/signing-key.ts'
import { conceal, type Disclosure } from './conceal.ts'
import type { Issuer } from './create-issuer.ts'
import { x5c } from './signer.ts'
import { statusReference } from './status-lists.ts'
import { termOf, unixSeconds } from './term.ts'

export type Order<F> = {
  holding: Extract<Holding, { format: F }>
  /** The key that the document is bound to. */
  holder_key: SigningKey
  now: Date
  alter?: Alter<PresentationDrafts>
}

export type SdJwtCredential = { readonly issuer_jwt: string; readonly disclosures: readonly Disclosure[] }

/** Issues an SD-JWT VC (draft-ietf-oauth-sd-jwt-vc) whose claims are all concealed. */
export function issueSdJwt(
  issuer: Issuer,
  { holding, holder_key, now, alter = unaltered }: Order<'dc+sd-jwt'>,
): SdJwtCredential {
  const signer = alter('signer', issuer.signers[holding.document])
  const { payload, disclosures } = conceal(holding.claims)
  const term = termOf(holding.condition, now)
  const header: JsonObject = {
    alg: signer.key.algorithm,
    typ: 'dc+sd-jwt',
    x5c: x5c(signer),
  }
  const claims: JsonObject = {
    vct: holding.type,
    iat: unixSeconds(term.signed),
    nbf: unixSeconds(term.from),
    exp: unixSeconds(term.until),
    cnf: { jwk: publicJwk(holder_key) },
    status: { status_list: statusReference(issuer, holding) },
    ...payload,
  }
  const signed = signJws(alter('issuer_header', header), alter('issuer_payload', claims), signer.key)
  return { issuer_jwt: alter('issuer_jwt', signed), disclosures }
}
