const maxFields = 32

/** A form as a wallet posts it. Undefined when it is too long or has too many fields to be one. */
export function readForm(body: string, maxCharacters: number): URLSearchParams | undefined {
  if (body.length > maxCharacters || body.split('&', maxFields + 1).length > maxFields) return undefined
  return new URLSearchParams(body)
}
