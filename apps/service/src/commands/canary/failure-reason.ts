const maxReasonLength = 300

/** One line that says why a step failed. `fetch` hides the reason of a failed connection in `cause`. */
export function failureReason(error: unknown): string {
  const { cause } = error instanceof Error ? error : {}
  const reason = cause instanceof Error ? cause : error
  const message = reason instanceof Error ? reason.message || reason.name : String(reason)
  return message.replaceAll(/\s+/g, ' ').slice(0, maxReasonLength)
}
