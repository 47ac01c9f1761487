import { InputError } from '../input-error.ts'

/**
 * Decodes base64url text without padding (RFC 7515 §2). Undefined unless the text is exactly the encoding of its bytes: no
 * other characters, padding, white space or stray bits at the end.
 */
export function decodeBase64url(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url')
  return bytes.toString('base64url') === text ? bytes : undefined
}

/** The same, but throws an InputError. */
export function expectBase64url(text: string): Buffer {
  const bytes = decodeBase64url(text)
  if (bytes === undefined) throw new InputError('a part is not base64url')
  return bytes
}

/** The same for base64 with padding, as in `x5c` (RFC 7515 §4.1.6). */
export function decodeBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : undefined
}
