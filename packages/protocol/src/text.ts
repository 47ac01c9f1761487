import { InputError } from './input-error.ts'

// A byte order mark is text like any other: whoever signed it meant it.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The text of these bytes, or of a part of them; a Fault when they are not UTF-8. */
export function decodeUtf8(bytes: Buffer, start = 0, end = bytes.length): string {
  const text = bytes.toString('utf8', start, end)
  // What is not UTF-8 has become U+FFFD. Only then is it worth asking the decoder that can tell, at three times the cost.
  if (!text.includes('\uFFFD')) return text
  try {
    return decoder.decode(bytes.subarray(start, end))
  } catch {
    // A fatal decoder throws for malformed UTF-8 and for nothing else.
    throw new InputError('text is not UTF-8')
  }
}
