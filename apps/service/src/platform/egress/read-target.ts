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

function basicCredentials({ username, password }: URL): string {
  return `Basic ${Buffer.from(`${unescape(username)}:${unescape(password)}`).toString('base64')}`
}
