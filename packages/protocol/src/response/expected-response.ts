import type { AnyQuery } from '../dcql/query.ts'
import type { EncryptionKey } from '../request/make-encryption-key.ts'

/** The secrets of the verification on the channel that the response arrives on. */
export type ExpectedResponse =
  | RedirectVerification
  | AgeAppVerification
  | DcApiVerification
  | AnnexCVerification
  | ProximityVerification

export type RedirectVerification = { channel: 'redirect'; state: string; encryption_key: EncryptionKey }
/** The EU age-verification app does not encrypt, so only `state` binds its response. */
export type AgeAppVerification = { channel: 'age_app'; state: string }
/** `state` is not defined on this channel (OpenID4VP 1.0 §A.2): the key binds the response. */
export type DcApiVerification = { channel: 'dc_api'; encryption_key: EncryptionKey }
/** A DeviceResponse that a reader decrypted: only the session transcript binds it. */
export type ProximityVerification = { channel: 'proximity'; dcql_query: AnyQuery }
export type AnnexCVerification = {
  channel: 'annex_c'
  origin: string
  encryption_info: string
  encryption_key: EncryptionKey
  /** Its documents are assigned to this query. */
  dcql_query: AnyQuery
}
