/**
 * The bytes of base64url text without padding (RFC 7515 §2). Undefined for anything that is not exactly the encoding of
 * its bytes: other characters, padding, white space, stray bits at the end.
 */
export function decodeBase64url(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url')
  return bytes.toString('base64url') === text ? bytes : undefined
}

/** The same for base64 with padding, as `x5c` has it (RFC 7515 §4.1.6). */
export function decodeBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : undefined
}
