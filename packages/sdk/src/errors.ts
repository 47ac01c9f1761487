import type { ErrorCode } from './types.ts'

/** Every error that this package throws on purpose. */
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

/** The service answered, and said no. Decide by `code`, which is stable; show `message` to people. */
export class ApiError extends VidimusError {
  override name = 'ApiError'
  readonly status: number
  /** One of the published codes; another only from a newer service, or from a proxy in between (`unreadable_answer`). */
  readonly code: ErrorCode | 'unreadable_answer' | (string & {})
  /** Names the request in the service's log. */
  readonly requestId: string | undefined
  /** When a repetition makes sense, as the service said. */
  readonly retryAfterSeconds: number | undefined
  /** A page about this code. */
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

/** No answer came: the service could not be reached, the line broke, or the time was up. What was asked may still have been done. */
export class ConnectionError extends VidimusError {
  override name = 'ConnectionError'
}

/** `waitForCompletion` waited as long as it was allowed to. The session itself may still be answered. */
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

/** A message that must not be acted on. `reason` is for programs, `message` says what to look at. */
export class WebhookError extends VidimusError {
  override name = 'WebhookError'
  readonly reason: WebhookFault

  constructor(reason: WebhookFault, message: string) {
    super(message)
    this.reason = reason
  }
}

export type PairingFault = 'not_paired' | 'refresh_lost' | 'refresh_refused'

/** The device has no token that works and cannot get one by itself: somebody has to pair it (again). */
export class PairingError extends VidimusError {
  override name = 'PairingError'
  readonly reason: PairingFault

  constructor(reason: PairingFault, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}
