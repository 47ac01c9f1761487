/** The name that PKCS#11 gives an error, such as `CKR_PIN_INCORRECT`, or its message. */
export function errorName(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return /CKR_\w+/.exec(message)?.[0] ?? message
}
