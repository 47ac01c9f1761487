import { unaltered, type Alter, type PresentationDrafts } from '../alterations.ts'
import type { UnsignedCredential } from '../documents/credential.ts'
import { signJws, type JsonObject } from '../keys/sign-jws.ts'
import { toPublicJwk, type SigningKey } from '../keys/signing-key.ts'
import { createDisclosures, type Disclosure } from './create-disclosures.ts'
import type { Issuer } from './create-issuer.ts'
import { x5c } from './signer.ts'
import { statusReference } from './status-lists.ts'
import { findValidityPeriod, unixSeconds } from './validity-period.ts'

export type IssueOptions<F> = {
  credential: Extract<UnsignedCredential, { format: F }>
  /** The key that the credential is bound to. */
  holder_key: SigningKey
  now: Date
  alter?: Alter<PresentationDrafts>
}

export type SdJwtCredential = { readonly issuer_jwt: string; readonly disclosures: readonly Disclosure[] }

/** Issues an SD-JWT VC (draft-ietf-oauth-sd-jwt-vc) in which every claim is selectively disclosable. */
export function issueSdJwt(
  issuer: Issuer,
  { credential, holder_key, now, alter = unaltered }: IssueOptions<'dc+sd-jwt'>,
): SdJwtCredential {
  const signer = alter('signer', issuer.signers[credential.document])
  const { payload, disclosures } = createDisclosures(credential.claims)
  const period = findValidityPeriod(credential.condition, now)
  const header: JsonObject = {
    alg: signer.key.algorithm,
    typ: 'dc+sd-jwt',
    x5c: x5c(signer),
  }
  const claims: JsonObject = {
    vct: credential.type,
    iat: unixSeconds(period.signed),
    nbf: unixSeconds(period.from),
    exp: unixSeconds(period.until),
    cnf: { jwk: toPublicJwk(holder_key) },
    status: { status_list: statusReference(issuer, credential) },
    ...payload,
  }
  const jwt = signJws(alter('issuer_header', header), alter('issuer_payload', claims), signer.key)
  return { issuer_jwt: alter('issuer_jwt', jwt), disclosures }
}
