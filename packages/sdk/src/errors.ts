import type { ErrorCode } from './types.ts'

/** The base class of all errors of this package. */
export class VidimusError extends Error {
  override name = 'VidimusError'
}

export type ApiErrorDetails = {
  status: number
  code: string
  message: string
  requestId?: string | undefined
  retryAfterSeconds?: number | undefined
  help?: string | undefined
}

/** The service refused the request. Decide by `code`, which is stable; `message` is for people. */
export class ApiError extends VidimusError {
  override name = 'ApiError'
  readonly status: number
  /** A published code, or another one from a newer service; `unreadable_answer` if the response is not from the service, for example from a proxy. */
  readonly code: ErrorCode | 'unreadable_answer' | (string & {})
  /** Identifies the request in the service's log. */
  readonly requestId: string | undefined
  /** When to retry, according to the service. */
  readonly retryAfterSeconds: number | undefined
  /** The address of this code's documentation. */
  readonly help: string | undefined

  constructor({ status, code, message, requestId, retryAfterSeconds, help }: ApiErrorDetails) {
    super(message)
    this.status = status
    this.code = code
    this.requestId = requestId
    this.retryAfterSeconds = retryAfterSeconds
    this.help = help
  }
}

/** No response: the service could not be reached, the connection was lost, or the request timed out. It may still have taken effect. */
export class ConnectionError extends VidimusError {
  override name = 'ConnectionError'
}

/** `waitForCompletion` timed out. The wallet may still respond. */
export class StillPendingError extends VidimusError {
  override name = 'StillPendingError'
}

export type WebhookFault =
  | 'missing_header'
  | 'malformed_header'
  | 'outside_tolerance'
  | 'parsed_body'
  | 'reserialised_body'
  | 'wrong_signature'
  | 'unusable_secret'
  | 'unreadable_event'

/** A webhook that must not be trusted. `reason` is for programs; `message` says what to check. */
export class WebhookError extends VidimusError {
  override name = 'WebhookError'
  readonly reason: WebhookFault

  constructor(reason: WebhookFault, message: string) {
    super(message)
    this.reason = reason
  }
}

export type PairingFault = 'not_paired' | 'refresh_lost' | 'refresh_refused'

/** The device has no valid tokens and must be paired (again). */
export class PairingError extends VidimusError {
  override name = 'PairingError'
  readonly reason: PairingFault

  constructor(reason: PairingFault, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

/** `no_key`: it was sealed to other keys. `damaged`: it was changed. `other_verification`: it is the result of another one. */
export type SealedResultFault = 'no_key' | 'damaged' | 'other_verification' | 'unsupported' | 'unusable_key'

/** A sealed result that cannot be opened, or must not be accepted. */
export class SealedResultError extends VidimusError {
  override name = 'SealedResultError'
  readonly reason: SealedResultFault

  constructor(reason: SealedResultFault, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}
