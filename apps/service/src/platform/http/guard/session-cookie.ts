import type { Config } from '../../../config.ts'

type CookieConfig = Pick<Config, 'BASE_URL'>
type CookieName = 'session' | 'oidc'

/**
 * `__Host-` keeps a cookie to this very host, over https, for every path (RFC 6265bis §4.1.3). Without https, on a
 * developer's own machine, a browser would not take it.
 */
function prefixedName({ BASE_URL }: CookieConfig, name: CookieName): string {
  return `${BASE_URL.startsWith('https:') ? '__Host-' : ''}vidimus_${name}`
}

/** The value of one of our cookies. Of two with one name neither is believed: a page elsewhere may have set the other. */
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

/** Scripts cannot read it, and other sites' pages send it with nothing but a link that is followed. */
export function writeCookie(
  config: CookieConfig,
  name: CookieName,
  { value, max_age_seconds }: { value: string; max_age_seconds: number },
): string {
  const secure = config.BASE_URL.startsWith('https:') ? '; Secure' : ''
  return `${prefixedName(config, name)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${max_age_seconds}${secure}`
}

export function clearCookie(config: CookieConfig, name: CookieName): string {
  return writeCookie(config, name, { value: '', max_age_seconds: 0 })
}
