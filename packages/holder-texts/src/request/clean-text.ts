const maxLength = 80

/**
 * Shortens a name from a request, and removes control characters and those that change the direction of text, so that
 * it cannot disguise the text around it.
 */
export function cleanText(text: string): string {
  const clean = text
    .slice(0, 10 * maxLength)
    .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
  // By code point, so that no character is cut in half.
  const characters = Array.from(clean)
  if (characters.length === 0) return '?'
  return characters.length <= maxLength ? clean : `${characters.slice(0, maxLength - 1).join('')}…`
}
