import type { Cbor } from '../cbor/encode.ts'
import type { JsonObject } from '../keys/sign-jws.ts'

/** The documents that the sandbox issues; each has a signer of its own. */
export type DocumentName = 'pid' | 'pid_de' | 'mdl' | 'av' | 'photo_id' | 'pilot'

export type Format = 'dc+sd-jwt' | 'mso_mdoc'

/** What is true of a document when it is shown. */
export type CredentialCondition = 'valid' | 'expired' | 'not_yet_valid' | 'revoked' | 'suspended'

export type MdocClaims = Readonly<Record<string, Readonly<Record<string, Cbor>>>>

/**
 * A document as the holder owns it, not yet signed. The wallet matches on it and has it issued anew, to a key of its
 * own, for every answer: one attestation, one use, as EU wallets do.
 */
export type UnsignedCredential = {
  readonly document: DocumentName
  readonly condition: CredentialCondition
} & (
  | { readonly format: 'dc+sd-jwt'; readonly type: string; readonly claims: JsonObject }
  | { readonly format: 'mso_mdoc'; readonly type: string; readonly claims: MdocClaims }
)
