/** A refusal by the service. The message is the service's, in English. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly request_id: string | undefined
  /** The environment whose request log has the request; undefined if none has. */
  readonly logged_in: string | undefined

  constructor(
    message: string,
    {
      status,
      code,
      request_id,
      logged_in,
    }: { status: number; code: string; request_id?: string | undefined; logged_in?: string | undefined },
  ) {
    super(message)
    this.status = status
    this.code = code
    this.request_id = request_id
    this.logged_in = logged_in
  }
}

/** The failures that the page itself notices. The catalogue of texts explains each. */
export type LocalErrorCode =
  | 'confirming'
  | 'not_confirmed'
  | 'not_our_response'
  | 'passkey_cancelled'
  | 'passkey_exists'
  | 'passkey_failed'
  | 'passkey_insecure'
  | 'passkey_missing'
  | 'unreachable'

/** A failure outside the service: of the network, the browser or a proxy. */
export class LocalError extends Error {
  readonly code: LocalErrorCode
  /** The values of the text's placeholders. */
  readonly values: Readonly<Record<string, string>>

  constructor(code: LocalErrorCode, values: Readonly<Record<string, string>> = {}) {
    super(code)
    this.code = code
    this.values = values
  }
}
