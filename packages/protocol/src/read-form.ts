const maxFields = 32

/** Parses a form that a wallet posted. Undefined if it is too long or has too many fields. */
export function readForm(body: string, maxCharacters: number): URLSearchParams | undefined {
  if (body.length > maxCharacters || body.split('&', maxFields + 1).length > maxFields) return undefined
  return new URLSearchParams(body)
}
