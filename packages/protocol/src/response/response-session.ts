import type { AnyQuery } from '../dcql/query.ts'
import type { EncryptionKey } from '../request/make-encryption-key.ts'

/** The secrets of the session on the channel that the response arrives on. */
export type ResponseSession = RedirectSession | AgeAppSession | DcApiSession | AnnexCSession

export type RedirectSession = { channel: 'redirect'; state: string; encryption_key: EncryptionKey }
/** The EU age-verification app does not encrypt, so only `state` binds its response. */
export type AgeAppSession = { channel: 'age_app'; state: string }
/** `state` is not defined on this channel (OpenID4VP 1.0 §A.2): the key binds the response. */
export type DcApiSession = { channel: 'dc_api'; encryption_key: EncryptionKey }
export type AnnexCSession = {
  channel: 'annex_c'
  origin: string
  encryption_info: string
  encryption_key: EncryptionKey
  /** Its documents are assigned to this query. */
  dcql_query: AnyQuery
}
