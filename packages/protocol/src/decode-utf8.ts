import { InputError } from './input-error.ts'

// A byte order mark is part of the text: the signer included it.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Decodes these bytes, or a range of them. Throws an InputError if they are not UTF-8. */
export function decodeUtf8(bytes: Buffer, start = 0, end = bytes.length): string {
  const text = bytes.toString('utf8', start, end)
  // Invalid bytes became U+FFFD. Only then is the strict decoder needed, which costs three times as much.
  if (!text.includes('\uFFFD')) return text
  try {
    return decoder.decode(bytes.subarray(start, end))
  } catch {
    // A fatal decoder throws only for malformed UTF-8.
    throw new InputError('text is not UTF-8')
  }
}
