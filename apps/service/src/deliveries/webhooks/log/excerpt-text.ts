/** How much of a response is kept (HOOK-7). */
export const maxExcerpt_bytes = 2048

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The beginning of a response without control characters, or undefined if it is empty or not text. */
export function excerptText(body: Uint8Array): string | undefined {
  const decoded = decode(body.subarray(0, maxExcerpt_bytes), body.length > maxExcerpt_bytes)
  // Tabs and line ends stay. Bidirectional controls could make the text read differently from what it says.
  const text = decoded
    ?.replaceAll(/(?![\t\n\r])[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, '')
    .trim()
  return text === '' ? undefined : text
}

/** Undefined if it is not UTF-8. A character that was cut off at the end is dropped. */
function decode(bytes: Uint8Array, wasCut: boolean): string | undefined {
  for (const dropped of wasCut ? [0, 1, 2, 3] : [0]) {
    try {
      return utf8.decode(bytes.subarray(0, bytes.length - dropped))
    } catch {
      // Not UTF-8 up to here.
    }
  }
  return undefined
}
