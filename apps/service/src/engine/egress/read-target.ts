import { unescape } from 'node:querystring'

export type Target = {
  origin: string
  secure: boolean
  /** A name, or an address without brackets, normalised by the URL parser. */
  host: string
  port: number
  path: string
  /** The user information of the URL, as Basic credentials (RFC 7617). */
  authorization?: string
}

/** Parses a URL. Undefined unless it is http or https. */
export function readTarget(text: string): Target | undefined {
  const url = URL.parse(text)
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return undefined
  const secure = url.protocol === 'https:'
  return {
    origin: url.origin,
    secure,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || (secure ? 443 : 80)),
    path: url.pathname + url.search,
    ...(url.username === '' && url.password === '' ? {} : { authorization: basicCredentials(url) }),
  }
}

/** Ports of other protocols, whose servers could take a request for commands. Browsers refuse the same ones (Fetch Standard, "port blocking"). */
const otherProtocols = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10_080,
])

export function isForOtherProtocol({ port }: Target): boolean {
  return otherProtocols.has(port)
}

function basicCredentials({ username, password }: URL): string {
  return `Basic ${Buffer.from(`${unescape(username)}:${unescape(password)}`).toString('base64')}`
}
