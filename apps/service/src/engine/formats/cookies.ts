import type { Config } from '../config/config.ts'

type CookieConfig = Pick<Config, 'BASE_URL'>
/** `session_a`: the verification of cell a, while that of another cell is in use. */
type CookieName =
  | 'session'
  | 'oidc'
  | 'browser'
  | 'link'
  | 'holder'
  | 'operator'
  | 'operator_oidc'
  | `session_${string}`

/**
 * The prefix `__Host-` binds a cookie to this host, to https and to the path `/` (RFC 6265bis §4.1.3). Without https, as on a
 * developer's machine, browsers reject the prefix.
 */
function prefixedName({ BASE_URL }: CookieConfig, name: CookieName): string {
  return `${BASE_URL.startsWith('https:') ? '__Host-' : ''}vidimus_${name}`
}

/** The value of one of our cookies. If there are two with the same name, neither is used: another site may have set one of them. */
export function readCookie(
  config: CookieConfig,
  name: CookieName,
  header: string | undefined,
): string | undefined {
  const prefix = `${prefixedName(config, name)}=`
  const values = (header ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(prefix))
    .map((part) => part.slice(prefix.length))
  return values.length === 1 && /^[\w-]{1,4000}$/.test(values[0] ?? '') ? values[0] : undefined
}

/** Scripts cannot read it, and other sites can send it only by navigating to our pages. That of an operator they cannot send at all. */
export function writeCookie(
  config: CookieConfig,
  name: CookieName,
  { value, max_age_seconds }: { value: string; max_age_seconds: number },
): string {
  const secure = config.BASE_URL.startsWith('https:') ? '; Secure' : ''
  const sameSite = name === 'operator' ? 'Strict' : 'Lax'
  return `${prefixedName(config, name)}=${value}; Path=/; HttpOnly; SameSite=${sameSite}; Max-Age=${max_age_seconds}${secure}`
}

export function clearCookie(config: CookieConfig, name: CookieName): string {
  return writeCookie(config, name, { value: '', max_age_seconds: 0 })
}
