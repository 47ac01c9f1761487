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

/** The operator's mail server. */
export type MailServer = {
  host: string
  port: number
  /** `implicit`: TLS from the first byte. `required`: STARTTLS before anything else. `off`: never. */
  tls: 'implicit' | 'required' | 'off'
  user?: string
  password?: string
}

const defaultPorts = { 'smtp:': 587, 'smtps:': 465 }

/**
 * Reads `smtp://user:password@host:587` or `smtps://host`. Mail is encrypted unless `?tls=off` says otherwise, and a password is
 * never sent in the clear except to this machine. Returns what is wrong with an unusable URL, without repeating it.
 */
export function readSmtpUrl(text: string): MailServer | { problem: string } {
  const url = URL.parse(text)
  if (url === null || !isMailProtocol(url.protocol) || url.hostname === '')
    return { problem: 'must be a URL such as smtp://user:password@mail.example.com:587, or smtps://' }
  const parameters = [...url.searchParams]
  const [[name, tls] = ['tls', 'required']] = parameters
  if (
    parameters.length > 1 ||
    name !== 'tls' ||
    (tls !== 'required' && tls !== 'off') ||
    !/^\/?$/.test(url.pathname) ||
    url.hash !== ''
  )
    return { problem: 'may have ?tls=required or ?tls=off after the host, and nothing else' }
  const [user, password] = [decode(url.username), decode(url.password)]
  if (user === undefined || password === undefined)
    return { problem: 'has a user or password that is not percent-encoded' }
  if ((user === '') !== (password === '')) return { problem: 'must have a user and a password, or neither' }
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (url.protocol === 'smtps:' && tls === 'off')
    return { problem: 'begins with smtps:, which always uses TLS' }
  if (tls === 'off' && user !== '' && !isLoopback(host))
    return { problem: 'would send the password unencrypted; remove tls=off' }
  return {
    host,
    port: url.port === '' ? defaultPorts[url.protocol] : Number(url.port),
    tls: url.protocol === 'smtps:' ? 'implicit' : tls,
    ...(user !== '' && { user, password }),
  }
}

/** Whether connections to the host never leave this machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:[.]\d{1,3}){3}$/.test(host)
}

function isMailProtocol(protocol: string): protocol is keyof typeof defaultPorts {
  return protocol in defaultPorts
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    // Not percent-encoded.
    return undefined
  }
}
