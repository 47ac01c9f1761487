/** A refusal by the service, or a network failure. The message is written for the user. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly request_id: string | undefined

  constructor(
    message: string,
    { status, code, request_id }: { status: number; code: string; request_id?: string | undefined },
  ) {
    super(message)
    this.status = status
    this.code = code
    this.request_id = request_id
  }
}
