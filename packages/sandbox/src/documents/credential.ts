import type { Cbor } from '../cbor/encode.ts'
import type { JsonObject } from '../keys/sign-jws.ts'

/** The documents that the sandbox issues. Each has its own signer. */
export type DocumentName = 'pid' | 'pid_de' | 'pid_nl' | 'mdl' | 'av' | 'photo_id' | 'pilot'

export type Format = 'dc+sd-jwt' | 'mso_mdoc'

/** The state of a credential when it is presented. */
export type CredentialCondition = 'valid' | 'expired' | 'not_yet_valid' | 'revoked' | 'suspended'

export type MdocClaims = Readonly<Record<string, Readonly<Record<string, Cbor>>>>

/**
 * A credential before it is signed. The wallet matches queries against it and has it issued with a fresh key for every response,
 * because EU wallets use an attestation once.
 */
export type UnsignedCredential = {
  readonly document: DocumentName
  readonly condition: CredentialCondition
} & (
  | { readonly format: 'dc+sd-jwt'; readonly type: string; readonly claims: JsonObject }
  | { readonly format: 'mso_mdoc'; readonly type: string; readonly claims: MdocClaims }
)
