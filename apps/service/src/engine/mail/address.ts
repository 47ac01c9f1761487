import { mailAddress } from '@vidimus/contract'

/** A sender or recipient: one address, and a name to display. */
export type MailAddress = { name: string; address: string }

/** Whether mail can be sent to the address. */
export function isMailAddress(text: string): boolean {
  return text.length <= 254 && mailAddress.test(text)
}

/** Reads `alerts@example.com` or `Example alerts <alerts@example.com>`. */
export function readMailAddress(text: string): MailAddress | undefined {
  const [, name = '', inBrackets] = /^([^<>"]{0,100})<([^<>]+)>$/.exec(text.trim()) ?? []
  const given = inBrackets ?? text.trim()
  if (!isMailAddress(given) || /\p{Cc}/u.test(name)) return undefined
  return { name: name.trim(), address: given }
}
