const maxReasonLength = 300

/** Why a step failed, in one line. `fetch` puts the reason of a failed connection in `cause`. */
export function failureReason(error: unknown): string {
  const { cause } = error instanceof Error ? error : {}
  const reason = cause instanceof Error ? cause : error
  const message = reason instanceof Error ? reason.message || reason.name : String(reason)
  return message.replaceAll(/\s+/g, ' ').slice(0, maxReasonLength)
}
