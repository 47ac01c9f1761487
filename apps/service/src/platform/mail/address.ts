/** A sender or recipient: one address, and a name to display. */
export type MailAddress = { name: string; address: string }

const atom = String.raw`[^\s@<>()[\]\\,;:"\p{Cc}]+`
const address = new RegExp(`^${atom}@${atom}$`, 'u')

/**
 * Whether mail can be sent to the address. Anything that could be read as a list, a comment, a route or another header is
 * refused, although standards allow some of it.
 */
export function isMailAddress(text: string): boolean {
  return text.length <= 254 && address.test(text)
}

/** Reads `alerts@example.com` or `Example alerts <alerts@example.com>`. */
export function readMailAddress(text: string): MailAddress | undefined {
  const [, name = '', inBrackets] = /^([^<>"]{0,100})<([^<>]+)>$/.exec(text.trim()) ?? []
  const given = inBrackets ?? text.trim()
  if (!isMailAddress(given) || /\p{Cc}/u.test(name)) return undefined
  return { name: name.trim(), address: given }
}
