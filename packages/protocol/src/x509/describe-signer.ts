import type { PresentedCredential } from '../presentation.ts'
import type { VerifiedSigner } from './verify-signer.ts'

type SignerDescription = Pick<
  PresentedCredential,
  | 'issuer'
  | 'trusted'
  | 'signature_valid'
  | 'authority_key_ids'
  | 'trust_lists'
  | 'anchor'
  | 'anchor_entity'
  | 'signer'
  | 'path'
>

/** Describes the issuer of a credential from its certificate, whether or not it is trusted. */
export function describeSigner({
  signer,
  anchor,
  anchor_entity,
  path,
  signature_valid,
  authority_key_ids,
  trust_lists,
}: VerifiedSigner): SignerDescription {
  const { common_name, country } = signer?.subject ?? {}
  return {
    issuer: { ...(common_name !== undefined && { common_name }), ...(country !== undefined && { country }) },
    trusted: anchor !== undefined,
    signature_valid,
    authority_key_ids,
    ...(trust_lists && { trust_lists }),
    ...(anchor && signer && { anchor: anchor.fingerprint, signer }),
    ...(anchor_entity !== undefined && { anchor_entity }),
    ...(path && { path }),
  }
}
