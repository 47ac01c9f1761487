import type { ClaimsPath } from '../dcql.ts'

/**
 * How the wallet treats registration certificates: as the EUDI reference wallet does. It refuses a request without exactly one
 * authentic certificate, and otherwise warns the holder of what it finds.
 */
export type RegistrationPolicy = {
  /** The trusted roots of registrars. */
  readonly anchors: readonly Uint8Array[]
  /** A status list token (JWT). Undefined if it cannot be fetched. */
  readonly fetchStatus: (uri: string) => Promise<string | undefined>
}

/** What the wallet shows: who asks and for what, or why the certificate is not valid. */
export type RegistrationResult =
  | {
      readonly result: 'verified'
      readonly registration: ShownRegistration
      readonly over_asked: readonly OverAskedClaim[]
    }
  | {
      readonly result: 'failed'
      readonly reason: RegistrationFailure
      readonly registration: ShownRegistration
    }

export type RegistrationFailure =
  | 'not_bound_to_requester'
  | 'expired'
  | 'status_missing'
  | 'revoked'
  | 'revocation_status_unknown'

type ShownRegistration = {
  readonly name: string | undefined
  readonly purpose: string | undefined
  /** Who asks on behalf of the registered party. */
  readonly intermediary?: string | undefined
}

export type OverAskedClaim = { readonly format: string; readonly path: ClaimsPath }
